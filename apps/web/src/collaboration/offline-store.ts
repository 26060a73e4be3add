import { clearDocument, IndexeddbPersistence } from 'y-indexeddb'
import type * as Y from 'yjs'
import { firstScreen } from '../common/first-screen.ts'
import {
  changeIndex,
  type KeptDocument,
  type OfflineIndex,
  readIndex,
  storeName,
  storesOf,
  surplusStores,
  withoutStore,
} from './offline-index.ts'

/** One account's copy of one document in this browser, kept up to date as long as it is open. */
export type OfflineStore = {
  readonly account: string
  /** The metadata at the time of opening. */
  readonly known: KeptDocument | undefined
  /** Resolves when the stored content is loaded into the document: true if the store had content. Never rejects. */
  readonly loaded: Promise<boolean>
  /** Resolves when changes are stored, or can't be; never rejects. */
  readonly begun: Promise<unknown>
  /** Whether changes are currently stored. */
  isKeeping(): boolean
  /** Whether a change of the document came from this store. */
  isOrigin(origin: unknown): boolean
  /** Records the current metadata: immediately if changes are unsent, after a moment if none are. */
  note(known: IndexEntry): void
  /** Deletes everything permanently; resolves when it is deleted. */
  clear(): Promise<void>
  /** Stops storing; keeps the stored content. May be called twice. */
  close(): void
}

type IndexEntry = Pick<KeptDocument, 'unsentSince' | 'readOnly'>

const openWithinMs = 2000
// Between two key presses all changes are acknowledged for a moment; recording that each time would cost more than the
// key press.
const settledMs = 1000

/** Stores `doc` for an account. If the browser blocks storage (private windows), all other functions work. */
export function openOfflineStore(account: string, document: string, doc: Y.Doc, now: () => number): OfflineStore {
  const name = storeName(account, document)
  const known = readIndex()[name]
  let persistence: IndexeddbPersistence | undefined
  let isKeeping = false
  let closed = false
  const writer = createIndexWriter(name, known ?? { unsentSince: null, readOnly: false })
  const close = (): void => {
    closed = true
    isKeeping = false
    writer.finish()
    void persistence?.destroy().catch(ignore)
    persistence = undefined
  }
  const open = async (): Promise<boolean> => {
    if (!(await canStore()) || closed) return false
    const opened = new IndexeddbPersistence(name, doc)
    persistence = opened
    const isRead = opened.whenSynced.then(() => {
      isKeeping = !closed
      // A change that can't be stored aborts its transaction; a tab that clears the store makes all others close it.
      for (const event of ['abort', 'versionchange', 'close']) opened.db?.addEventListener(event, close)
    })
    await Promise.race([isRead, after(openWithinMs)])
    if (closed) return false
    changeIndex((index) => ({
      ...index,
      [name]: { readOnly: false, unsentSince: null, ...index[name], openedAt: now() },
    }))
    void deleteStores(surplusStores(readIndex()))
    return doc.store.clients.size > 0
  }
  // For a document that is new to this browser there is nothing to load, and storing can wait until it is shown.
  const begun = known ? open() : firstScreen.then(open)
  const loaded = begun.catch(() => false)
  return {
    account,
    known,
    loaded: known ? loaded : Promise.resolve(false),
    begun: loaded,
    isKeeping: () => isKeeping,
    isOrigin: (origin) => origin instanceof IndexeddbPersistence,
    note(next) {
      if (isKeeping) writer.note(next)
    },
    clear() {
      close()
      return deleteStores([name])
    },
    close,
  }
}

/** Deletes everything that this browser stores for an account; resolves when it is deleted. */
export function clearAccount(account: string): Promise<void> {
  return deleteStores(storesOf(readIndex(), account))
}

function createIndexWriter(name: string, known: IndexEntry) {
  let last: IndexEntry = { unsentSince: known.unsentSince, readOnly: known.readOnly }
  let next = last
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    last = next
    changeIndex((index) => withEntry(index, name, last))
  }
  return {
    note(known: IndexEntry): void {
      const isAsBefore =
        known.readOnly === last.readOnly && (known.unsentSince === null) === (last.unsentSince === null)
      next = known
      clearTimeout(timer)
      timer = undefined
      if (isAsBefore) return
      if (known.unsentSince !== null) write()
      else timer = setTimeout(write, settledMs)
    },
    finish(): void {
      if (timer !== undefined) write()
    },
  }
}

function withEntry(index: OfflineIndex, name: string, change: IndexEntry): OfflineIndex {
  const before = index[name]
  return before === undefined ? index : { ...index, [name]: { ...before, ...change } }
}

async function deleteStores(names: readonly string[]): Promise<void> {
  for (const name of names) changeIndex((index) => withoutStore(index, name))
  await Promise.race([Promise.allSettled(names.map((name) => clearDocument(name))), after(openWithinMs)])
}

/** Whether this page may use the browser's storage at all: the library leaves the rejection unhandled. */
function canStore(): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open('copydesk')
      request.addEventListener('error', () => resolve(false))
      request.addEventListener('success', () => {
        request.result.close()
        resolve(true)
      })
      setTimeout(() => resolve(false), openWithinMs)
    } catch {
      resolve(false)
    }
  })
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds))
}

function ignore(): void {
  // The failure can't be handled.
}
