import { z } from 'zod'

/**
 * What is known about a document that this browser keeps for an account. `unsentSince` is when the first change was made that the server
 * doesn't have, null when there is none; `readOnly` what the server said last. Times are milliseconds since 1970.
 */
export type KeptDocument = { openedAt: number; unsentSince: number | null; readOnly: boolean }

/** Kept documents by the names of their stores. */
export type OfflineIndex = Readonly<Record<string, KeptDocument>>

const Index = z.record(
  z.string(),
  z.object({ openedAt: z.number(), unsentSince: z.number().nullable(), readOnly: z.boolean() }),
)

const storageKey = 'copydesk.offline'
const keptAtMost = 40

/** The name under which one account's copy of one document is kept: nobody else's page asks for it. */
export function storeName(account: string, document: string): string {
  return `copydesk ${account} ${document}`
}

/** The stores of one account. */
export function storesOf(index: OfflineIndex, account: string): string[] {
  return Object.keys(index).filter((name) => name.startsWith(storeName(account, '')))
}

/** The stores of one account that hold what the server doesn't have. */
export function unsentStores(index: OfflineIndex, account: string): string[] {
  return storesOf(index, account).filter((name) => index[name]?.unsentSince !== null)
}

/** The index as it stands in this browser; empty where there is none, or storage is blocked. */
export function readIndex(): OfflineIndex {
  try {
    return Index.catch({}).parse(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return {}
  }
}

/** Changes the index. Other tabs' entries are read anew, so that none is lost. Nothing happens where storage is blocked. */
export function changeIndex(change: (index: OfflineIndex) => OfflineIndex): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(change(readIndex())))
  } catch {
    // What is kept is still there; only what is known about it is lost.
  }
}

/** The index without one store. */
export function withoutStore(index: OfflineIndex, name: string): OfflineIndex {
  return Object.fromEntries(Object.entries(index).filter(([key]) => key !== name))
}

/** The stores to let go so that the browser doesn't fill up: those opened longest ago, never one with something unsent. */
export function surplusStores(index: OfflineIndex, keep = keptAtMost): string[] {
  return Object.entries(index)
    .toSorted(([, a], [, b]) => b.openedAt - a.openedAt)
    .slice(keep)
    .filter(([, { unsentSince }]) => unsentSince === null)
    .map(([name]) => name)
}
