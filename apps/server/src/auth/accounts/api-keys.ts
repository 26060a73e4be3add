import { defaultKeyHasher } from '@better-auth/api-key'
import { type ApiKey, type CreatedKey, type CreateKey, KeyScope } from '@copydesk/protocol'
import { localizable } from '@copydesk/tools/localizable'
import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import type { AccountDeps } from './account-deps.ts'
import { recordAuditEvent } from '../../audit/audit.ts'
import { refuse, type Refusal } from '../../common/errors.ts'
import type { Tables } from '../../store/tables.ts'
import { keyPrefix } from '../library/auth-library.ts'
import type { Caller } from '../callers.ts'

const keysAtMost = 50
const noteEveryMs = 60_000
const day = 24 * 60 * 60

const Permissions = z.object({ documents: z.tuple([KeyScope]) })

/** API keys with which programs act for their owners. The library creates and hashes them; only the hash is stored. */
export class ApiKeys {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /** The owner of a key and its access limit; undefined if the key is invalid or the owner's account is closed. */
  async identify(key: string): Promise<Extract<Caller, { kind: 'person' }> | undefined> {
    if (!key.startsWith(keyPrefix)) return undefined
    const { db, people, now } = this.#deps
    const hash = await defaultKeyHasher(key)
    const row = await db
      .selectFrom('api_keys')
      .innerJoin('people', 'people.id', 'api_keys.person')
      .select([
        'api_keys.id',
        'api_keys.person',
        'api_keys.permissions',
        'api_keys.expires_at',
        'api_keys.last_request',
      ])
      .where('api_keys.key', '=', hash)
      .where('api_keys.enabled', '=', 1)
      .where('people.deactivated_at', 'is', null)
      .executeTakeFirst()
    if (!row || (row.expires_at !== null && row.expires_at <= now())) return undefined
    const user = await people.find(row.person)
    // Writing on each request would cost more than the request itself. The write is not awaited; if it fails, a later
    // request writes it.
    if (now() - (row.last_request ?? 0) > noteEveryMs) {
      const noting = db.updateTable('api_keys').set({ last_request: now() }).where('id', '=', row.id).execute()
      noting.catch(() => undefined)
    }
    return user && { kind: 'person', user, limit: scopeOf(row), apiKey: row.id }
  }

  /** A person's unexpired keys, newest first. */
  async list(person: string): Promise<ApiKey[]> {
    const rows = await this.#deps.db
      .selectFrom('api_keys')
      .selectAll()
      .where('person', '=', person)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', this.#deps.now())]))
      .orderBy('created_at', 'desc')
      .execute()
    return rows.map(toKey)
  }

  /** Creates a key. The key itself is never returned again. */
  async create(person: string, { name, scope, days }: CreateKey): Promise<({ ok: true } & CreatedKey) | Refusal> {
    const { db, library } = this.#deps
    if ((await this.list(person)).length >= keysAtMost) {
      return refuse(
        'conflict',
        localizable`You have ${keysAtMost} keys, the maximum.`,
        'Revoke one that is no longer used.',
      )
    }
    const body = { name, userId: person, permissions: { documents: [scope] } }
    const created = await library.api.createApiKey({
      body: days === undefined ? body : { ...body, expiresIn: days * day },
    })
    const row = await db.selectFrom('api_keys').selectAll().where('id', '=', created.id).executeTakeFirstOrThrow()
    // Causes the expiry watch to compute the next expiry again.
    if (days !== undefined) this.#deps.signals.publish({ kind: 'rights', person })
    return { ok: true, ...toKey(row), key: created.key }
  }

  /** Revokes a key permanently, with immediate effect. Returns whether the person had it. */
  async revoke(person: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#deps.db
      .deleteFrom('api_keys')
      .where('person', '=', person)
      .where('id', '=', id)
      .executeTakeFirst()
    this.#deps.signals.publish({ kind: 'rights', person })
    return numDeletedRows > 0n
  }
}

/**
 * Revokes all keys of a person permanently, together with the event that ends their sessions: an attacker who knew the
 * old password may have created keys with it. `actor` and the cause, `how`, are recorded in the audit log for each key.
 * The caller publishes `rights` after the transaction.
 */
export async function revokeKeys(
  trx: Transaction<Tables>,
  person: string,
  { actor, at, how }: { actor: string; at: number; how: 'password-changed' | 'password-reset' | 'account-closed' },
): Promise<void> {
  const keys = await trx.deleteFrom('api_keys').where('person', '=', person).returning('id').execute()
  for (const { id } of keys) {
    await recordAuditEvent(trx, { at, actor, action: 'key-revoked', target: id, details: { how } })
  }
}

function toKey(row: Selectable<Tables['api_keys']>): ApiKey {
  const time = (value: number | null) => (value === null ? null : new Date(value).toISOString())
  return {
    id: row.id,
    name: row.name ?? '',
    scope: scopeOf(row),
    start: row.start ?? keyPrefix,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: time(row.expires_at),
    lastUsedAt: time(row.last_request),
  }
}

/** An unreadable scope counts as `read`, the lowest. */
function scopeOf({ permissions }: { permissions: string | null }): KeyScope {
  try {
    return Permissions.parse(JSON.parse(permissions ?? '')).documents[0]
  } catch {
    return 'read'
  }
}
