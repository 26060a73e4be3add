import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The audit log: rows that the database itself refuses to change or delete. */
export const audit: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('actor', 'text')
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('document', 'text')
      .addColumn('target', 'text')
      .addColumn('address', 'text')
      .addColumn('details', 'text')
      .execute()
    await db.schema.createIndex('audit_by_time').on('audit').columns(['at', 'id']).execute()
    await db.schema.createIndex('audit_by_document').on('audit').columns(['document', 'at']).execute()
    await db.schema.createIndex('audit_by_actor').on('audit').columns(['actor', 'at']).execute()
    if (db.getExecutor().adapter instanceof SqliteAdapter) await forbidInSqlite(db)
    else await forbidInPostgres(db)
  },
}

async function forbidInSqlite(db: Kysely<unknown>): Promise<void> {
  for (const deed of ['update', 'delete']) {
    await sql`
      create trigger ${sql.ref(`audit_no_${deed}`)} before ${sql.raw(deed)} on audit
      begin select raise(abort, 'the audit log is never changed'); end
    `.execute(db)
  }
}

async function forbidInPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function audit_never_changes() returns trigger as $$
    begin raise exception 'the audit log is never changed'; end
    $$ language plpgsql
  `.execute(db)
  await sql`
    create trigger audit_no_change before update or delete or truncate on audit
    for each statement execute function audit_never_changes()
  `.execute(db)
}
