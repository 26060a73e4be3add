import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * How a run was started (the API key, and the access of its caller at that time), the API key with which a comment was
 * written, and the text around a mention that its sender did not write.
 */
export const runCredentials: Migration = {
  async up(db: Kysely<unknown>) {
    // Earlier runs were started by people: their access follows from the roles alone.
    await db.schema
      .alterTable('runs')
      .addColumn('access_limit', 'text', (c) => c.notNull().defaultTo('write'))
      .execute()
    await db.schema.alterTable('runs').addColumn('api_key', 'text').execute()
    await db.schema.alterTable('runs').addColumn('context', 'text').execute()
    await db.schema.alterTable('comments').addColumn('api_key', 'text').execute()
    await db.schema.createIndex('api_keys_by_expiry').on('api_keys').column('expires_at').execute()
  },
}
