import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How many steps Yjs takes to integrate the items of a snapshot, see `TrialIntegration`. */
export const snapshotSteps: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('document_snapshots')
      .addColumn('steps', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
