import { clearDocument, IndexeddbPersistence } from 'y-indexeddb'
import type * as Y from 'yjs'
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
  /** What was known when it was opened. */
  readonly known: KeptDocument | undefined
  /** Resolves when what is kept stands in the document, to whether that was anything; never rejects. */
  readonly loaded: Promise<boolean>
  /** Whether what is written now is kept. */
  isKeeping(): boolean
  /** Whether a change of the document came out of this store. */
  isOrigin(origin: unknown): boolean
  /** Notes what is known now: at once that something is unsent, after a moment that nothing is. */
  note(known: Noted): void
  /** Lets everything go, for good; resolves when it is gone. */
  clear(): Promise<void>
  /** Stops keeping; what is kept stays. May be called twice. */
  close(): void
}

type Noted = Pick<KeptDocument, 'unsentSince' | 'readOnly'>

const openWithinMs = 2000
// Between one key and the next everything is sent for a moment; writing that down each time would cost more than the key.
const settledMs = 1000

/** Keeps `doc` for an account. Where the browser keeps nothing (private windows, blocked storage) everything else goes on. */
export function openOfflineStore(account: string, document: string, doc: Y.Doc, now: () => number): OfflineStore {
  const name = storeName(account, document)
  const known = readIndex()[name]
  let persistence: IndexeddbPersistence | undefined
  let isKeeping = false
  let closed = false
  const noter = createNoter(name, known ?? { unsentSince: null, readOnly: false })
  const close = (): void => {
    closed = true
    isKeeping = false
    noter.finish()
    void persistence?.destroy().catch(ignore)
    persistence = undefined
  }
  const open = async (): Promise<boolean> => {
    if (!(await canStore()) || closed) return false
    const opened = new IndexeddbPersistence(name, doc)
    persistence = opened
    const isRead = opened.whenSynced.then(() => {
      isKeeping = !closed
      // A change that can't be kept aborts its transaction; one tab that clears the store has all others let go of it.
      for (const event of ['abort', 'versionchange', 'close']) opened.db?.addEventListener(event, close)
    })
    await Promise.race([isRead, after(openWithinMs)])
    if (closed) return false
    changeIndex((index) => ({
      ...index,
      [name]: { readOnly: false, unsentSince: null, ...index[name], openedAt: now() },
    }))
    void letGoOf(surplusStores(readIndex()))
    return doc.store.clients.size > 0
  }
  return {
    account,
    known,
    loaded: open().catch(() => false),
    isKeeping: () => isKeeping,
    isOrigin: (origin) => origin instanceof IndexeddbPersistence,
    note(next) {
      if (isKeeping) noter.note(next)
    },
    clear() {
      close()
      return letGoOf([name])
    },
    close,
  }
}

/** Lets go of everything that this browser keeps for an account; resolves when it is gone. */
export function clearAccount(account: string): Promise<void> {
  return letGoOf(storesOf(readIndex(), account))
}

function createNoter(name: string, known: Noted) {
  let last: Noted = { unsentSince: known.unsentSince, readOnly: known.readOnly }
  let next = last
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    last = next
    changeIndex((index) => noted(index, name, last))
  }
  return {
    note(known: Noted): void {
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

function noted(index: OfflineIndex, name: string, change: Noted): OfflineIndex {
  const before = index[name]
  return before === undefined ? index : { ...index, [name]: { ...before, ...change } }
}

async function letGoOf(names: readonly string[]): Promise<void> {
  for (const name of names) changeIndex((index) => withoutStore(index, name))
  await Promise.race([Promise.allSettled(names.map((name) => clearDocument(name))), after(openWithinMs)])
}

/** Whether this page may use the browser's storage at all: the library leaves a refusal unhandled. */
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
  // There is nothing that anybody could do about it.
}
