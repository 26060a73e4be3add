import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { AuthLinkRow, Tables } from '../../store/tables.ts'

/** The purpose of a link: creating the first account, creating an account, or setting a new password. */
export type AuthLinkKind = AuthLinkRow['kind']

/** A new link; the token is never returned again. `expiresAt` is milliseconds since 1970, null for never. */
export type NewAuthLink = { id: string; token: string; createdAt: number; expiresAt: number | null }

type Wanted = {
  kind: AuthLinkKind
  email?: string | undefined
  person?: string
  createdBy?: string
  /** Lifetime in milliseconds; without it the link does not expire. */
  forMs?: number
}

/**
 * Single-use links. A token is `<id>.<secret>`; only the secret's hash is stored, and compared in constant time. For
 * 256 random bits a plain hash is enough.
 */
export class AuthLinks {
  readonly #db: Kysely<Tables>
  readonly #now: () => number

  constructor({ db, now }: { db: Kysely<Tables>; now: () => number }) {
    this.#db = db
    this.#now = now
  }

  async create({ kind, email, person, createdBy, forMs }: Wanted): Promise<NewAuthLink> {
    const id = randomBytes(12).toString('base64url')
    const secret = randomBytes(32).toString('base64url')
    const createdAt = this.#now()
    const expiresAt = forMs === undefined ? null : createdAt + forMs
    await this.#db
      .insertInto('auth_links')
      .values({
        id,
        kind,
        token_hash: hash(secret).toString('base64url'),
        email: email ?? null,
        person: person ?? null,
        created_by: createdBy ?? null,
        created_at: createdAt,
        expires_at: expiresAt,
        used_at: null,
        used_by: null,
        revoked_at: null,
      })
      .execute()
    return { id, token: `${id}.${secret}`, createdAt, expiresAt }
  }

  /** The link of a token, if it is still usable. */
  async find(token: string): Promise<AuthLinkRow | undefined> {
    const [id = '', secret = ''] = token.split('.')
    const row = await this.#usable().where('id', '=', id).executeTakeFirst()
    // Takes the same time whether the link exists or not.
    const stored = row ? Buffer.from(row.token_hash, 'base64url') : hash('')
    return timingSafeEqual(hash(secret), stored) ? row : undefined
  }

  /** The newest usable link of a kind for an address. */
  async findFor(kind: AuthLinkKind, email: string): Promise<AuthLinkRow | undefined> {
    const rows = this.#usable().where('kind', '=', kind).where('email', '=', email)
    return rows.orderBy('created_at', 'desc').limit(1).executeTakeFirst()
  }

  /** Usable links of a kind with their creators, newest first; at most 500. */
  async listUsable(kind: AuthLinkKind): Promise<(AuthLinkRow & { maker: string | null })[]> {
    return this.#usable()
      .where('kind', '=', kind)
      .leftJoin('people', 'people.id', 'auth_links.created_by')
      .select('people.name as maker')
      .orderBy('auth_links.created_at', 'desc')
      .limit(500)
      .execute()
  }

  /** Consumes a link, in the transaction of the action that it permits. False if it was already used or revoked. */
  async use(trx: Transaction<Tables> | Kysely<Tables>, id: string, person: string | null): Promise<boolean> {
    const { numUpdatedRows } = await trx
      .updateTable('auth_links')
      .set({ used_at: this.#now(), used_by: person })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  /** Revokes unused links: one, or all of a kind (of a person). Returns whether any was revoked. */
  async revoke(which: { kind: AuthLinkKind; id?: string; person?: string }): Promise<boolean> {
    let query = this.#db
      .updateTable('auth_links')
      .set({ revoked_at: this.#now() })
      .where('kind', '=', which.kind)
      .where('used_at', 'is', null)
      .where('revoked_at', 'is', null)
    if (which.id !== undefined) query = query.where('id', '=', which.id)
    if (which.person !== undefined) query = query.where('person', '=', which.person)
    return (await query.executeTakeFirst()).numUpdatedRows > 0n
  }

  #usable() {
    return this.#db
      .selectFrom('auth_links')
      .selectAll('auth_links')
      .where('auth_links.used_at', 'is', null)
      .where('auth_links.revoked_at', 'is', null)
      .where((eb) => eb.or([eb('auth_links.expires_at', 'is', null), eb('auth_links.expires_at', '>', this.#now())]))
  }
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
