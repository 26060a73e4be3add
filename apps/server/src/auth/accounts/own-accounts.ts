import type { Account, ChangePassword, PatchAccount, User } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import type { AccountDeps } from './account-deps.ts'
import { refuse, type Refusal } from '../../common/errors.ts'
import type { Tables } from '../../store/tables.ts'
import { revokeKeys } from './api-keys.ts'
import { oidcProvider } from '../library/oidc.ts'
import { checkPassword } from './passwords.ts'

const wrongPassword = (): Refusal =>
  refuse('forbidden', 'That is not your current password.', 'Type it again, or ask an operator for a new one.')

/** A user's management of their own account. */
export class OwnAccounts {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /** The current state of a person's account. */
  async find(person: string): Promise<Account> {
    const row = await this.#deps.db
      .selectFrom('people')
      .select(['id', 'name', 'color', 'email', 'operator', 'mails', 'language'])
      .where('id', '=', person)
      .executeTakeFirstOrThrow()
    const methods = await this.#signInMethods(person)
    const user: User = { id: row.id, name: row.name, color: row.color }
    return {
      user,
      email: row.email ?? '',
      operator: row.operator === 1,
      hasPassword: methods.some(({ password }) => password !== null),
      connected: methods.some(({ provider }) => provider === oidcProvider),
      mails: row.mails === 1,
      language: row.language,
    }
  }

  /**
   * Changes name, address, and whether and in which language notifications are mailed. A new address is unconfirmed: it
   * neither allows OIDC sign-in nor gives access to documents shared with it.
   */
  async change(
    person: string,
    { name, email, password, mails, language }: PatchAccount,
  ): Promise<{ ok: true } | Refusal> {
    const { db, now, signals } = this.#deps
    const present = await this.find(person)
    const isNewEmail = email !== undefined && email !== present.email
    if (isNewEmail && !(await this.#isPassword(person, password))) return wrongPassword()
    // Prevents another account from taking the address between the check and the update.
    const isDone = await db.transaction().execute(async (trx) => {
      if (isNewEmail && (await isTaken(trx, email, person))) return false
      await trx
        .updateTable('people')
        .set({
          updated_at: now(),
          ...(name === undefined ? {} : { name }),
          ...(mails === undefined ? {} : { mails: mails ? 1 : 0 }),
          ...(language === undefined ? {} : { language }),
          ...(isNewEmail ? { email, email_verified: 0 } : {}),
        })
        .where('id', '=', person)
        .execute()
      return true
    })
    if (!isDone) return refuse('conflict', 'That address can’t be used.', 'Give another one.')
    signals.publish({ kind: 'rights', person })
    return { ok: true }
  }

  /** Sets a new password, and revokes all keys unless `keepKeys`. The caller ends the other sessions. */
  async changePassword(
    person: string,
    { current, password, keepKeys = false }: ChangePassword,
  ): Promise<{ ok: true } | Refusal> {
    const { email, user } = await this.find(person)
    if (!(await this.#isPassword(person, current))) return wrongPassword()
    const weak = checkPassword(password, { email, name: user.name })
    if (weak) return weak
    const { db, library, now, signals } = this.#deps
    const context = await library.$context
    const hash = await context.password.hash(password)
    if (!keepKeys) {
      // Before the password change: if a later step fails, keys created with the old password are revoked nevertheless.
      await db
        .transaction()
        .execute((trx) => revokeKeys(trx, person, { actor: person, at: now(), how: 'password-changed' }))
      signals.publish({ kind: 'rights', person })
    }
    const known = (await this.#signInMethods(person)).find(({ provider }) => provider === 'credential')
    if (known) await context.internalAdapter.updateAccount(known.id, { password: hash })
    else {
      const account = { userId: person, providerId: 'credential', accountId: person }
      await context.internalAdapter.linkAccount(account)
      await context.internalAdapter.updatePassword(person, hash)
    }
    return { ok: true }
  }

  /** Disconnects the OIDC account, if the person has a password to sign in with. */
  async disconnect(person: string): Promise<{ ok: true } | Refusal> {
    const { hasPassword } = await this.find(person)
    if (!hasPassword) return refuse('conflict', 'You would no longer be able to sign in.', 'Set a password first.')
    await this.#deps.db
      .deleteFrom('auth_accounts')
      .where('person', '=', person)
      .where('provider', '=', oidcProvider)
      .execute()
    return { ok: true }
  }

  /** Whether this is the person's password; true for people without one. */
  async #isPassword(person: string, password: string | undefined): Promise<boolean> {
    const hash = (await this.#signInMethods(person)).find((method) => method.password !== null)?.password
    if (!hash) return true
    if (password === undefined) return false
    return (await this.#deps.library.$context).password.verify({ hash, password })
  }

  #signInMethods(person: string) {
    const methods = this.#deps.db.selectFrom('auth_accounts').select(['id', 'provider', 'password'])
    return methods.where('person', '=', person).execute()
  }
}

async function isTaken(db: Kysely<Tables>, email: string, person: string): Promise<boolean> {
  const others = db.selectFrom('people').select('id').where('email', '=', email).where('id', '<>', person)
  return (await others.executeTakeFirst()) !== undefined
}
