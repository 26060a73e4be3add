import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether a person wants mails about notifications, and when a notification was mailed. */
export const mails: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('people')
      .addColumn('mails', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema.alterTable('notifications').addColumn('mailed_at', 'bigint').execute()
    await db.schema.createIndex('notifications_by_time').on('notifications').column('created_at').execute()
  },
}
