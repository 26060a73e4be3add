import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from './percentile.ts'

const commits = 500
const everyMs = 4

/**
 * Milliseconds of one small commit on this disk, as SQLite makes it for Copydesk: the lower bound of an
 * acknowledgement.
 */
export async function measureDisk(): Promise<{ p50: number; p99: number; max: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-disk-'))
  const database = new DatabaseSync(join(directory, 'disk.sqlite'))
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (bytes BLOB NOT NULL)')
    const insert = database.prepare('INSERT INTO rows VALUES (?)')
    const took: number[] = []
    for (let index = 0; index < commits; index++) {
      const at = performance.now()
      insert.run(new Uint8Array(60))
      took.push(performance.now() - at)
      await wait(everyMs)
    }
    return { p50: percentile(took, 0.5), p99: percentile(took, 0.99), max: percentile(took, 1) }
  } finally {
    database.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
