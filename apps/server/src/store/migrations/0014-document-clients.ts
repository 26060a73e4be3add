import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The first sender under each Yjs client id. */
export const documentClients: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('document_clients')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('client', 'bigint', (c) => c.notNull())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('key_hash', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('document_clients_key', ['name', 'client'])
      .execute()
  },
}
