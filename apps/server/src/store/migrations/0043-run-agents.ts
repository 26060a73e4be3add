import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which agent executes a run, with which model, and what its tokens cost. */
export const runAgents: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('runs').addColumn('agent', 'text').execute()
    await db.schema.alterTable('runs').addColumn('model', 'text').execute()
    await db.schema.alterTable('runs').addColumn('cost', 'bigint').execute()
  },
}
