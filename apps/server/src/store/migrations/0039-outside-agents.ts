import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Runs of agents that other programs bring: the name under which such an agent works, and the calls that it makes. */
export const outsideAgents: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('runs').addColumn('agent_name', 'text').execute()
    await db.schema
      .createTable('run_calls')
      .addColumn('run', 'text', (c) => c.notNull().references('runs.id'))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('tool', 'text', (c) => c.notNull())
      .addColumn('arguments', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('run_calls_key', ['run', 'position'])
      .execute()
    await db.schema.createIndex('run_calls_by_id').on('run_calls').column('id').execute()
  },
}
