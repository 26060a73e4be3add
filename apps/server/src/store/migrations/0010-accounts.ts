import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Accounts: the four tables of the authentication library and its columns of `people` (a test compares them to what it
 * requires), and the links that work once.
 */
export const accounts: Migration = {
  async up(db: Kysely<unknown>) {
    await extendPeople(db)
    await createSessions(db)
    await createApiKeys(db)
    await db.schema
      .createTable('auth_links')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('token_hash', 'text', (c) => c.notNull())
      .addColumn('email', 'text')
      .addColumn('person', 'text', (c) => c.references('people.id'))
      .addColumn('created_by', 'text', (c) => c.references('people.id'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('used_at', 'bigint')
      .addColumn('used_by', 'text')
      .addColumn('revoked_at', 'bigint')
      .execute()
    await db.schema.createIndex('auth_links_by_kind').on('auth_links').columns(['kind', 'created_at']).execute()
  },
}

async function extendPeople(db: Kysely<unknown>): Promise<void> {
  const add = (name: string) => db.schema.alterTable('people').addColumn(name, 'text').execute()
  await add('email')
  await add('image')
  for (const flag of ['email_verified', 'operator'] as const) {
    await db.schema
      .alterTable('people')
      .addColumn(flag, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }
  for (const time of ['updated_at', 'deactivated_at'] as const) {
    await db.schema.alterTable('people').addColumn(time, 'bigint').execute()
  }
  await db.schema.createIndex('people_by_email').on('people').column('email').unique().execute()
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await withTimes(db.schema.createTable('auth_sessions'))
    .addColumn('person', 'text', (c) => c.notNull().references('people.id').onDelete('cascade'))
    .addColumn('token', 'text', (c) => c.notNull().unique())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('address', 'text')
    .addColumn('user_agent', 'text')
    .execute()
  await db.schema.createIndex('auth_sessions_by_person').on('auth_sessions').column('person').execute()
  await withTimes(db.schema.createTable('auth_accounts'))
    .addColumn('person', 'text', (c) => c.notNull().references('people.id').onDelete('cascade'))
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('account', 'text', (c) => c.notNull())
    .addColumn('password', 'text')
    .addColumn('access_token', 'text')
    .addColumn('refresh_token', 'text')
    .addColumn('id_token', 'text')
    .addColumn('scope', 'text')
    .addColumn('access_token_expires_at', 'bigint')
    .addColumn('refresh_token_expires_at', 'bigint')
    .addUniqueConstraint('auth_accounts_once', ['provider', 'account'])
    .execute()
  await db.schema.createIndex('auth_accounts_by_person').on('auth_accounts').column('person').execute()
  await withTimes(db.schema.createTable('auth_verifications'))
    .addColumn('identifier', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('auth_verifications_by_identifier')
    .on('auth_verifications')
    .column('identifier')
    .execute()
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await withTimes(db.schema.createTable('api_keys'))
    .addColumn('config', 'text', (c) => c.notNull())
    .addColumn('person', 'text', (c) => c.notNull().references('people.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('prefix', 'text')
    .addColumn('start', 'text')
    .addColumn('key', 'text', (c) => c.notNull().unique())
    .addColumn('permissions', 'text')
    .addColumn('metadata', 'text')
    .addColumn('enabled', 'integer')
    .addColumn('expires_at', 'bigint')
    .addColumn('last_request', 'bigint')
    .addColumn('request_count', 'integer')
    .addColumn('remaining', 'integer')
    .addColumn('refill_interval', 'bigint')
    .addColumn('refill_amount', 'integer')
    .addColumn('last_refill_at', 'bigint')
    .addColumn('rate_limit_enabled', 'integer')
    .addColumn('rate_limit_time_window', 'bigint')
    .addColumn('rate_limit_max', 'integer')
    .execute()
  await db.schema.createIndex('api_keys_by_person').on('api_keys').column('person').execute()
}

function withTimes(table: CreateTableBuilder<string>) {
  return table
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
}
