import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Checkpoints } from './checkpoints.ts'
import { LogSync, syncLeftLog } from './log-sync.ts'
import { StoreError, transactionExpired } from './sqlite-link.ts'
import { unpackRows } from './packed-rows.ts'
import type {
  AppendRefusal,
  AppendRow,
  PackedRows,
  QueryAnswer,
  SqliteRequest,
  SqliteResponse,
  SqliteValue,
  SqlValue,
  Statement,
} from './sqlite-protocol.ts'

/**
 * The thread that writes the SQLite file, so that no other thread waits for the disk. It never waits for fsync either;
 * it replies when LogSync reports the write as durable. Callers connect through message ports. A transaction is a lease
 * of one caller; all other requests wait in a queue meanwhile.
 */
type Job = { port: MessagePort; request: SqliteRequest }

const leaseLimitMs = 10_000
// In pages of 4 KiB. A separate thread usually checkpoints earlier; this checkpoint completes its work, which is
// limited while others write.
const checkpointPages = 16 * 1024

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 })
  // `LogSync` syncs committed data.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;')
  database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`)
  return database
}

// `WITH` begins both queries and writes. Values are parameters, so the text contains these words only as keywords.
const onlyReads = /^\s*(select|pragma|with\b(?!.*\b(insert|update|delete|replace)\b))\b/is

/**
 * Whether a request may have committed something, or wrote nothing only because another request had just committed it.
 */
function mayCommit(request: SqliteRequest): boolean {
  switch (request.kind) {
    case 'begin':
      return false
    case 'query':
      return request.lease === null && !onlyReads.test(request.statement.sql)
    case 'end':
      return request.commit
    case 'append':
    case 'sync':
      return true
  }
}

class SqliteThread {
  readonly #path: string
  #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #sync: LogSync
  readonly #checkpoints: Checkpoints
  #takesWrites = true
  #waiting: Job[] = []
  #lease: { id: number; port: MessagePort; timer: NodeJS.Timeout } | undefined
  #nextLease = 1

  constructor(path: string, onError: (error: Error | undefined) => void) {
    this.#path = path
    syncLeftLog(path)
    this.#database = openDatabase(path)
    this.#sync = new LogSync(path, (error) => {
      this.#takeWrites(error === undefined)
      onError(error)
    })
    this.#checkpoints = new Checkpoints(path)
  }

  attach(port: MessagePort): void {
    port.on('message', (request: SqliteRequest) => this.#receive({ port, request }))
    port.on('close', () => {
      this.#waiting = this.#waiting.filter((job) => job.port !== port)
      if (this.#lease?.port !== port) return
      this.#endLease(false)
      this.#runWaiting()
    })
  }

  close(): void {
    if (this.#lease) this.#endLease(false)
    this.#sync.close()
    if (this.#database.isOpen) this.#database.close()
  }

  #receive(job: Job): void {
    const holdsLease = 'lease' in job.request && job.request.lease !== null
    if (this.#lease && !holdsLease) this.#waiting.push(job)
    else this.#run(job)
  }

  #run(job: Job): void {
    this.#answer(job)
    if (job.request.kind === 'end') this.#runWaiting()
  }

  #answer({ port, request }: Job): void {
    const { id } = request
    const answer = (response: SqliteResponse): void => port.postMessage(response)
    try {
      const value = this.#perform(port, request)
      if (request.kind === 'append') answer({ id, kind: 'written', value })
      const done: SqliteResponse = { id, kind: 'done', value: request.kind === 'append' ? null : value }
      if (!mayCommit(request)) return answer(done)
      if (this.#takesWrites) this.#checkpoints.note()
      this.#sync.whenDurable(() => answer(done))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'ERROR'
      answer({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error), code })
    }
  }

  #perform(port: MessagePort, request: SqliteRequest): SqliteValue {
    if (!this.#database.isOpen) this.#reopen()
    switch (request.kind) {
      case 'query':
        if (request.lease !== null) this.#requireTransaction(request.lease)
        return this.#query(request.statement)
      case 'begin':
        return this.#beginLease(port)
      case 'end':
        this.#requireLease(request.lease)
        this.#endLease(request.commit)
        return null
      case 'append':
        return this.#append(request.rows)
      case 'sync':
        return null
    }
  }

  #reopen(): void {
    this.#database = openDatabase(this.#path)
    this.#takeWrites(this.#takesWrites)
    this.#sync.closeFile()
  }

  /**
   * While the disk fails to sync, rejects writes with an error, as if the write itself had failed: the data might never
   * reach the disk.
   */
  #takeWrites(takesWrites: boolean): void {
    this.#takesWrites = takesWrites
    if (!this.#database.isOpen) return
    this.#database.exec(`PRAGMA query_only = ${takesWrites ? 'OFF' : 'ON'}`)
    // A checkpoint overwrites the database, which is repaired from the WAL after a power failure.
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${takesWrites ? checkpointPages : 0}`)
  }

  #requireLease(lease: number): void {
    if (this.#lease?.id === lease) return
    throw new StoreError('the transaction took too long and was rolled back', transactionExpired)
  }

  #requireTransaction(lease: number): void {
    this.#requireLease(lease)
    // On some errors (a full disk) SQLite ends the transaction itself. Later statements with the lease would then be
    // stored individually.
    if (!this.#database.isTransaction) throw new StoreError('the transaction was rolled back', 'TRANSACTION_ENDED')
  }

  #beginLease(port: MessagePort): number {
    this.#database.exec('BEGIN IMMEDIATE')
    const id = this.#nextLease++
    const timer = setTimeout(() => {
      this.#endLease(false)
      this.#runWaiting()
    }, leaseLimitMs)
    this.#lease = { id, port, timer }
    return id
  }

  #endLease(commit: boolean): void {
    if (!this.#lease) return
    clearTimeout(this.#lease.timer)
    this.#lease = undefined
    if (!commit) return this.#rollback()
    try {
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#rollback()
      throw error
    }
  }

  #rollback(): void {
    try {
      // SQLite itself ends the transaction on some errors (a full disk); a second ROLLBACK would throw.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
    } catch {
      // Later requests must not run inside a failed transaction: closing ends it, and the next request reopens the
      // file.
      this.#statements.clear()
      this.#database.close()
    }
  }

  #runWaiting(): void {
    while (!this.#lease) {
      const job = this.#waiting.shift()
      if (!job) return
      this.#run(job)
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      if (this.#statements.size > 500) this.#statements.clear()
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #query({ sql, parameters }: Statement): QueryAnswer {
    const statement = this.#statement(sql)
    if (statement.columns().length > 0) {
      const rows = statement.all(...parameters) as Record<string, SqlValue>[]
      return { rows, changes: 0 }
    }
    return { rows: [], changes: Number(statement.run(...parameters).changes) }
  }

  #append(rows: PackedRows): (number | AppendRefusal)[] {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const results = Array.from(unpackRows(rows), (row) => this.#appendRow(row))
      this.#database.exec('COMMIT')
      return results
    } catch (error) {
      this.#rollback()
      throw error
    }
  }

  #appendRow(row: AppendRow): number | AppendRefusal {
    if (row.run !== null) {
      const run = this.#statement('SELECT epoch, ended_at FROM runs WHERE id = ?').get(row.run)
      if (run?.epoch !== row.epoch || run.ended_at !== null) return 'stale_run'
    }
    const head = this.#statement('UPDATE logs SET seq = seq + 1 WHERE name = ? RETURNING seq').get(row.name)
    if (head === undefined) return 'no_log'
    this.#statement('INSERT INTO document_updates (name, seq, bytes, actor, run, at) VALUES (?, ?, ?, ?, ?, ?)').run(
      row.name,
      head.seq ?? null,
      row.bytes,
      row.actor,
      row.run,
      row.at,
    )
    for (const { sql, parameters } of row.also) this.#statement(sql).run(...parameters)
    return Number(head.seq)
  }
}

type ThreadMessage = { kind: 'attach'; port: MessagePort } | { kind: 'close' }

const { path } = workerData as { path: string }
const thread = new SqliteThread(path, (error) => parentPort?.postMessage(error))
parentPort?.on('message', (message: ThreadMessage) => {
  if (message.kind === 'attach') return thread.attach(message.port)
  thread.close()
  // Open ports of other threads would keep the thread alive.
  process.exit(0)
})
