import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The newest row of the content log when a change was suggested: later text of other writers in it is their own. */
export const changeSeq: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('changes')
      .addColumn('seq', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await sql`
      update changes set seq = coalesce((
        select max(document_updates.seq) from document_updates
        where document_updates.name = changes.document and document_updates.at <= changes.created_at
      ), 0)
    `.execute(db)
  },
}
