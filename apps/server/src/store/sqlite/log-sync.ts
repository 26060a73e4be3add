import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'

const retryMs = 250
const chunkBytes = 1024 * 1024

/**
 * Makes SQLite's commits durable. With `synchronous = NORMAL` SQLite writes the WAL without syncing it; this class
 * syncs it asynchronously while the thread continues to write. One sync covers all data written before it began.
 * https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export class LogSync {
  readonly #path: string
  readonly #onError: (error: Error | undefined) => void
  #file: number | undefined
  /** The callbacks of the sync that is in progress or will be retried. */
  #syncing: (() => void)[] | undefined
  #waiting: (() => void)[] = []
  #isSyncRunning = false
  #isFailing = false
  #retry: NodeJS.Timeout | undefined

  /**
   * `path` is the path of the database. `onError` gets the error when a sync fails, and undefined after a later sync
   * has succeeded.
   */
  constructor(path: string, onError: (error: Error | undefined) => void) {
    this.#path = `${path}-wal`
    this.#onError = onError
  }

  /** Calls back when all earlier commits are on disk, in the order of the calls, however long the disk fails. */
  whenDurable(callback: () => void): void {
    this.#waiting.push(callback)
    if (!this.#syncing) this.#begin()
  }

  /** Closes the file after the database and its WAL were closed: another file may replace it. */
  closeFile(): void {
    const file = this.#file
    this.#file = undefined
    // A file that is being synced is closed after the sync.
    if (file !== undefined && !this.#isSyncRunning) closeSync(file)
  }

  /** Stops: no callback runs after this. */
  close(): void {
    clearTimeout(this.#retry)
    this.closeFile()
    this.#syncing = this.#waiting = []
  }

  #begin(): void {
    this.#syncing = this.#waiting
    this.#waiting = []
    this.#sync(() => undefined)
  }

  /** Syncs the file after calling `prepare` with it. */
  #sync(prepare: (file: number) => void): void {
    try {
      const file = (this.#file ??= openSync(this.#path, 'r+'))
      prepare(file)
      this.#isSyncRunning = true
      fdatasync(file, (error) => {
        this.#isSyncRunning = false
        if (file !== this.#file) closeSync(file)
        if (error) this.#fail(error)
        else this.#end()
      })
    } catch (error) {
      // SQLite checkpoints the whole WAL into the database before it deletes the WAL.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') this.#end()
      else this.#fail(error as Error)
    }
  }

  #end(): void {
    if (this.#isFailing) this.#onError(undefined)
    this.#isFailing = false
    const synced = this.#syncing ?? []
    this.#syncing = undefined
    if (this.#waiting.length > 0) this.#begin()
    for (const callback of synced) callback()
  }

  /**
   * After a failed fsync an operating system may report the next one as successful
   * (https://wiki.postgresql.org/wiki/Fsync_Errors), unless the data is rewritten. No checkpoint runs meanwhile: it
   * would overwrite the database while the WAL, from which the database is repaired after a power failure, is
   * incomplete.
   */
  #fail(error: Error): void {
    if (!this.#isFailing) this.#onError(error)
    this.#isFailing = true
    this.#retry = setTimeout(() => this.#sync(rewriteInPlace), retryMs)
  }
}

/**
 * Rewrites and syncs the WAL of an earlier process, which may have failed to sync it without a trace on disk.
 * @throws if the disk fails now.
 */
export function syncLeftLog(path: string): void {
  if (!statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) return
  const file = openSync(`${path}-wal`, 'r+')
  try {
    rewriteInPlace(file)
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Rewrites a file's content in place. No other writer may change the file meanwhile. */
function rewriteInPlace(file: number): void {
  const chunk = Buffer.alloc(chunkBytes)
  const { size } = fstatSync(file)
  for (let at = 0; at < size;) {
    const read = readSync(file, chunk, 0, chunkBytes, at)
    if (read === 0) return
    for (let written = 0; written < read;) written += writeSync(file, chunk, written, read - written, at + written)
    at += read
  }
}
