import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { firstMigrations } from './migrations/0001-to-0012.ts'
import { secondMigrations } from './migrations/0013-to-0032.ts'
import { documentLists } from './migrations/0033-document-lists.ts'
import { latestMigrations } from './migrations/0036-to-0051.ts'
import { webhooks } from './migrations/0042-webhooks.ts'
import { agents } from './migrations/0045-agents.ts'
import type { Tables } from './tables.ts'

const migrations: Record<string, Migration> = {
  ...firstMigrations,
  ...secondMigrations,
  '0033_document_lists': documentLists,
  ...latestMigrations,
  '0042_webhooks': webhooks,
  '0045_agents': agents,
}

/**
 * Migrates the schema to the current version.
 * @throws with the failed migration's error as `cause`.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the lock'
  throw new Error(`the store could not be migrated (${failed})`, { cause: error })
}
