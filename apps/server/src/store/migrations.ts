import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Tables } from './tables.ts'

const initial: Migration = {
  async up(db: Kysely<unknown>) {
    const bytes = sql`blob`
    await db.schema
      .createTable('people')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('color', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('documents')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('folded_title', 'text', (c) => c.notNull())
      .addColumn('agent_mode', 'text', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('trashed_at', 'bigint')
      .execute()
    await db.schema.createIndex('documents_by_update').on('documents').columns(['updated_at', 'id']).execute()
    await db.schema
      .createTable('logs')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('document_updates')
      .addColumn('name', 'text', (c) => c.notNull().references('logs.name'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('bytes', bytes, (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('run', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('document_updates_key', ['name', 'seq'])
      .execute()
    await db.schema
      .createTable('quarantined_updates')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('error', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('quarantined_updates_key', ['name', 'seq'])
      .execute()
    await db.schema
      .createTable('document_snapshots')
      .addColumn('name', 'text', (c) => c.notNull().references('logs.name'))
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('state', bytes, (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('document_snapshots_key', ['name', 'seq'])
      .execute()
    await createRunTable(db)
    await createRunDetailTables(db)
  },
}

async function createRunTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('trigger_kind', 'text', (c) => c.notNull())
    .addColumn('trigger_id', 'text', (c) => c.notNull())
    .addColumn('instruction', 'text', (c) => c.notNull())
    .addColumn('invoked_by', 'text', (c) => c.notNull())
    .addColumn('invoked_by_name', 'text', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('selection', 'text')
    .addColumn('rounds', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('max_rounds', 'integer', (c) => c.notNull())
    .addColumn('input_tokens', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('output_tokens', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('answer', 'text')
    .addColumn('notice', 'text')
    .addColumn('error', 'text')
    .addColumn('epoch', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('stop_requested', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('coordinates', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('runs_by_trigger')
    .unique()
    .on('runs')
    .columns(['document', 'trigger_kind', 'trigger_id'])
    .execute()
  await db.schema.createIndex('runs_by_status').on('runs').columns(['status', 'created_at']).execute()
}

async function createRunDetailTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('run_steps')
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('run', 'text', (c) => c.notNull().references('runs.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('tool', 'text', (c) => c.notNull())
    .addColumn('arguments', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('run_steps_key', ['run', 'id'])
    .execute()
  await db.schema
    .createTable('run_messages')
    .addColumn('run', 'text', (c) => c.notNull().references('runs.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('run_messages_key', ['run', 'position'])
    .execute()
  await db.schema
    .createTable('messages')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('document', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('author_id', 'text', (c) => c.notNull())
    .addColumn('author_name', 'text', (c) => c.notNull())
    .addColumn('author_kind', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('run', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('messages_by_document').on('messages').columns(['document', 'created_at']).execute()
}

const migrations: Record<string, Migration> = { '0001_initial': initial }

/** Brings the schema up to date; throws with the failed migration's error as `cause`. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the lock'
  throw new Error(`the store could not be migrated (${failed})`, { cause: error })
}
