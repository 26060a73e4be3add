import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Rows of a content log with the beginning of a call that was never made, because its worker died while the model wrote
 * it.
 */
export const cutRows: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('cut_rows')
      .addColumn('name', 'text', (c) => c.notNull().references('logs.name'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('run', 'text', (c) => c.notNull().references('runs.id'))
      .addPrimaryKeyConstraint('cut_rows_key', ['name', 'seq'])
      .execute()
  },
}
