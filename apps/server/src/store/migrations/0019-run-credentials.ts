import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * With what a run was started (the API key, and the most that its caller could do there then), with which key a comment
 * was written, and the text around a mention that is not its sender's.
 */
export const runCredentials: Migration = {
  async up(db: Kysely<unknown>) {
    // Runs from before were started by people: what they may do follows from their roles alone.
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
