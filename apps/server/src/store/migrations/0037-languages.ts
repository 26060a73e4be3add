import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What interfaces translate the summary of a step by, null for steps of earlier versions; and the language of a
 * person's mails, null until it is known.
 */
export const languages: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('run_steps').addColumn('localizable', 'text').execute()
    await db.schema.alterTable('people').addColumn('language', 'text').execute()
  },
}
