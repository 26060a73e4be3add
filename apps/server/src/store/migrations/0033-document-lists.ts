import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { sortKey } from '../fold-text.ts'

/** The data by which lists show and sort documents, stars, and documents that are being permanently deleted. */
export const documentLists: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['preview', 'edited_by'] as const) {
      await db.schema.alterTable('documents').addColumn(column, 'text').execute()
    }
    await db.schema
      .alterTable('documents')
      .addColumn('sort_title', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable('documents').addColumn('deleted_at', 'bigint').execute()
    await db.schema
      .alterTable('document_snapshots')
      .addColumn('shown_text', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createTable('stars')
      .addColumn('person', 'text', (c) => c.notNull())
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('stars_key', ['person', 'document'])
      .execute()
    await db.schema.createIndex('stars_by_document').on('stars').column('document').execute()
    await db.schema.createIndex('documents_by_creation').on('documents').columns(['created_at', 'id']).execute()
    await db.schema.createIndex('documents_by_title').on('documents').columns(['sort_title', 'id']).execute()
    await db.schema
      .createIndex('documents_in_trash')
      .on('documents')
      .columns(['updated_at', 'id'])
      .where(sql.ref('trashed_at'), 'is not', null)
      .execute()
    await db.schema
      .createIndex('documents_being_deleted')
      .on('documents')
      .column('deleted_at')
      .where('deleted_at', 'is not', null)
      .execute()
    await db.schema
      .createIndex('document_visits_by_time')
      .on('document_visits')
      .columns(['document', 'last_at'])
      .execute()
    await db.schema
      .createIndex('document_visits_by_person')
      .on('document_visits')
      .columns(['person', 'document'])
      .execute()
    await db.schema.createIndex('images_by_name').on('images').column('name').execute()
    await fillColumns(db)
  },
}

async function fillColumns(db: Kysely<unknown>): Promise<void> {
  await sql`
    update documents set edited_by = (
      select actor from document_updates where name = documents.id and actor != 'server' order by seq desc limit 1
    )
  `.execute(db)
  // Documents in the trash are deleted after a time, which begins now.
  await sql`update documents set trashed_at = ${Date.now()} where trashed_at is not null`.execute(db)
  const { rows } = await sql<{ id: string; title: string; first_words: string }>`
    select id, title, first_words from documents
  `.execute(db)
  for (const { id, title, first_words } of rows) {
    await sql`update documents set sort_title = ${sortKey(title || first_words)} where id = ${id}`.execute(db)
  }
}
