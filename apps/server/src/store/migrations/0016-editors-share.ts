import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether the owners of a document let its editors share it; they do unless they say otherwise. */
export const editorsShare: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('documents')
      .addColumn('editors_share', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
}
