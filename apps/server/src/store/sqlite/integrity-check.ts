import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** The database file is damaged. Nothing has been written to it. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
  readonly path: string
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(what, options)
    this.path = path
  }
}

// The check reads one gigabyte per second (measured); damage in a larger file is detected when it is read.
const checkedUpToBytes = 512 * 1024 * 1024

/**
 * Checks a database file before anything writes to it.
 * @throws DamagedFileError if it is damaged; the file and its WAL are unchanged.
 */
export function checkIntegrity(path: string): void {
  const size = sizeOf(path)
  if (size === undefined) return
  // SQLite would treat an empty file as a new database and discard the WAL.
  if (size === 0 && (sizeOf(`${path}-wal`) ?? 0) > 0) throw new DamagedFileError(path, 'the file is empty')
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    file.prepare('SELECT count(*) FROM sqlite_schema').get()
    if (size > checkedUpToBytes) return
    const found = Object.values(file.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
    if (found !== 'ok') throw new DamagedFileError(path, String(found).replaceAll(/\s+/g, ' '))
  } catch (error) {
    if (isDamage(error)) throw new DamagedFileError(path, error.message, { cause: error })
    throw error
  } finally {
    file?.close()
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, including extended codes. */
function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error && 'errcode' in error)) return false
  return [11, 26].includes(Number(error.errcode) & 0xff)
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}
