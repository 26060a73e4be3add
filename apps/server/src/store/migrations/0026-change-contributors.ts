import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Renames the table of contributors to suggested changes after its content. */
export const changeContributors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('change_hands').renameTo('change_contributors').execute()
  },
}
