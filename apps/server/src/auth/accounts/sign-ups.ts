import type { OpenedLink, SignUp } from '@copydesk/protocol'
import { localizable } from '@copydesk/tools/localizable'
import type { Kysely, Transaction } from 'kysely'
import type { AccountDeps } from './account-deps.ts'
import { refuse, type Refusal } from '../../common/errors.ts'
import type { AuthLinkRow, Tables } from '../../store/tables.ts'
import { findAddressHolder, releaseUnconfirmed } from './address-claims.ts'
import { revokeKeys } from './api-keys.ts'
import { checkPassword } from './passwords.ts'

type Done = { ok: true; email: string }

const noLink = (): Refusal =>
  refuse('not_found', 'This link is no longer valid.', 'Ask the person who gave it to you for a new one.')

/** Creating accounts and resetting passwords by links. */
export class SignUps {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /** Whether the server has no operator yet. */
  async needsSetUp(): Promise<boolean> {
    return !(await hasOperator(this.#deps.db))
  }

  /** Creates a new set-up link and returns its token, undefined if there is an operator. Older links become invalid. */
  async startSetUp(): Promise<string | undefined> {
    if (!(await this.needsSetUp())) return undefined
    await this.#deps.links.revoke({ kind: 'set-up' })
    return (await this.#deps.links.create({ kind: 'set-up' })).token
  }

  /** The kind of a link, and its address if it has one. */
  async look(token: string): Promise<({ ok: true } & OpenedLink) | Refusal> {
    const link = await this.#find(token)
    if (!link) return noLink()
    return { ok: true, kind: link.kind, ...(link.email === null ? {} : { email: link.email }) }
  }

  /** Creates an account with a set-up or invitation link, and consumes the link. */
  async signUp({ token, name, email, password }: SignUp): Promise<Done | Refusal> {
    const link = await this.#find(token)
    if (!link || link.kind === 'reset') return noLink()
    if (link.email !== null && link.email !== email) {
      return refuse(
        'forbidden',
        localizable`This invitation is for ${link.email}.`,
        'Use that address, or ask for another invitation.',
      )
    }
    const weak = checkPassword(password, { email, name })
    if (weak) return weak
    const { db, library, people, createId } = this.#deps
    const [context, color] = await Promise.all([library.$context, people.nextColor()])
    // Hashed before the transaction, which would otherwise stay open meanwhile.
    const hash = await context.password.hash(password)
    const person = createId()
    const isConfirmed = link.kind === 'set-up' || link.email !== null
    let displaced: string | undefined
    const outcome = await db.transaction().execute(async (trx): Promise<Done | Refusal> => {
      if (link.kind === 'set-up' && (await hasOperator(trx))) return noLink()
      const holder = await findAddressHolder(trx, email)
      if (holder && (holder.isConfirmed || !isConfirmed)) {
        return refuse('conflict', 'There is already an account with this address.', 'Sign in with it.')
      }
      if (!(await this.#deps.links.use(trx, link.id, person))) return noLink()
      // An account with the unconfirmed address does not block the person whom an operator invited by it.
      if (holder && (await releaseUnconfirmed(trx, holder.id, this.#deps.now()))) displaced = holder.id
      await this.#insert(trx, { id: person, name, color, email, isConfirmed, isOperator: link.kind === 'set-up' })
      await this.#setPassword(trx, person, hash)
      return { ok: true, email }
    })
    if (displaced !== undefined) this.#deps.signals.publish({ kind: 'rights', person: displaced })
    return outcome
  }

  /** Sets a new password with a reset link, and ends that person's sessions, keys and other reset links. */
  async resetPassword(token: string, password: string): Promise<Done | Refusal> {
    const link = await this.#find(token)
    if (link?.kind !== 'reset' || link.person === null || link.email === null) return noLink()
    const { person, email } = link
    const weak = checkPassword(password, { email })
    if (weak) return weak
    const hash = await (await this.#deps.library.$context).password.hash(password)
    const isDone = await this.#deps.db.transaction().execute(async (trx) => {
      if (!(await this.#deps.links.use(trx, link.id, person))) return false
      await this.#setPassword(trx, person, hash)
      await trx.deleteFrom('auth_sessions').where('person', '=', person).execute()
      await revokeKeys(trx, person, { actor: person, at: this.#deps.now(), how: 'password-reset' })
      return true
    })
    if (!isDone) return noLink()
    await this.#deps.links.revoke({ kind: 'reset', person })
    this.#deps.signals.publish({ kind: 'rights', person })
    const current = await this.#deps.db.selectFrom('people').select('email').where('id', '=', person).executeTakeFirst()
    return { ok: true, email: current?.email ?? email }
  }

  async #find(token: string): Promise<AuthLinkRow | undefined> {
    const link = await this.#deps.links.find(token)
    return link?.kind === 'set-up' && !(await this.needsSetUp()) ? undefined : link
  }

  async #insert(trx: Transaction<Tables>, person: NewPerson): Promise<void> {
    const { id, name, color, email } = person
    const now = this.#deps.now()
    await trx
      .insertInto('people')
      .values({
        id,
        name,
        color,
        email,
        email_verified: person.isConfirmed ? 1 : 0,
        operator: person.isOperator ? 1 : 0,
        created_at: now,
        updated_at: now,
      })
      .execute()
  }

  async #setPassword(trx: Transaction<Tables>, person: string, password: string): Promise<void> {
    const now = this.#deps.now()
    const changed = await trx
      .updateTable('auth_accounts')
      .set({ password, updated_at: now })
      .where('person', '=', person)
      .where('provider', '=', 'credential')
      .executeTakeFirst()
    if (changed.numUpdatedRows > 0n) return
    const id = this.#deps.createId()
    await trx
      .insertInto('auth_accounts')
      .values({
        ...noTokens,
        id,
        person,
        provider: 'credential',
        account: person,
        password,
        created_at: now,
        updated_at: now,
      })
      .execute()
  }
}

type NewPerson = {
  id: string
  name: string
  color: string
  email: string
  isConfirmed: boolean
  isOperator: boolean
}

const noTokens = {
  access_token: null,
  refresh_token: null,
  id_token: null,
  scope: null,
  access_token_expires_at: null,
  refresh_token_expires_at: null,
}

async function hasOperator(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('people').select('id').where('operator', '=', 1).limit(1).executeTakeFirst()
  return row !== undefined
}
