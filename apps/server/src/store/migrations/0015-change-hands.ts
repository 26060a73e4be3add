import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who has written into suggested changes of others. */
export const changeHands: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('change_hands')
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('change', 'text', (c) => c.notNull())
      .addColumn('writer', 'text', (c) => c.notNull())
      .addColumn('author_id', 'text', (c) => c.notNull())
      .addColumn('author_name', 'text', (c) => c.notNull())
      .addColumn('author_kind', 'text', (c) => c.notNull())
      .addColumn('run', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('change_hands_key', ['document', 'change', 'writer'])
      .execute()
  },
}
