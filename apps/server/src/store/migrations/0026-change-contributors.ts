import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Names the table of who else has written in a suggested change after what it holds. */
export const changeContributors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('change_hands').renameTo('change_contributors').execute()
  },
}
