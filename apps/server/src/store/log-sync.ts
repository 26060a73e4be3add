import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'

const retryMs = 250
const chunkBytes = 1024 * 1024

/**
 * Brings what SQLite has written to the disk. With `synchronous = NORMAL` SQLite writes its log of writes (the WAL) and leaves it to the system
 * when that reaches the disk; here it is synced beside the thread that goes on writing, one sync for all that was written before it began.
 * https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export class LogSync {
  readonly #path: string
  readonly #onTrouble: (error: Error | undefined) => void
  #file: number | undefined
  /** What the sync that is under way, or is to be tried again, is for. */
  #syncing: (() => void)[] | undefined
  #waiting: (() => void)[] = []
  #isAtWork = false
  #isInTrouble = false
  #retry: NodeJS.Timeout | undefined

  /** `path` is the database's. `onTrouble` is told when a sync fails, and of no error when that has been made up for. */
  constructor(path: string, onTrouble: (error: Error | undefined) => void) {
    this.#path = `${path}-wal`
    this.#onTrouble = onTrouble
  }

  /** Calls back when everything that was committed before is on disk, in the order of the calls, however long the disk fails. */
  whenDurable(callback: () => void): void {
    this.#waiting.push(callback)
    if (!this.#syncing) this.#begin()
  }

  /** The database was closed, and with it the log: another file may take its place. */
  forget(): void {
    const file = this.#file
    this.#file = undefined
    // One that is being synced is closed after that.
    if (file !== undefined && !this.#isAtWork) closeSync(file)
  }

  /** Nobody is called back any more. */
  close(): void {
    clearTimeout(this.#retry)
    this.forget()
    this.#syncing = this.#waiting = []
  }

  #begin(): void {
    this.#syncing = this.#waiting
    this.#waiting = []
    this.#sync(() => undefined)
  }

  /** Syncs the file, after `prepare` has done something with it. */
  #sync(prepare: (file: number) => void): void {
    try {
      const file = (this.#file ??= openSync(this.#path, 'r+'))
      prepare(file)
      this.#isAtWork = true
      fdatasync(file, (error) => {
        this.#isAtWork = false
        if (file !== this.#file) closeSync(file)
        if (error) this.#fail(error)
        else this.#end()
      })
    } catch (error) {
      // SQLite has brought all of it into the database before it deleted it.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') this.#end()
      else this.#fail(error as Error)
    }
  }

  #end(): void {
    if (this.#isInTrouble) this.#onTrouble(undefined)
    this.#isInTrouble = false
    const synced = this.#syncing ?? []
    this.#syncing = undefined
    if (this.#waiting.length > 0) this.#begin()
    for (const callback of synced) callback()
  }

  /**
   * What a system couldn't sync once it takes for synced the next time (https://wiki.postgresql.org/wiki/Fsync_Errors), unless it is written
   * anew. A checkpoint isn't made from it: that would overwrite the database while the log that is to mend it after a power cut has a hole.
   */
  #fail(error: Error): void {
    if (!this.#isInTrouble) this.#onTrouble(error)
    this.#isInTrouble = true
    this.#retry = setTimeout(() => this.#sync(writeAnew), retryMs)
  }
}

/**
 * Brings what an earlier process has left in the log to the disk. It may have failed to, and only that process knew.
 * @throws if the disk fails now.
 */
export function syncLeftLog(path: string): void {
  if (!statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) return
  const file = openSync(`${path}-wal`, 'r+')
  try {
    writeAnew(file)
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writes what a file holds where it stands. Nobody else may write it meanwhile. */
function writeAnew(file: number): void {
  const chunk = Buffer.alloc(chunkBytes)
  const { size } = fstatSync(file)
  for (let at = 0; at < size;) {
    const read = readSync(file, chunk, 0, chunkBytes, at)
    if (read === 0) return
    for (let written = 0; written < read;) written += writeSync(file, chunk, written, read - written, at + written)
    at += read
  }
}
