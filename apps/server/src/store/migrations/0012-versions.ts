import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Versions of documents, and computed states of some of them, stored so that they need not be computed again. */
export const versions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('versions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text')
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('writers', 'text', (c) => c.notNull())
      .addColumn('run', 'text')
      .addColumn('restored', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('versions_by_seq', ['document', 'seq'])
      .execute()
    await db.schema
      .createTable('version_states')
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('state', sql`blob`, (c) => c.notNull())
      .addPrimaryKeyConstraint('version_states_key', ['document', 'seq'])
      .execute()
  },
}
