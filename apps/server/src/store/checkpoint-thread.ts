import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * The thread that brings SQLite's log of writes into the database file when it is told to: that syncs the disk twice, for which the thread
 * that writes doesn't wait. Answers when it has tried; what it didn't get done is left for the next time.
 */
const { path } = workerData as { path: string }
const database = new DatabaseSync(path, { timeout: 0 })

parentPort?.on('message', () => {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // A disk that fails now fails the writer, too, which says so.
  }
  parentPort?.postMessage(null)
})
