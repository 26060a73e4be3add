import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { AccountFinder } from './account.ts'
import { ImageQuota } from './image-quota.ts'
import { LogQuota } from './log-quota.ts'
import { defaultQuotas, type Quotas } from './quotas.ts'

/**
 * What keeps storage within its quotas. The counts of `logs` are those of one thread: the one that people's updates
 * come through.
 */
export type StorageQuotas = { quotas: Quotas; logs: LogQuota; images: ImageQuota }

/** Quotas over a store; `changed` are those that aren't the default ones. */
export function createStorageQuotas(
  db: Kysely<Tables>,
  now: () => number,
  changed: Partial<Quotas> = {},
): StorageQuotas {
  const deps = { db, now, quotas: { ...defaultQuotas, ...changed }, accounts: new AccountFinder(db) }
  return { quotas: deps.quotas, logs: new LogQuota(deps), images: new ImageQuota(deps) }
}
