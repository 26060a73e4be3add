import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether the editors of a document may share it; true unless its owners decide otherwise. */
export const editorsShare: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('documents')
      .addColumn('editors_share', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
}
