import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Comment threads, their comments, and who suggested and decided which change. Ids are unique within a document. */
export const review: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('threads')
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('quote', 'text', (c) => c.notNull())
      .addColumn('marked', 'text', (c) => c.notNull())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('suffix', 'text', (c) => c.notNull())
      .addColumn('resolved', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('orphaned', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('threads_key', ['document', 'id'])
      .execute()
    await db.schema
      .createTable('comments')
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('thread', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('author_id', 'text', (c) => c.notNull())
      .addColumn('author_name', 'text', (c) => c.notNull())
      .addColumn('author_kind', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('run', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('comments_key', ['document', 'id'])
      .addUniqueConstraint('comments_in_order', ['document', 'thread', 'position'])
      .execute()
    await db.schema
      .createTable('changes')
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('author_id', 'text', (c) => c.notNull())
      .addColumn('author_name', 'text', (c) => c.notNull())
      .addColumn('author_kind', 'text', (c) => c.notNull())
      .addColumn('run', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('decision', 'text')
      .addColumn('decided_by', 'text')
      .addColumn('decided_by_name', 'text')
      .addColumn('decided_at', 'bigint')
      .addColumn('update_json', 'text')
      .addPrimaryKeyConstraint('changes_key', ['document', 'id'])
      .execute()
  },
}
