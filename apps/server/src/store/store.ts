import { extname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { Kysely } from 'kysely'
import { migrate } from './migrations.ts'
import { makePrivateFile, makePrivateFolder } from '../common/private-files.ts'
import { createSqliteDialect } from './sqlite/sqlite-dialect.ts'
import { checkIntegrity } from './sqlite/integrity-check.ts'
import { SqliteLink } from './sqlite/sqlite-link.ts'
import type { AppendResult, AppendRow } from './sqlite/sqlite-protocol.ts'
import type { Tables } from './tables.ts'

/**
 * One caller's access to the store: SQL through Kysely, and the appending of updates as the fast path. Every write
 * resolves when it is on disk. `append` rejects when none of its rows is stored; `onWritten` gets the results as soon
 * as the rows survive the end of this process, but not yet a failure of the machine. `sync` resolves when all earlier
 * writes of any caller are on disk.
 */
export type Store = {
  db: Kysely<Tables>
  append(rows: AppendRow[], onWritten?: (results: AppendResult[]) => void): Promise<AppendResult[]>
  sync(): Promise<void>
  close(): Promise<void>
}

/** The embedded store of one process. Other threads get their own connection with `connect`. */
export type EmbeddedStore = Store & { connect(): MessagePort }

/** Another process has opened the data folder: two servers on one folder would miss each other's edits. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError'
}

/** Takes a lock that the operating system releases when this process ends for any reason. */
function lockDirectory(directory: string): DatabaseSync {
  const path = join(directory, 'lock')
  makePrivateFile(path)
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw new DirectoryInUseError(`${directory} is in use`, { cause: error })
  }
}

/** A store over a port from `EmbeddedStore.connect`. */
export function createLinkedStore(port: MessagePort): Store {
  const link = new SqliteLink(port)
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(link) })
  const close = async (): Promise<void> => {
    await db.destroy()
    // Kysely closes the port only if it has ever used it.
    link.close()
  }
  return { db, append: (rows, onWritten) => link.append(rows, onWritten), sync: () => link.sync(), close }
}

/**
 * Opens (and if necessary creates and migrates) the SQLite store in `directory`. A separate thread opens the file;
 * `onFailure` is called if that thread dies, after which every request rejects. `onError` gets the error when written
 * data can't be synced to disk, and undefined after a later sync has succeeded.
 * @throws DamagedFileError if the file is damaged; the file is unchanged.
 */
export async function openEmbeddedStore(
  directory: string,
  onFailure: (error: Error) => void,
  onError: (error: Error | undefined) => void = () => undefined,
): Promise<EmbeddedStore> {
  makePrivateFolder(directory)
  const lock = lockDirectory(directory)
  const path = join(directory, 'copydesk.sqlite')
  try {
    checkIntegrity(path)
    makePrivateFile(path)
  } catch (error) {
    lock.close()
    throw error
  }
  const thread = new Worker(new URL(`./sqlite/sqlite-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData: { path },
  })
  thread.on('error', onFailure)
  thread.on('message', onError)
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    thread.postMessage({ kind: 'attach', port: port2 }, [port2])
    return port1
  }
  const store = createLinkedStore(connect())
  await migrate(store.db)
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await store.close()
    if (thread.threadId < 0) return
    const exited = new Promise((resolve) => thread.once('exit', resolve))
    thread.postMessage({ kind: 'close' })
    await exited
    lock.close()
  }
  return { ...store, connect, close: () => (closing ??= close()) }
}
