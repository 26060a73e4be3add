import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who has opened which document, whom texts mention, and notifications. */
export const notifications: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('document_visits')
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('person', 'text', (c) => c.notNull().references('people.id'))
      .addColumn('last_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('document_visits_key', ['document', 'person'])
      .execute()
    // A person who has written into a document has had it open.
    await sql`
      insert into document_visits (document, person, last_at)
      select logs.document, people.id, max(document_updates.at)
      from document_updates
      inner join logs on logs.name = document_updates.name
      inner join people on people.id = document_updates.actor
      group by logs.document, people.id
    `.execute(db)
    await db.schema
      .createTable('notifications')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('person', 'text', (c) => c.notNull().references('people.id'))
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('place', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('thread', 'text')
      .addColumn('author_id', 'text', (c) => c.notNull())
      .addColumn('author_name', 'text', (c) => c.notNull())
      .addColumn('excerpt', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('read_at', 'bigint')
      .addUniqueConstraint('notifications_once', ['person', 'document', 'source'])
      .execute()
    await db.schema
      .createIndex('notifications_by_person')
      .on('notifications')
      .columns(['person', 'created_at', 'id'])
      .execute()
    await db.schema.alterTable('comments').addColumn('mentions', 'text').execute()
    await db.schema.alterTable('messages').addColumn('mentions', 'text').execute()
  },
}
