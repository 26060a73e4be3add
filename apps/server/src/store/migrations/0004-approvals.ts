import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Calls that wait for a person's approval, run time that outlives a worker, and runs that continue after their limit.
 */
export const approvals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('run_steps').addColumn('proposal', 'text').execute()
    await db.schema.alterTable('run_steps').addColumn('approval', 'text').execute()
    await db.schema.alterTable('run_steps').addColumn('approved_arguments', 'text').execute()
    await db.schema
      .alterTable('runs')
      .addColumn('used_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('runs')
      .addColumn('continued', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
