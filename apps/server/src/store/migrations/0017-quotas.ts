import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Storage use of images and logs, and what each account adds per day. */
export const quotas: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('images')
      .addColumn('document', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('account', 'text', (c) => c.notNull())
      .addColumn('stored_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('images_key', ['document', 'name'])
      .execute()
    await db.schema
      .createTable('image_usage')
      .addColumn('subject', 'text', (c) => c.primaryKey())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('log_usage')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('log_days')
      .addColumn('account', 'text', (c) => c.notNull())
      .addColumn('day', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('log_days_key', ['account', 'day'])
      .execute()
    await db.schema.createIndex('documents_by_creator').on('documents').column('created_by').execute()
  },
}
