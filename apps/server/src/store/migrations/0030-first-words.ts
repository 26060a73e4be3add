import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The first words of a document's text, and whether it was created empty and never written in. */
export const firstWords: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('documents')
      .addColumn('first_words', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable('documents')
      .addColumn('untouched', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
