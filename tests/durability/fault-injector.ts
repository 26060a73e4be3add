/**
 * Loaded into every thread of a server under test (`node --import`), before any of its own code: injects into its store
 * and clock the faults that the JSON in the file `FAULTS_FILE` currently lists. The server has no code for it.
 */
import fs, { copyFileSync, readFileSync, renameSync, statSync } from 'node:fs'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'

/** What goes wrong. An empty object: nothing. */
export type Faults = {
  /**
   * SIGKILL at the n-th writing statement or sync from now on (that matches, if a pattern is given), right before or
   * right after it.
   */
  kill?: { nth: number; when: 'before' | 'after'; pattern?: string }
  /** Every commit and every sync takes so much longer. */
  slowMs?: number
  /**
   * Every sync alone takes so much longer, as on a disk that stalls: what is written is in the system's memory
   * meanwhile.
   */
  slowSyncMs?: number
  /** Keeps a copy of SQLite's write-ahead log as a power cut would leave it, see `cutPower`. */
  keepsSynced?: boolean
  /** Writing statements and syncs (`sync`) that match this pattern fail as on a broken disk. */
  fail?: string
  /** Offset of the clock in milliseconds. */
  clockMs?: number
}

const file = process.env.FAULTS_FILE ?? ''
const log = join(process.env.DATA_DIR ?? '', 'copydesk.sqlite-wal')
const syncedLog = `${log}.synced`
const writing = /^\s*(insert|update|delete|begin|commit|rollback|replace)/i
let text = '{}'
let faults: Faults = {}
let seen = 0

function look(): Faults {
  const now = readFileSync(file, 'utf8')
  if (now !== text) {
    text = now
    faults = JSON.parse(now) as Faults
    seen = 0
  }
  return faults
}

function isKilledAt({ kill }: Faults, sql: string): boolean {
  return kill !== undefined && new RegExp(kill.pattern ?? '', 'i').test(sql) && ++seen === kill.nth
}

function failIfMatching({ fail }: Faults, sql: string): void {
  if (fail === undefined || !new RegExp(fail, 'i').test(sql)) return
  throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })
}

function around<T>(sql: string, run: () => T): T {
  if (!writing.test(sql)) return run()
  const now = look()
  const { kill, slowMs } = now
  const isNow = isKilledAt(now, sql)
  if (isNow && kill?.when === 'before') process.kill(process.pid, 'SIGKILL')
  if (slowMs !== undefined && /^\s*commit/i.test(sql))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowMs)
  failIfMatching(now, sql)
  const result = run()
  if (isNow) process.kill(process.pid, 'SIGKILL')
  return result
}

type Synced = (error: Error | null) => void

function syncWithFaults(sync: (file: number, done: Synced) => void): typeof sync {
  return (file, done) => {
    const now = look()
    const isNow = isKilledAt(now, 'sync')
    if (isNow && now.kill?.when === 'before') process.kill(process.pid, 'SIGKILL')
    const end: Synced = (error) => {
      if (now.keepsSynced && !error) renameSync(`${syncedLog}.new`, syncedLog)
      if (isNow) process.kill(process.pid, 'SIGKILL')
      done(error)
    }
    const begin = (): void => {
      try {
        failIfMatching(look(), 'sync')
      } catch (error) {
        return done(error as Error)
      }
      // What is written from now on is none of this sync's business.
      if (now.keepsSynced) copyFileSync(log, `${syncedLog}.new`)
      sync(file, end)
    }
    const { slowMs = 0, slowSyncMs = slowMs } = now
    if (slowSyncMs > 0) setTimeout(begin, slowSyncMs)
    else setImmediate(begin)
  }
}

// A killed process leaves nothing that would make the next start faster.
if (isMainThread) setTimeout(flushCompileCache, 2000).unref()

// The store's thread; the main thread only holds a lock file.
if (!isMainThread) {
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    return around(sql, () => exec.call(this, sql))
  }
  for (const name of ['run', 'get', 'all'] as const) {
    const original = StatementSync.prototype[name] as (...parameters: unknown[]) => unknown
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...parameters: unknown[]) {
        return around(this.sourceSQL, () => original.apply(this, parameters))
      },
    })
  }
  fs.fdatasync = Object.assign(syncWithFaults(fs.fdatasync), fs.fdatasync)
  syncBuiltinESMExports()
}

const RealDate = Date
const realNow = Date.now
let checkedAt = 0
let shift = 0

function shiftNow(): number {
  if (performance.now() - checkedAt > 20) {
    checkedAt = performance.now()
    // A file that has not been written yet, or that has just been emptied to be written again, says nothing.
    shift = statSync(file, { throwIfNoEntry: false })?.size ? (look().clockMs ?? 0) : 0
  }
  return shift
}

class ShiftedDate extends RealDate {
  constructor(...given: [] | [number]) {
    super(...(given.length === 0 ? ([realNow() + shiftNow()] as [number]) : given))
  }
  static override now(): number {
    return realNow() + shiftNow()
  }
}
globalThis.Date = ShiftedDate as DateConstructor
