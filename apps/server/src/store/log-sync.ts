import { closeSync, fdatasync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

const retryMs = 250

/**
 * Brings what SQLite has written to the disk. With `synchronous = NORMAL` SQLite writes its log of writes (the WAL) and leaves it to the system
 * when that reaches the disk; here it is synced beside the thread that goes on writing, one sync for all that was written before it began.
 * https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export class LogSync {
  readonly #path: string
  readonly #database: () => DatabaseSync
  readonly #onTrouble: (error: Error | undefined) => void
  #file: number | undefined
  /** What the sync that is under way is for. */
  #syncing: (() => void)[] | undefined
  #waiting: (() => void)[] = []
  #retry: NodeJS.Timeout | undefined

  /** `path` and `database` are the database's; `onTrouble` is told when a sync fails, and of no error when it has been made up for. */
  constructor(path: string, database: () => DatabaseSync, onTrouble: (error: Error | undefined) => void) {
    this.#path = `${path}-wal`
    this.#database = database
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
    if (file !== undefined && !this.#syncing) closeSync(file)
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
    try {
      const file = (this.#file ??= openSync(this.#path, 'r+'))
      fdatasync(file, (error) => {
        if (file !== this.#file) closeSync(file)
        if (error) this.#fail(error)
        else this.#end()
      })
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #end(): void {
    const synced = this.#syncing ?? []
    this.#syncing = undefined
    if (this.#waiting.length > 0) this.#begin()
    for (const callback of synced) callback()
  }

  #fail(error: Error): void {
    this.#onTrouble(error)
    this.#retry = setTimeout(() => this.#recover(), retryMs)
  }

  /**
   * What a system couldn't sync once it takes for synced the next time (https://wiki.postgresql.org/wiki/Fsync_Errors), unless it is written
   * anew. A checkpoint does that: it writes the log into the database, syncs that, and lets the log begin anew.
   */
  #recover(): void {
    try {
      const { busy } = this.#database().prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
      if (busy !== 0) throw new Error('the log of writes is in use and could not be written anew')
    } catch {
      this.#retry = setTimeout(() => this.#recover(), retryMs)
      return
    }
    this.#onTrouble(undefined)
    this.#end()
  }
}
