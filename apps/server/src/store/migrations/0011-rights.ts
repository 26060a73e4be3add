import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Access to documents: by membership, by an email address that has no account yet, or by a share link that a person has
 * opened.
 */
export const rights: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('people')
      .addColumn('guest', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('members')
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('person', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('added_by', 'text', (c) => c.notNull())
      .addColumn('added_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('members_key', ['document', 'person'])
      .execute()
    await db.schema.createIndex('members_by_person').on('members').columns(['person', 'document']).execute()
    await db.schema
      .createTable('pending_members')
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('added_by', 'text', (c) => c.notNull())
      .addColumn('added_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('pending_members_key', ['document', 'email'])
      .execute()
    await db.schema.createIndex('pending_members_by_email').on('pending_members').column('email').execute()
    await createLinks(db)
    await sql`
      insert into members (document, person, role, added_by, added_at)
      select id, created_by, 'owner', created_by, created_at from documents
    `.execute(db)
  },
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('links')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('links_by_document').on('links').column('document').execute()
  await db.schema.createIndex('links_by_expiry').on('links').column('expires_at').execute()
  await db.schema
    .createTable('link_visits')
    .addColumn('link', 'text', (c) => c.notNull().references('links.id'))
    .addColumn('person', 'text', (c) => c.notNull())
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('link_visits_key', ['link', 'person'])
    .execute()
  await db.schema.createIndex('link_visits_by_person').on('link_visits').column('person').execute()
}
