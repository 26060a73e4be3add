import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What each step of a run changed, and which of these changes were undone and redone. */
export const undo: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('runs')
      .addColumn('undone', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('run_steps').addColumn('last_seq', 'bigint').execute()
    await db.schema
      .alterTable('run_steps')
      .addColumn('changed', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('run_steps')
      .addColumn('undone', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('run_steps').addColumn('blocks', 'text').execute()
    await db.schema
      .createTable('run_undos')
      .addColumn('name', 'text', (c) => c.notNull().references('logs.name'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('run', 'text', (c) => c.notNull().references('runs.id'))
      .addColumn('step', 'text')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('copies', 'text', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('run_undos_key', ['name', 'seq'])
      .execute()
    await db.schema
      .createIndex('document_updates_by_run')
      .on('document_updates')
      .columns(['run', 'name', 'seq'])
      .where('run', 'is not', null)
      .execute()
  },
}
