import type { Kysely } from 'kysely'
import { recordAuditEvent } from '../../audit/audit.ts'
import type { Tables } from '../../store/tables.ts'

/** The person who has an address, and whether it is confirmed (ACC-20). */
export async function holderOf(
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
 * Takes an unconfirmed address from a person, because it is about to be confirmed for another. The person keeps their
 * account and sessions, and gets a placeholder address that nobody else can have until they enter another one. Does
 * nothing if the address is confirmed. Returns whether it was taken.
 */
export async function takeUnconfirmed(trx: Kysely<Tables>, person: string, at: number): Promise<boolean> {
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
