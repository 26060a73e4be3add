import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What calls of runs would change in files of the project, and what was written of it. */
export const fileProposals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('file_proposals')
      .addColumn('run', 'text', (c) => c.notNull().references('runs.id'))
      .addColumn('call', 'text', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('base', 'text')
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('written', 'text')
      .addPrimaryKeyConstraint('file_proposals_key', ['run', 'call'])
      .execute()
  },
}
