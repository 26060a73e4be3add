import type { Kysely } from 'kysely'
import { recordAuditEvent } from '../audit/audit.ts'
import type { Tables } from '../store/tables.ts'

/** Who has an address, and whether it is confirmed as theirs (ACC-20). */
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
 * Takes an address from somebody who has merely said that it is theirs: it is about to be confirmed as somebody else's.
 * They keep their account and their sessions, and have an address that nobody else can have until they give another
 * one. Does nothing where it is confirmed. Answers whether it was taken.
 */
export async function takeUnconfirmed(trx: Kysely<Tables>, person: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('people')
    // The top-level domain that is nobody's (RFC 2606).
    .set({ email: `${person}@replaced.invalid`, updated_at: at })
    .where('id', '=', person)
    .where('email_verified', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const details = { fields: ['email'], how: 'confirmed as another’s' }
  await recordAuditEvent(trx, { at, actor: null, action: 'account-changed', target: person, details })
  return true
}
