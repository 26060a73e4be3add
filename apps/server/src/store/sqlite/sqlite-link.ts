import type { MessagePort } from 'node:worker_threads'
import { packRows } from './packed-rows.ts'
import type {
  AppendRefusal,
  AppendResult,
  AppendRow,
  QueryAnswer,
  SqliteRequest,
  SqliteResponse,
  SqliteValue,
  Statement,
} from './sqlite-protocol.ts'

type Pending = {
  resolve: (value: SqliteValue) => void
  reject: (error: Error) => void
  onWritten?: ((value: SqliteValue) => void) | undefined
}
type RequestBody<T> = T extends SqliteRequest ? Omit<T, 'id'> : never

/** The store refused or failed a request. `code` is SQLite's or Node's error code. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** The `code` of the error when a transaction took too long and was rolled back. */
export const transactionExpired = 'TRANSACTION_EXPIRED'

/**
 * One caller's connection to the SQLite thread. Requests run in order, except those of a transaction; reads may be
 * answered before earlier writes.
 */
export class SqliteLink {
  readonly #port: MessagePort
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  #closed = false

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (response: SqliteResponse) => this.#settle(response))
    port.on('close', () => this.#fail(new StoreError('the store is closed', 'STORE_CLOSED')))
  }

  async query(statement: Statement, lease: number | null): Promise<QueryAnswer> {
    return (await this.#send({ kind: 'query', lease, statement })) as QueryAnswer
  }

  async begin(): Promise<number> {
    return (await this.#send({ kind: 'begin' })) as number
  }

  async end(lease: number, commit: boolean): Promise<void> {
    await this.#send({ kind: 'end', lease, commit })
  }

  /**
   * Resolves when the rows are on disk. Calls `onWritten` earlier, when the rows can be lost only by a failure of the
   * machine.
   */
  async append(rows: AppendRow[], onWritten?: (results: AppendResult[]) => void): Promise<AppendResult[]> {
    const packed = packRows(rows)
    let results: AppendResult[] = []
    await this.#send({ kind: 'append', rows: packed }, [packed.bytes.buffer], (value) => {
      results = (value as (number | AppendRefusal)[]).map(toResult)
      onWritten?.(results)
    })
    return results
  }

  /** Resolves when all earlier writes of any caller are on disk. */
  async sync(): Promise<void> {
    await this.#send({ kind: 'sync' })
  }

  /** Rejects later and pending requests. May be called twice. */
  close(): void {
    this.#closed = true
    this.#port.close()
  }

  #send(
    body: RequestBody<SqliteRequest>,
    transfer: ArrayBuffer[] = [],
    onWritten?: Pending['onWritten'],
  ): Promise<SqliteValue> {
    if (this.#closed) return Promise.reject(new StoreError('the store is closed', 'STORE_CLOSED'))
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onWritten })
      this.#port.postMessage({ id, ...body }, transfer)
    })
  }

  #settle(response: SqliteResponse): void {
    const pending = this.#pending.get(response.id)
    if (response.kind === 'written') return pending?.onWritten?.(response.value)
    this.#pending.delete(response.id)
    if (response.kind === 'done') pending?.resolve(response.value)
    else pending?.reject(new StoreError(response.message, response.code))
  }

  #fail(error: StoreError): void {
    this.#closed = true
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }
}

function toResult(place: number | AppendRefusal): AppendResult {
  return typeof place === 'number' ? { ok: true, seq: place } : { ok: false, reason: place }
}
