import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Details of a step for display: the answer that made the call, the text before it, what it read or why it failed. */
export const stepDetails: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('run_steps').addColumn('round', 'integer').execute()
    await db.schema.alterTable('run_steps').addColumn('said', 'text').execute()
    await db.schema.alterTable('run_steps').addColumn('detail', 'text').execute()
  },
}
