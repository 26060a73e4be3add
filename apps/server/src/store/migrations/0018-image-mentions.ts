import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Where logs mention stored images, as far as they have been scanned. */
export const imageMentions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('image_mentions')
      .addColumn('log', 'text', (c) => c.notNull())
      .addColumn('client', 'bigint', (c) => c.notNull())
      .addColumn('clock', 'bigint', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('length', 'bigint', (c) => c.notNull())
      .addColumn('added_seq', 'bigint', (c) => c.notNull())
      .addColumn('by_run', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('removed_seq', 'bigint')
      .addColumn('removed_at', 'bigint')
      .addPrimaryKeyConstraint('image_mentions_key', ['log', 'client', 'clock', 'name'])
      .execute()
    await db.schema.createIndex('image_mentions_by_name').on('image_mentions').column('name').execute()
    await db.schema
      .createTable('image_scans')
      .addColumn('log', 'text', (c) => c.primaryKey())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .execute()
  },
}
