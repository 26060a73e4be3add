import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Mentions that were sent but never start a run. */
export const unstartedMentions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('unstarted_mentions')
      .addColumn('document', 'text', (c) => c.notNull())
      .addColumn('request_id', 'text', (c) => c.notNull())
      .addColumn('sender', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('shown', 'integer', (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('unstarted_mentions_key', ['document', 'request_id'])
      .execute()
    await db.schema
      .createIndex('unstarted_mentions_by_shown')
      .on('unstarted_mentions')
      .columns(['shown', 'document'])
      .execute()
  },
}
