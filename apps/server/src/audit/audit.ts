import { randomUUID } from 'node:crypto'
import type { AuditAction, AuditEntry, AuditList, AuditQuery } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { toCsvCell } from '../common/csv.ts'
import { agentIdentity } from '../common/identity.ts'
import { readCursor, writeCursor } from '../common/cursor.ts'
import type { AuditRow, Tables } from '../store/tables.ts'

/** An action. `at` is milliseconds since 1970; `details` never contains document text or secrets. */
export type AuditEvent = {
  at: number
  actor: string | null
  action: AuditAction
  document?: string | undefined
  target?: string | undefined
  address?: string | undefined
  details?: Readonly<Record<string, unknown>> | undefined
}

/** Selects entries. */
export type AuditFilter = Omit<AuditQuery, 'cursor' | 'format'>

const pageSize = 100
const Cursor = z.tuple([z.number(), z.string()])
const Details = z.record(z.string(), z.unknown())

/** Appends an event permanently to the log, in the transaction of the event if there is one. */
export async function recordAuditEvent(db: Kysely<Tables>, event: AuditEvent): Promise<void> {
  const { at, actor, action, document, target, address, details } = event
  await db
    .insertInto('audit')
    .values({
      id: randomUUID(),
      at,
      actor,
      action,
      document: document ?? null,
      target: target ?? null,
      address: address ?? null,
      details: details === undefined ? null : JSON.stringify(details),
    })
    .execute()
}

/** Read access to the audit log of actions by people and agents. */
export class AuditLog {
  readonly #db: Kysely<Tables>
  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /** A page of entries, newest first. @throws RequestError `invalid_input` for a cursor that no page returned. */
  async list(filter: AuditFilter, cursor?: string): Promise<Omit<AuditList, 'titles' | 'names'>> {
    let query = this.#select(filter)
    if (cursor !== undefined) {
      const [at, id] = readCursor(cursor, Cursor)
      query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'audit.id'), '<', tuple(at, id)))
    }
    const rows = await query.limit(pageSize + 1).execute()
    const page = rows.slice(0, pageSize)
    const last = page.at(-1)
    const nextCursor = rows.length > pageSize && last ? writeCursor([last.at, last.id]) : null
    return { entries: page.map(toEntry), nextCursor }
  }

  /** All entries, newest first, page by page. */
  async *all(filter: AuditFilter): AsyncIterable<AuditEntry> {
    let cursor: string | undefined
    do {
      const page = await this.list(filter, cursor)
      yield* page.entries
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  #select({ actor, action, document, from, to }: AuditFilter) {
    let query = this.#db
      .selectFrom('audit')
      .leftJoin('people', 'people.id', 'audit.actor')
      .selectAll('audit')
      .select('people.name as actor_name')
    if (actor !== undefined) query = query.where('actor', '=', actor)
    if (action !== undefined) query = query.where('action', '=', action)
    if (document !== undefined) query = query.where('document', '=', document)
    if (from !== undefined) query = query.where('at', '>=', Date.parse(from))
    if (to !== undefined) query = query.where('at', '<', Date.parse(to))
    return query.orderBy('at', 'desc').orderBy('audit.id', 'desc')
  }
}

function toEntry(row: AuditRow & { actor_name: string | null }): AuditEntry {
  const { id, at, actor, action, document, target, address, details } = row
  const name = actor === agentIdentity.id ? agentIdentity.name : (row.actor_name ?? '')
  return {
    id,
    at: new Date(at).toISOString(),
    actor: actor === null ? null : { id: actor, name },
    action,
    document,
    target,
    address,
    details: details === null ? null : Details.parse(JSON.parse(details)),
  }
}

export async function* toJsonLines(entries: AsyncIterable<AuditEntry>): AsyncIterable<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

const columns = ['at', 'actor', 'actorName', 'action', 'document', 'target', 'address', 'details'] as const

/** Entries as CSV with a header line (RFC 4180). A cell that looks like a formula is escaped with an apostrophe. */
export async function* toCsv(entries: AsyncIterable<AuditEntry>): AsyncIterable<string> {
  yield `${columns.join(',')}\r\n`
  for await (const { at, actor, action, document, target, address, details } of entries) {
    const cells = [at, actor?.id, actor?.name, action, document, target, address, details && JSON.stringify(details)]
    yield `${cells.map((cell) => toCsvCell(cell ?? '')).join(',')}\r\n`
  }
}
