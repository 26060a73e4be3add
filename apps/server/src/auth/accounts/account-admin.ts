import { localizable } from '@copydesk/tools/localizable'
import type {
  AccountPerson,
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  Language,
  PatchPerson,
  ResetLink,
} from '@copydesk/protocol'
import type { Transaction } from 'kysely'
import type { AccountDeps } from './account-deps.ts'
import { refuse, type Refusal } from '../../common/errors.ts'
import { dayMs } from '../../common/time.ts'
import type { Tables } from '../../store/tables.ts'
import { revokeKeys } from './api-keys.ts'
import { findAddressHolder } from './address-claims.ts'

type AccountAdminDeps = Pick<AccountDeps, 'db' | 'links' | 'signals' | 'publicUrl' | 'now'>

/** A requested link that sets a new password, with the language of mails to the person. */
type ResetRequest = { person: string; name: string; language: Language | null; url: string }

const resetForMs = dayMs
const mailedResetForMs = 60 * 60 * 1000
const invitedForDays = 7

const notOperator = (): Refusal => refuse('forbidden', 'Only operators of this server can do this.', 'Ask one of them.')
const noPerson = (): Refusal =>
  refuse('not_found', 'There is no person with this id.', 'Load the list of people again.')

/** Account management for operators: people, operator rights, reset links, invitations. */
export class AccountAdmin {
  readonly #deps: AccountAdminDeps

  constructor(deps: AccountAdminDeps) {
    this.#deps = deps
  }

  /** Whether a person is an operator of this server. */
  async isOperator(person: string): Promise<boolean> {
    const row = await this.#deps.db.selectFrom('people').select('operator').where('id', '=', person).executeTakeFirst()
    return row?.operator === 1
  }

  /** Everyone who has an account, by name. */
  async list(): Promise<AccountPerson[]> {
    const rows = await this.#people().orderBy('people.name').orderBy('people.id').execute()
    return rows.map(toPerson)
  }

  /**
   * Closes (with all sessions and keys) or reopens an account, grants or revokes operator rights, confirms an address.
   * Operators can't close their own account or give up their own rights, and the caller's rights are checked in the
   * transaction, so at least one operator always remains.
   */
  async change(by: string, person: string, wanted: PatchPerson): Promise<({ ok: true } & AccountPerson) | Refusal> {
    const { active, operator } = wanted
    if (person === by && (active === false || operator === false)) {
      return refuse('conflict', 'This is your own account.', 'Ask another operator to do that.')
    }
    const { db, signals } = this.#deps
    const refusal = await db.transaction().execute((trx) => this.#changeIn(trx, by, person, wanted))
    if (refusal) return refusal
    if (active === false) await this.#deps.links.revoke({ kind: 'reset', person })
    signals.publish({ kind: 'rights', person })
    const row = await this.#people().where('people.id', '=', person).executeTakeFirst()
    return row ? { ok: true, ...toPerson(row) } : noPerson()
  }

  async #changeIn(
    trx: Transaction<Tables>,
    by: string,
    person: string,
    { active, operator, confirmedEmail }: PatchPerson,
  ): Promise<Refusal | undefined> {
    // Two operators who revoke each other's rights concurrently would leave none, so both rows are locked; in sorted
    // order to prevent a deadlock.
    for (const id of [by, person].toSorted()) {
      const lock = trx.updateTable('people').set((eb) => ({ operator: eb.ref('operator') }))
      await lock.where('id', '=', id).execute()
    }
    const giver = trx.selectFrom('people').select('id').where('id', '=', by).where('operator', '=', 1)
    if (!(await giver.where('deactivated_at', 'is', null).executeTakeFirst())) return notOperator()
    const now = this.#deps.now()
    let update = trx
      .updateTable('people')
      .set({
        updated_at: now,
        ...(active === undefined ? {} : { deactivated_at: active ? null : now }),
        ...(operator === undefined ? {} : { operator: operator ? 1 : 0 }),
        ...(confirmedEmail === undefined ? {} : { email_verified: 1 }),
      })
      .where('id', '=', person)
      .where('email', 'is not', null)
    // The person may have changed their address since the operator loaded the list.
    if (confirmedEmail !== undefined) update = update.where('email', '=', confirmedEmail)
    const { numUpdatedRows } = await update.executeTakeFirst()
    if (numUpdatedRows === 0n && confirmedEmail !== undefined) {
      return refuse('conflict', 'They don’t have this address any more.', 'Load the list of people again.')
    }
    if (numUpdatedRows === 0n) return noPerson()
    if (active === false) {
      await trx.deleteFrom('auth_sessions').where('person', '=', person).execute()
      await revokeKeys(trx, person, { actor: by, at: now, how: 'account-closed' })
    }
    return undefined
  }

  /** Creates a link for setting a new password, valid for a day. Older reset links become invalid. */
  async startReset(by: string | undefined, person: string): Promise<({ ok: true } & ResetLink) | Refusal> {
    const row = await this.#people().where('people.id', '=', person).executeTakeFirst()
    if (!row?.email) return noPerson()
    if (row.deactivated_at !== null) return refuse('conflict', 'This account is closed.', 'Open it first.')
    const { links, publicUrl } = this.#deps
    await links.revoke({ kind: 'reset', person })
    const maker = by === undefined ? {} : { createdBy: by }
    const link = await links.create({ kind: 'reset', email: row.email, person, ...maker, forMs: resetForMs })
    return { ok: true, url: `${publicUrl}/reset#${link.token}`, expiresAt: timeOf(link.expiresAt) }
  }

  /**
   * Creates a link for setting a new password, valid for an hour, that is to be mailed to the account's address;
   * undefined if no open account has the address. Older links stay usable, since everyone can request a new one.
   */
  async requestReset(email: string): Promise<ResetRequest | undefined> {
    const row = await this.#people().where('people.email', '=', email).executeTakeFirst()
    if (!row || row.deactivated_at !== null) return undefined
    const { links, publicUrl } = this.#deps
    const { token } = await links.create({ kind: 'reset', email, person: row.id, forMs: mailedResetForMs })
    return { person: row.id, name: row.name, language: row.language, url: `${publicUrl}/reset#${token}` }
  }

  /** Invitations that are still usable, newest first. */
  async invitations(): Promise<Invitation[]> {
    return (await this.#deps.links.listUsable('invitation')).map((link) => ({
      id: link.id,
      email: link.email,
      createdBy: link.maker ?? '',
      createdAt: timeOf(link.created_at),
      expiresAt: timeOf(link.expires_at),
    }))
  }

  /** Creates a link with which one person can create an account. */
  async invite(
    by: { id: string; name: string },
    { email, days = invitedForDays }: CreateInvitation,
  ): Promise<({ ok: true } & Omit<CreatedInvitation, 'mailed'>) | Refusal> {
    const { db, links, publicUrl } = this.#deps
    if (email !== undefined) {
      const known = await findAddressHolder(db, email)
      // If an account has the address unconfirmed, it loses the address when the invitation is used.
      if (known?.isConfirmed) {
        return refuse('conflict', localizable`${known.name} has an account with this address.`, 'They can sign in.')
      }
    }
    const link = await links.create({ kind: 'invitation', email, createdBy: by.id, forMs: days * dayMs })
    return {
      ok: true,
      id: link.id,
      email: email ?? null,
      createdBy: by.name,
      createdAt: timeOf(link.createdAt),
      expiresAt: timeOf(link.expiresAt),
      url: `${publicUrl}/join#${link.token}`,
    }
  }

  /** Revokes an invitation. Returns whether it was still usable. */
  revokeInvitation(id: string): Promise<boolean> {
    return this.#deps.links.revoke({ kind: 'invitation', id })
  }

  #people() {
    return this.#deps.db
      .selectFrom('people')
      .select((eb) => [
        ...([
          'id',
          'name',
          'color',
          'email',
          'email_verified',
          'operator',
          'created_at',
          'deactivated_at',
          'language',
        ] as const),
        eb
          .selectFrom('auth_sessions')
          .select((inner) => inner.fn.max('auth_sessions.updated_at').as('at'))
          .whereRef('auth_sessions.person', '=', 'people.id')
          .as('seen_at'),
      ])
      .where('people.email', 'is not', null)
  }
}

type PersonRow = {
  id: string
  name: string
  color: string
  email: string | null
  email_verified: number
  operator: number
  created_at: number
  deactivated_at: number | null
  seen_at: number | null
}

function toPerson(row: PersonRow): AccountPerson {
  return {
    user: { id: row.id, name: row.name, color: row.color },
    email: row.email,
    confirmed: row.email_verified === 1,
    operator: row.operator === 1,
    active: row.deactivated_at === null,
    createdAt: timeOf(row.created_at),
    lastSeenAt: row.seen_at === null ? null : timeOf(row.seen_at),
  }
}

function timeOf(milliseconds: number | null): string {
  return new Date(Number(milliseconds)).toISOString()
}
