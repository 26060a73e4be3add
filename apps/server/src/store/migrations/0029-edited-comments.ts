import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the author of a comment last changed its text. */
export const editedComments: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('comments').addColumn('edited_at', 'bigint').execute()
  },
}
