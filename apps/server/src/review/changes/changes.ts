import { type Author, type Change, goesWithItsAuthor } from '@copydesk/protocol'
import { contentName, readChangeIds, readChanges, roomName } from '@copydesk/schema'
import type { DocumentUpdate } from '@copydesk/tools'
import type { Kysely, Transaction } from 'kysely'
import type * as Y from 'yjs'
import { serverActor } from '../../common/identity.ts'
import { publishDocUpdate } from '../../events/publish.ts'
import { putChanges, removeChanges, shownChanges } from '../../room/review.ts'
import type { Signals } from '../../common/signals.ts'
import type { DocumentTransactions, WriteManyScope } from '../../store/log/document-transactions.ts'
import type { Tables } from '../../store/tables.ts'
import { type Content, readContent, writeContent, writeDecision } from '../content.ts'
import { readHead } from '../../store/log/head-reader.ts'
import {
  type ChangeAuthor,
  type ChangeFilter,
  createFilter,
  describeChange,
  findAuthors,
  listChanges,
} from './listed-changes.ts'
import { findPlace, type Pointer } from '../place.ts'
import { type Refusal, refuse } from '../../common/refusal.ts'
import {
  authorColumns,
  type Check,
  type Db,
  findChanges,
  inParts,
  type RecordedChange,
  toChangeRecord,
} from '../review-rows.ts'
import { showOrStrip } from '../stray-marks.ts'
import { findProposal, noteSuggested, planProposal } from './proposed-wording.ts'
import { planSuggestion } from './suggestion.ts'
import { type Preparation, prepareDecision, takeOutTyped } from './typed-inside.ts'

export type ChangesDeps = { db: Kysely<Tables>; writer: DocumentTransactions; signals: Signals; now: () => number }

export type Decision = 'accept' | 'reject'

const decided = { accept: 'accepted', reject: 'rejected' } as const

/** Who decides; `run` is the run that does it for that user, so that undo of the run takes the decision back. */
export type Decider = Author & { run?: string }

/** Changes on which one user decides in one step: all of the same run, or of none. */
type Order = {
  document: string
  ids: readonly string[]
  decision: Decision
  by: Decider
  run: string | undefined
  /** Whether the changes were chosen by author or run; then those with other contributors stay open. */
  isByName: boolean
  prepared: Preparation
  check: Check | undefined
}

type Decided = { changes: Change[]; rows: ReadonlyMap<string, RecordedChange> }

type Suggested = { ok: true; change: Change }

type Scope = { content: Y.Doc; room: Y.Doc; trx: Transaction<Tables> }

/**
 * Suggested changes. Their content is in the document under an id. Who made and decided them is in rows and, while they
 * are open, in the room. Only this class accepts or rejects them, one decision at a time. Used by the routes and by the
 * agent's workers. A refusal stores nothing.
 */
export class Changes {
  readonly #deps: ChangesDeps
  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  /** The open changes, in document order. Takes no lock. */
  async list(document: string): Promise<{ ok: true; changes: Change[] } | Refusal> {
    const { db } = this.#deps
    const head = await readHead(db, contentName(document))
    if (head) return listChanges(head, document, db)
    return this.#write(document, { actor: serverActor }, ({ content, trx }) => listChanges(content, document, trx))
  }

  /** The authors of the undecided changes, by change id. */
  authors(document: string): Promise<Map<string, ChangeAuthor>> {
    return findAuthors(this.#deps.db, document)
  }

  /** Suggests to replace what `pointer` names by `replaceWith`, plain text. */
  async suggest(
    document: string,
    id: string,
    pointer: Pointer,
    replaceWith: string,
    author: Author,
  ): Promise<Suggested | Refusal> {
    return this.#write(document, { actor: author.id }, (scope) =>
      this.#suggestIn(scope, document, id, author, (content) => {
        const place = findPlace(content, pointer)
        return place.ok ? planSuggestion(content.node, place.range, replaceWith, id) : place
      }),
    )
  }

  /**
   * Suggests the wording that a comment proposes, under the name of `author`; the comment then names the change.
   * Refused as `conflict` if the text isn't what the comment quotes any more.
   */
  async suggestProposed(document: string, id: string, comment: string, author: Author): Promise<Suggested | Refusal> {
    return this.#write(document, { actor: author.id }, async (scope) => {
      const { room, trx } = scope
      const proposal = await findProposal(trx, document, comment)
      if (!proposal.ok) return proposal
      const outcome = await this.#suggestIn(scope, document, id, author, (content) =>
        planProposal(content, proposal, id),
      )
      if (outcome.ok) await noteSuggested(trx, room, { document, thread: proposal.thread, comment }, id)
      return outcome
    })
  }

  async #suggestIn(
    { content, room, trx }: Scope,
    document: string,
    id: string,
    author: Author,
    planIn: (content: Content) => ReturnType<typeof planSuggestion>,
  ): Promise<Suggested | Refusal> {
    const seq = await findHead(trx, document)
    const read = readContent(content)
    if (!read.ok) return read
    const plan = planIn(read)
    if (!plan.ok) return plan
    writeContent(read, plan.transform)
    const row = { ...this.#undecided(document, id), ...authorColumns(author), seq }
    await trx.insertInto('changes').values(row).execute()
    const recorded: RecordedChange = { ...row, contributors: [] }
    putChanges(room, [toChangeRecord(recorded)])
    return { ok: true, change: describeChange(plan.change, recorded) }
  }

  /** Accepts or rejects one change. Refused as `conflict`, naming who decided, if the change is already decided. */
  async decide(
    document: string,
    id: string,
    decision: Decision,
    by: Decider,
    check?: Check,
  ): Promise<{ ok: true; change: Change } | Refusal> {
    const prepared = await this.#prepare(document, [id], decision)
    const run = prepared.rows.get(id)?.run ?? undefined
    const order: Order = { document, ids: [id], decision, by, run, isByName: false, prepared, check }
    const outcome = await this.#carryOut(document, [order])
    if (!outcome.ok) return outcome
    const [change] = outcome.changes
    return change ? { ok: true, change } : this.#refuseDecided(document, id)
  }

  /**
   * Accepts or rejects all open changes that fit every part of the filter, in one transaction. The changes of each run
   * are written under that run, so that an undo of the run also undoes the decision. If chosen by author or run, a
   * change with contributors other than `by` stays open. Returns the decided changes; a refusal decides none.
   */
  async decideAll(
    document: string,
    decision: Decision,
    by: Decider,
    filter: ChangeFilter = {},
    check?: Check,
  ): Promise<{ ok: true; changes: Change[] } | Refusal> {
    const listed = await this.list(document)
    if (!listed.ok) return listed
    const chosen = listed.changes.filter(createFilter(filter, by))
    const prepared = await this.#prepare(document, idsOf(chosen), decision)
    const orders = [...Map.groupBy(chosen, (change) => change.run)].map(([run, changes]): Order => ({
      document,
      ids: idsOf(changes),
      decision,
      by,
      run,
      isByName: filter.author !== undefined || filter.run !== undefined,
      prepared,
      check,
    }))
    return this.#carryOut(document, orders)
  }

  /**
   * Handles changes that a client's update has brought in. Shows the authors of open changes in the room. A change that
   * is already decided comes from a client that hadn't seen the decision, or from a copy: its marks are removed and the
   * content under them stays.
   */
  async receive(document: string, ids: readonly string[]): Promise<void> {
    await this.#write(document, { actor: serverActor }, async ({ content, room, trx }) => {
      showOrStrip(content, room, [...(await findChanges(trx, document, ids)).values()])
    })
  }

  /**
   * Those of these changes into which `writer` has written although they belong to another author. `writer` is a user
   * id, or `run:` and a run id.
   */
  async writtenInto(document: string, ids: readonly string[], writer: string): Promise<string[]> {
    const parts = inParts(ids).map((part) => {
      const contributors = this.#deps.db
        .selectFrom('change_contributors')
        .select('change')
        .where('document', '=', document)
      return contributors.where('writer', '=', writer).where('change', 'in', part).execute()
    })
    return (await Promise.all(parts)).flat().map(({ change }) => change)
  }

  /** Those of these changes that have been decided. */
  async decided(document: string, ids: readonly string[]): Promise<string[]> {
    const rows = await findChanges(this.#deps.db, document, ids)
    return ids.filter((id) => (rows.get(id)?.decision ?? null) !== null)
  }

  /** Those of these changes that `by` has decided with this decision. */
  async decidedBy(document: string, ids: readonly string[], decision: Decision, by: Author): Promise<Set<string>> {
    const rows = [...(await findChanges(this.#deps.db, document, ids)).values()]
    return new Set(idsOf(rows.filter((row) => row.decision === decision && row.decided_by === by.id)))
  }

  /** Stores the update that integrations receive when this change is accepted. */
  async noteUpdate(document: string, id: string, update: DocumentUpdate, check?: Check): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      await check?.(trx)
      await trx
        .updateTable('changes')
        .set({ update_json: JSON.stringify(update) })
        .where('document', '=', document)
        .where('id', '=', id)
        .execute()
    })
  }

  async #prepare(document: string, ids: readonly string[], decision: Decision): Promise<Preparation> {
    const { db } = this.#deps
    return prepareDecision(document, (await findChanges(db, document, ids)).values(), decision, db)
  }

  // All orders in one transaction: a refusal stores none of them.
  async #carryOut(document: string, orders: readonly Order[]): Promise<{ ok: true; changes: Change[] } | Refusal> {
    const writes = orders.map((order) => ({
      author: { actor: order.by.id, ...(order.run === undefined ? {} : { run: order.run }) },
      change: (scope: WriteManyScope) =>
        noteRunDecision(toScope(document, scope), order, (each) => this.#decideIn(each, order)),
    }))
    const names = [contentName(document), roomName(document)]
    const outcomes = await orNothing(() => this.#deps.writer.writeEach(names, writes))
    if ('ok' in outcomes) return outcomes
    const changes = outcomes.flatMap((outcome) => outcome.changes)
    for (const [index, { decision }] of orders.entries()) {
      const outcome = outcomes[index]
      if (outcome && decision === 'accept') this.#tell(document, outcome.changes, outcome.rows)
    }
    return { ok: true, changes }
  }

  async #decideIn({ content, room, trx }: Scope, order: Order): Promise<Decided> {
    const { document, decision, by, prepared, check } = order
    await check?.(trx)
    const rows = await findChanges(trx, document, order.ids)
    const before = readContent(content)
    if (!before.ok) throw new RefusedError(before)
    const wanted = new Set(order.ids.filter((id) => !order.isByName || isByNobodyElse(rows.get(id), by)))
    for (const id of order.ids) if (!wanted.has(id)) rows.delete(id)
    const open = readChanges(before.node).filter(({ id }) => wanted.has(id))
    // Changes that came in after the preparation need a new one.
    const isPrepared = [...rows.keys()].every((id) => prepared.rows.has(id))
    const known = isPrepared ? { ...prepared, rows } : await prepareDecision(document, rows.values(), decision, trx)
    await takeOutTyped(content, known, decision, trx)
    const read = readContent(content)
    if (!read.ok) throw new Error(`the document can't be read without its marks: ${read.message}`)
    const after = writeDecision(read, new Set(idsOf(open)), decision)
    // Changes on deleted text are gone with that text.
    const left = new Set(readChangeIds(after))
    removeChanges(
      room,
      shownChanges(room).filter((id) => !left.has(id)),
    )
    await this.#noteDecision(trx, document, idsOf(open), decision, by)
    return { changes: open.map((change) => describeChange(change, rows.get(change.id))), rows }
  }

  async #noteDecision(
    trx: Transaction<Tables>,
    document: string,
    ids: readonly string[],
    decision: Decision,
    by: Author,
  ): Promise<void> {
    for (const part of inParts(ids)) {
      await trx
        .updateTable('changes')
        .set({ decision, decided_by: by.id, decided_by_name: by.name, decided_at: this.#deps.now() })
        .where('document', '=', document)
        .where('id', 'in', part)
        .execute()
    }
  }

  #tell(document: string, changes: readonly Change[], rows: ReadonlyMap<string, RecordedChange>): void {
    for (const { id, run } of changes) {
      const update = rows.get(id)?.update_json
      if (update) publishDocUpdate(this.#deps.signals, document, JSON.parse(update) as DocumentUpdate, run)
    }
  }

  async #refuseDecided(document: string, id: string): Promise<Refusal> {
    const row = (await findChanges(this.#deps.db, document, [id])).get(id)
    if (row?.decision) {
      const who = row.decided_by_name ?? 'Unknown person'
      return refuse(
        'conflict',
        `${who} has already ${decided[row.decision]} this suggestion.`,
        'There is nothing left to decide.',
      )
    }
    return refuse(
      'not_found',
      'There is no such suggestion in this document.',
      'It was decided or its text deleted meanwhile.',
    )
  }

  #undecided(document: string, id: string) {
    const undecided = { decision: null, decided_by: null, decided_by_name: null, decided_at: null, update_json: null }
    return { document, id, run: null, created_at: this.#deps.now(), ...undecided }
  }

  #write<T>(
    document: string,
    author: { actor: string; run?: string },
    change: (scope: Scope) => Promise<T>,
  ): Promise<T> {
    const names = [contentName(document), roomName(document)]
    return this.#deps.writer.writeMany(names, author, (scope) => change(toScope(document, scope)))
  }
}

/** Makes a decision, and records the row of the content log that it will have if a run makes it. */
async function noteRunDecision(
  scope: Scope,
  { document, by: { run } }: Order,
  decide: (scope: Scope) => Promise<Decided>,
): Promise<Decided> {
  const { content, trx } = scope
  let isWritten = false
  const note = (): void => void (isWritten = true)
  content.on('update', note)
  try {
    const outcome = await decide(scope)
    const seq = (await findHead(trx, document)) + 1
    if (run !== undefined && isWritten) {
      await trx
        .insertInto('run_decisions')
        .values({ name: contentName(document), seq, run })
        .execute()
    }
    return outcome
  } finally {
    content.off('update', note)
  }
}

/**
 * Whether only the author and `by` have written into a change. Checked again inside the transaction, where there are no
 * concurrent writers.
 */
function isByNobodyElse(row: RecordedChange | undefined, by: Author): boolean {
  return !row || goesWithItsAuthor(toChangeRecord(row), by.id)
}

function toScope(document: string, { docs, trx }: WriteManyScope): Scope {
  const [content, room] = [docs.get(contentName(document)), docs.get(roomName(document))]
  if (!content || !room) throw new Error(`no documents of ${document}`)
  return { content, room, trx }
}

/** Thrown inside a transaction to roll it back. */
class RefusedError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

async function orNothing<T>(write: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal
    throw error
  }
}

function idsOf(each: readonly { id: string }[]): string[] {
  return each.map(({ id }) => id)
}

async function findHead(db: Db, document: string): Promise<number> {
  const log = db.selectFrom('logs').select('seq').where('name', '=', contentName(document))
  return (await log.executeTakeFirstOrThrow()).seq
}
