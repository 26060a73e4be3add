import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { SqliteLink } from './sqlite-link.ts'
import type { SqlValue, Statement } from './sqlite-protocol.ts'

/** A Kysely dialect over a `SqliteLink`: connections cost nothing; a transaction is a lease of the SQLite thread. */
export function createSqliteDialect(link: SqliteLink): Dialect {
  return {
    createAdapter: () => new LinkAdapter(),
    createDriver: () => new LinkDriver(link),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Converts a compiled query to a statement for the thread; booleans become 0 and 1, undefined becomes null. */
export function toStatement(query: CompiledQuery): Statement {
  return { sql: query.sql, parameters: query.parameters.map(toSqlValue) }
}

function toSqlValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a ${typeof value} can't be stored; encode it first`)
}

/**
 * With a single connection, Kysely would execute statements one after the other; with several, reads don't wait until
 * earlier writes are on disk.
 */
class LinkAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class LinkDriver implements Driver {
  readonly #link: SqliteLink
  constructor(link: SqliteLink) {
    this.#link = link
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<LinkConnection> {
    return new LinkConnection(this.#link)
  }

  async beginTransaction(connection: LinkConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: LinkConnection): Promise<void> {
    await connection.end(true)
  }

  async rollbackTransaction(connection: LinkConnection): Promise<void> {
    await connection.end(false)
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#link.close()
  }
}

class LinkConnection implements DatabaseConnection {
  readonly #link: SqliteLink
  #lease: number | null = null
  constructor(link: SqliteLink) {
    this.#link = link
  }

  async begin(): Promise<void> {
    this.#lease = await this.#link.begin()
  }

  async end(commit: boolean): Promise<void> {
    if (this.#lease === null) return
    const lease = this.#lease
    this.#lease = null
    await this.#link.end(lease, commit)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#link.query(toStatement(query), this.#lease)
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  // oxlint-disable-next-line require-yield -- part of the interface; nothing here is large enough to stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming queries are not supported')
  }
}
