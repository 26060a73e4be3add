import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The wording that a comment proposes for the text of its thread, and the suggested change that was made of it. */
export const proposedWording: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('comments').addColumn('replacement', 'text').execute()
    await db.schema.alterTable('comments').addColumn('suggested', 'text').execute()
  },
}
