import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The conversation of a chat message, and of the run that it started; null for the first one of a document. */
export const conversations: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('messages').addColumn('conversation', 'text').execute()
    await db.schema.alterTable('runs').addColumn('conversation', 'text').execute()
  },
}
