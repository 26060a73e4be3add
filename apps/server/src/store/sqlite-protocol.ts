/** What travels between a thread that uses the store and the one thread that has the SQLite file open. */

/** A value that SQLite can keep. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** One statement with its parameters. */
export type Statement = { sql: string; parameters: SqlValue[] }

/**
 * One update to append to a document's log, and statements to run in the same transaction (a run that the update
 * starts). If `run` is given, the row is refused unless the run goes on and its lease epoch still is `epoch`.
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
 * Rows as they travel to the SQLite thread: column by column, and all updates in one piece that changes hands. A typed array on its own
 * travels with the whole buffer that it is a part of, which is all that a client sent in one go.
 */
export type PackedRows = {
  bytes: Uint8Array<ArrayBuffer>
  /** Where each row's update ends in `bytes`. */
  ends: number[]
  names: string[]
  actors: string[]
  runs: (string | null)[]
  epochs: (number | null)[]
  times: number[]
  also: AppendRow['also'][]
}

/** What became of one appended row: its place in the log, or why it was refused. */
export type AppendResult = { ok: true; seq: number } | { ok: false; reason: AppendRefusal }

/** The run has gone on elsewhere or has ended; there is no such document. */
export type AppendRefusal = 'stale_run' | 'no_log'

/**
 * Requests to the thread. `begin` answers with a lease when it is this caller's turn; statements with that lease run
 * inside the transaction, everything else waits until it ends.
 */
export type SqliteRequest =
  | { id: number; kind: 'query'; lease: number | null; statement: Statement }
  | { id: number; kind: 'begin' }
  | { id: number; kind: 'end'; lease: number; commit: boolean }
  | { id: number; kind: 'append'; rows: PackedRows }
  /** Answered when everything that anybody has committed before is on disk. */
  | { id: number; kind: 'sync' }

/** Rows of a query and how many rows a write changed. */
export type QueryAnswer = { rows: Record<string, SqlValue>[]; changes: number }

/** What a request is answered with; an append with each row's place in the log, or why it was refused. */
export type SqliteValue = QueryAnswer | (number | AppendRefusal)[] | number | null

/**
 * The thread's answer to the request of the same id, which comes when what the request has written is on disk; of an append it is preceded by
 * `written`, as soon as the rows are in SQLite's log of writes: they outlive this process, but not the power.
 */
export type SqliteResponse =
  | { id: number; kind: 'written'; value: SqliteValue }
  | { id: number; kind: 'done'; value: SqliteValue }
  | { id: number; kind: 'failed'; message: string; code: string }
