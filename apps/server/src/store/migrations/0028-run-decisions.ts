import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Rows of a content log with which a run decided on suggested changes, so that undo of the run takes them back. */
export const runDecisions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('run_decisions')
      .addColumn('name', 'text', (c) => c.notNull().references('logs.name'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('run', 'text', (c) => c.notNull().references('runs.id'))
      .addPrimaryKeyConstraint('run_decisions_key', ['name', 'seq'])
      .execute()
    await db.schema.createIndex('run_decisions_by_run').on('run_decisions').columns(['run', 'name', 'seq']).execute()
  },
}
