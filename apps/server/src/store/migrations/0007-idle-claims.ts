import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How often a run was taken up without getting any further: one that ends every worker that takes it must end too. */
export const idleClaims: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('runs')
      .addColumn('idle_claims', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
