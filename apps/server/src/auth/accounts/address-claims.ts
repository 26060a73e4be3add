import type { Kysely } from 'kysely'
import { recordAuditEvent } from '../../audit/audit.ts'
import type { Tables } from '../../store/tables.ts'

/** The person with this address, and whether it is confirmed (ACC-20). */
export async function findAddressHolder(
  db: Kysely<Tables>,
  email: string,
): Promise<{ id: string; name: string; isConfirmed: boolean } | undefined> {
  const row = await db
    .selectFrom('people')
    .select(['id', 'name', 'email_verified'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row && { id: row.id, name: row.name, isConfirmed: row.email_verified === 1 }
}

/**
 * Removes an unconfirmed address from a person, because another person is about to confirm it. The first person keeps
 * account and sessions, and gets a placeholder address that nobody else can have until they enter another one. Does
 * nothing if the address is confirmed. Returns whether it was removed.
 */
export async function releaseUnconfirmed(trx: Kysely<Tables>, person: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('people')
    // A reserved top-level domain (RFC 2606).
    .set({ email: `${person}@replaced.invalid`, updated_at: at })
    .where('id', '=', person)
    .where('email_verified', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const details = { fields: ['email'], how: 'confirmed as another’s' }
  await recordAuditEvent(trx, { at, actor: null, action: 'account-changed', target: person, details })
  return true
}
