import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How often a run was claimed without making progress: a run that ends every worker that claims it must end too. */
export const idleClaims: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('runs')
      .addColumn('idle_claims', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
