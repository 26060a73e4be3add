import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * The thread that checkpoints SQLite's WAL into the database file on request. A checkpoint syncs the disk twice, and
 * the writing thread doesn't wait for it. Replies after the attempt; the next checkpoint completes an incomplete one.
 */
const { path } = workerData as { path: string }
const database = new DatabaseSync(path, { timeout: 0 })

parentPort?.on('message', () => {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // A failing disk also causes an error in the writer, which reports it.
  }
  parentPort?.postMessage(null)
})
