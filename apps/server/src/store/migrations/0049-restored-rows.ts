import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Rows that restored a version: the row of that version, and which ids came back under others. */
export const restoredRows: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('restored_rows')
      .addColumn('name', 'text', (c) => c.notNull().references('logs.name'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('copies', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('restored_rows_key', ['name', 'seq'])
      .execute()
  },
}
