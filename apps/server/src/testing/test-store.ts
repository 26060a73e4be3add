import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { until } from '@copydesk/testing'
import { DocumentStore } from '../documents/document-store.ts'
import { MarkdownConverter } from '../documents/markdown-converter.ts'
import { Notifications } from '../notifications/notifications.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { createStorageQuotas, type StorageQuotas } from '../quotas/storage.ts'
import { Roles } from '../rights/roles.ts'
import { createThreadSignals, type Signals } from '../common/signals.ts'
import { DocumentTransactions } from '../store/log/document-transactions.ts'
import { type EmbeddedStore, openEmbeddedStore } from '../store/store.ts'
import { UpdateLog } from '../store/log/update-log.ts'

/**
 * A real SQLite store in a temporary folder, with the services built directly on it. All of them read the time from
 * `clock.now`.
 */
export type TestStore = {
  directory: string
  store: EmbeddedStore
  signals: Signals
  log: UpdateLog
  writer: DocumentTransactions
  documents: DocumentStore
  notifications: Notifications
  storage: StorageQuotas
  clock: { now: number }
  /**
   * A second connection to the database file, bypassing the store: to read, lock or damage it. Closed with the store.
   */
  file: DatabaseSync
  /** Closes everything and deletes the folder. */
  dispose(): Promise<void>
}

/** Opens a store for one test. */
export async function openTestStore(quotas: Partial<Quotas> = {}): Promise<TestStore> {
  const directory = makeDataFolder('copydesk-store-')
  const store = await openEmbeddedStore(directory, (error) => {
    throw error
  })
  const signals = createThreadSignals(`test:${randomUUID()}`)
  const clock = { now: 1_700_000_000_000 }
  const now = (): number => clock.now
  const log = new UpdateLog(store, now)
  const writer = new DocumentTransactions(store, log, signals, now)
  const converter = new MarkdownConverter()
  const roles = new Roles({ db: store.db, now, isOpen: true })
  const storage = createStorageQuotas(store.db, now, quotas)
  const deps = { db: store.db, log, writer, converter, roles, storage, now, createId: randomUUID }
  const documents = new DocumentStore(deps)
  const notifications = new Notifications({ db: store.db, access: async () => 'write', now, createId: randomUUID })
  const file = openFile(directory)
  const dispose = async (): Promise<void> => {
    file.close()
    signals.close()
    await converter.close()
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return { directory, store, signals, log, writer, documents, notifications, storage, clock, file, dispose }
}

const databaseFile = 'copydesk.sqlite'

/**
 * Creates a data folder with an empty database, as after the first start. Copies the database that is created before
 * all tests: migrating a thousand new files takes minutes.
 */
export function makeDataFolder(prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix))
  copyFileSync(process.env.EMPTY_DATABASE ?? '', join(directory, databaseFile))
  return directory
}

/**
 * A separate connection to the database file of a store or server. It never waits for locks, since a transaction of the
 * server in this process can't end while the process waits: tests write with `changeFile` or `lockFile`.
 */
export function openFile(directory: string): DatabaseSync {
  return new DatabaseSync(join(directory, databaseFile), { timeout: 0 })
}

/** Executes a statement on a separate connection when the file isn't locked. */
export async function changeFile(file: DatabaseSync, sql: string, ...values: SQLInputValue[]): Promise<void> {
  await lockFile(file)
  try {
    file.prepare(sql).run(...values)
  } finally {
    file.exec('COMMIT')
  }
}

/** Takes the file's write lock when it is free; `ROLLBACK` or `COMMIT` on the same connection releases it. */
export async function lockFile(file: DatabaseSync): Promise<void> {
  const tryOnce = (): boolean => {
    try {
      file.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (error instanceof Error && error.message.includes('locked')) return false
      throw error
    }
  }
  await until(tryOnce, 'the database file is free')
}
