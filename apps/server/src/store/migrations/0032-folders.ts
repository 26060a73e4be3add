import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Folders. Roles are of a document or a folder, whose id is `item`. */
export const folders: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('folders')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('parent', 'text', (c) => c.references('folders.id'))
      .addColumn('inherits', 'text', (c) => c.notNull().defaultTo('owner'))
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('trashed_at', 'bigint')
      .execute()
    await db.schema.createIndex('folders_by_parent').on('folders').column('parent').execute()
    await db.schema.createIndex('folders_by_creator').on('folders').column('created_by').execute()
    await db.schema
      .alterTable('documents')
      .addColumn('folder', 'text', (c) => c.references('folders.id'))
      .execute()
    await db.schema
      .alterTable('documents')
      .addColumn('inherits', 'text', (c) => c.notNull().defaultTo('owner'))
      .execute()
    await db.schema.createIndex('documents_by_folder').on('documents').column('folder').execute()
    await widen(db, 'members', 'person')
    await db.schema.createIndex('members_by_person').on('members').columns(['person', 'item']).execute()
    await widen(db, 'pending_members', 'email')
    await db.schema.createIndex('pending_members_by_email').on('pending_members').column('email').execute()
  },
}

/** Copies a table of roles to one whose rows may name a folder, too. */
async function widen(db: Kysely<unknown>, table: string, who: string): Promise<void> {
  await db.schema.alterTable(table).renameTo(`${table}_before`).execute()
  await db.schema
    .createTable(table)
    .addColumn('item', 'text', (c) => c.notNull())
    .addColumn(who, 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('added_by', 'text', (c) => c.notNull())
    .addColumn('added_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${table}_of_items_key`, ['item', who])
    .execute()
  await sql`
    insert into ${sql.table(table)} (item, ${sql.ref(who)}, role, added_by, added_at)
    select document, ${sql.ref(who)}, role, added_by, added_at from ${sql.table(`${table}_before`)}
  `.execute(db)
  await db.schema.dropTable(`${table}_before`).execute()
}
