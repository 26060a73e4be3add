import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { Room } from './log-quota.ts'
import { quotaExceeded, type Quotas } from './quotas.ts'

/** Whether a person may create one more document. Only reliable within the transaction that creates it. */
export async function documentRoom(db: Kysely<Tables>, person: string, quotas: Quotas): Promise<Room> {
  const count = () => db.selectFrom('documents').select((eb) => eb.fn.countAll<number>().as('count'))
  const own = await count().where('created_by', '=', person).executeTakeFirstOrThrow()
  if (Number(own.count) >= quotas.documentsPerPerson) return quotaExceeded('documentsPerPerson', quotas)
  const all = await count().executeTakeFirstOrThrow()
  if (Number(all.count) >= quotas.documentsOfServer) return quotaExceeded('documentsOfServer', quotas)
  return { ok: true }
}
