import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the author of a comment last changed its text, and who reacted to it with which emoji, as JSON. */
export const commentEdits: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('comments').addColumn('edited_at', 'bigint').execute()
    await db.schema.alterTable('comments').addColumn('reactions', 'text').execute()
  },
}
