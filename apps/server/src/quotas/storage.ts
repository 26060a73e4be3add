import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { AccountFinder } from './account.ts'
import { ImageQuota } from './image-quota.ts'
import { LogQuota, type Room } from './log-quota.ts'
import { defaultQuotas, quotaExceeded, type Quotas } from './quotas.ts'

/** The quotas of storage. `logs` counts in one thread, which receives users' updates. */
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

/** Whether a person may create one more document or folder. Only reliable within the transaction that creates it. */
export async function roomForItem(
  db: Kysely<Tables>,
  kind: 'document' | 'folder',
  person: string,
  quotas: Quotas,
): Promise<Room> {
  const [perPerson, ofServer] = [`${kind}sPerPerson`, `${kind}sOfServer`] as const
  const count = () => db.selectFrom(`${kind}s`).select((eb) => eb.fn.countAll<number>().as('count'))
  const own = await count().where('created_by', '=', person).executeTakeFirstOrThrow()
  if (Number(own.count) >= quotas[perPerson]) return quotaExceeded(perPerson, quotas)
  const all = await count().executeTakeFirstOrThrow()
  return Number(all.count) >= quotas[ofServer] ? quotaExceeded(ofServer, quotas) : { ok: true }
}
