import { z } from 'zod'
import { writeStored, readStoredJson } from '../common/local-storage.ts'

/**
 * Metadata of a document that this browser stores for an account. `unsentSince` is the time of the first change that
 * the server doesn't have, null when there is none; `readOnly` is the server's latest report. Times are milliseconds
 * since 1970.
 */
export type KeptDocument = { openedAt: number; unsentSince: number | null; readOnly: boolean }

/** Stored documents by the names of their stores. */
export type OfflineIndex = Readonly<Record<string, KeptDocument>>

const Index = z.record(
  z.string(),
  z.object({ openedAt: z.number(), unsentSince: z.number().nullable(), readOnly: z.boolean() }),
)

const storageKey = 'copydesk.offline'
const keptAtMost = 40

/** The name of the store of one account's copy of one document: no other account's page opens it. */
export function storeName(account: string, document: string): string {
  return `copydesk ${account} ${document}`
}

export function storesOf(index: OfflineIndex, account: string): string[] {
  return Object.keys(index).filter((name) => name.startsWith(storeName(account, '')))
}

/** The stores of one account that contain changes which the server doesn't have. */
export function unsentStores(index: OfflineIndex, account: string): string[] {
  return storesOf(index, account).filter((name) => index[name]?.unsentSince !== null)
}

/** The index in this browser; empty if there is none, or storage is blocked. */
export function readIndex(): OfflineIndex {
  return Index.catch({}).parse(readStoredJson(storageKey))
}

/**
 * Changes the index. Reads other tabs' entries again first, so that none is lost. Has no effect if storage is blocked:
 * the stored documents still exist, only their metadata is lost.
 */
export function changeIndex(change: (index: OfflineIndex) => OfflineIndex): void {
  writeStored(storageKey, JSON.stringify(change(readIndex())))
}

export function withoutStore(index: OfflineIndex, name: string): OfflineIndex {
  return Object.fromEntries(Object.entries(index).filter(([key]) => key !== name))
}

/**
 * The stores to delete so that the browser's storage doesn't fill up: those opened longest ago, never one with unsent
 * changes.
 */
export function surplusStores(index: OfflineIndex, keep = keptAtMost): string[] {
  return Object.entries(index)
    .toSorted(([, a], [, b]) => b.openedAt - a.openedAt)
    .slice(keep)
    .filter(([, { unsentSince }]) => unsentSince === null)
    .map(([name]) => name)
}
