import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { AccountFinder } from './account.ts'
import { ImageQuota } from './image-quota.ts'
import { LogQuota } from './log-quota.ts'
import { defaultQuotas, type Quotas } from './quotas.ts'

/** The quotas of storage. `logs` counts in one thread: the one that receives users' updates. */
export type StorageQuotas = { quotas: Quotas; logs: LogQuota; images: ImageQuota }

/** Creates the quotas of a store; `changed` overrides defaults. */
export function createStorageQuotas(
  db: Kysely<Tables>,
  now: () => number,
  changed: Partial<Quotas> = {},
): StorageQuotas {
  const deps = { db, now, quotas: { ...defaultQuotas, ...changed }, accounts: new AccountFinder(db) }
  return { quotas: deps.quotas, logs: new LogQuota(deps), images: new ImageQuota(deps) }
}
