import { extname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { Kysely } from 'kysely'
import { migrate } from './migrations.ts'
import { makePrivateFile, makePrivateFolder } from './private-files.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { checkIntegrity } from './integrity-check.ts'
import { SqliteLink } from './sqlite-link.ts'
import type { AppendResult, AppendRow } from './sqlite-protocol.ts'
import type { Tables } from './tables.ts'

/**
 * One caller's view of the store: SQL through Kysely, and the hot path of appending updates. Whatever writes resolves
 * when it is on disk. `append` rejects when none of its rows is kept; `onWritten` is told what became of them as soon
 * as only the machine's own failure (not this process's) can still undo it. `sync` resolves when everything that
 * anybody has written is on disk.
 */
export type Store = {
  db: Kysely<Tables>
  append(rows: AppendRow[], onWritten?: (results: AppendResult[]) => void): Promise<AppendResult[]>
  sync(): Promise<void>
  close(): Promise<void>
}

/** The embedded store of one process; further threads get their own line to it with `connect`. */
export type EmbeddedStore = Store & { connect(): MessagePort }

/** Somebody else has the data folder open: two servers on one folder would not see each other's edits. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError'
}

/** Holds a lock that the system lets go of when this process ends, however it ends. */
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

/** A store over a line that `EmbeddedStore.connect` handed out. */
export function createLinkedStore(port: MessagePort): Store {
  const link = new SqliteLink(port)
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(link) })
  const close = async (): Promise<void> => {
    await db.destroy()
    // Kysely closes the line only if it has ever used it.
    link.close()
  }
  return { db, append: (rows, onWritten) => link.append(rows, onWritten), sync: () => link.sync(), close }
}

/**
 * Opens (and if need be creates and migrates) the SQLite store in `directory`. The file is opened by a thread of its
 * own; `onFailure` is called if that thread dies, after which every request rejects. `onTrouble` is told when something
 * that is written doesn't get to the disk, and of no error when it has got there after all.
 * @throws DamagedFileError if the file can't be trusted; nothing in it has been changed.
 */
export async function openEmbeddedStore(
  directory: string,
  onFailure: (error: Error) => void,
  onTrouble: (error: Error | undefined) => void = () => undefined,
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
  const thread = new Worker(new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData: { path },
  })
  thread.on('error', onFailure)
  thread.on('message', onTrouble)
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
