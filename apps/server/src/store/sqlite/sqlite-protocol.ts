/** Messages between a thread that uses the store and the single thread that has opened the SQLite file. */

/** A value that SQLite can store. */
export type SqlValue = null | number | bigint | string | Uint8Array

export type Statement = { sql: string; parameters: SqlValue[] }

/**
 * One update to append to a document's log, and statements to run in the same transaction (such as inserting a run that
 * the update starts). If `run` is given, the row is refused unless the run is active and its lease epoch is still
 * `epoch`.
 */
export type AppendRow = {
  name: string
  bytes: Uint8Array
  actor: string
  run: string | null
  epoch: number | null
  at: number
  also: Statement[]
}

/**
 * Rows as sent to the SQLite thread: column by column, with all updates in one transferable buffer. Sending a single
 * typed array would copy its whole underlying buffer, which contains all data that a client sent in one read.
 */
export type PackedRows = {
  bytes: Uint8Array<ArrayBuffer>
  /** The end offset of each row's update in `bytes`. */
  ends: number[]
  names: string[]
  actors: string[]
  runs: (string | null)[]
  epochs: (number | null)[]
  times: number[]
  also: AppendRow['also'][]
}

/** The result of one appended row: its sequence number, or the reason why it was refused. */
export type AppendResult = { ok: true; seq: number } | { ok: false; reason: AppendRefusal }

/** `stale_run`: another worker has claimed the run, or the run has ended. `no_log`: there is no such document. */
export type AppendRefusal = 'stale_run' | 'no_log'

/**
 * Requests to the thread. `begin` returns a lease when all earlier transactions have ended. Statements with that lease
 * run inside the transaction; all other requests wait until it ends.
 */
export type SqliteRequest =
  | { id: number; kind: 'query'; lease: number | null; statement: Statement }
  | { id: number; kind: 'begin' }
  | { id: number; kind: 'end'; lease: number; commit: boolean }
  | { id: number; kind: 'append'; rows: PackedRows }
  /** Answered when all earlier commits of any caller are on disk. */
  | { id: number; kind: 'sync' }

/** The rows of a query, and the number of rows that a write changed. */
export type QueryAnswer = { rows: Record<string, SqlValue>[]; changes: number }

/** The result of a request; for an append, each row's sequence number or the reason why it was refused. */
export type SqliteValue = QueryAnswer | (number | AppendRefusal)[] | number | null

/**
 * The thread's response to the request of the same id, sent when the request's writes are on disk. For an append,
 * `written` precedes it as soon as the rows are in the WAL: they then survive the end of this process, but not a power
 * failure.
 */
export type SqliteResponse =
  | { id: number; kind: 'written'; value: SqliteValue }
  | { id: number; kind: 'done'; value: SqliteValue }
  | { id: number; kind: 'failed'; message: string; code: string }
