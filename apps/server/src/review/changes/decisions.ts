import { type Author, type Change, hasNoContributorExcept } from '@copydesk/protocol'
import { contentName, readChangeIds, readChanges, roomName } from '@copydesk/schema'
import type { DocumentUpdate } from '@copydesk/tools'
import type { Transaction } from 'kysely'
import type { Refusal } from '../../common/errors.ts'
import type { Signals } from '../../common/signals.ts'
import { publishDocUpdate } from '../../events/publish.ts'
import { removeChanges, shownChanges } from '../../room/review.ts'
import type { DocumentTransactions, WriteManyScope } from '../../store/log/document-transactions.ts'
import type { Tables } from '../../store/tables.ts'
import { readContent, writeDecision } from '../content.ts'
import { type Check, findChanges, inParts, type RecordedChange, toChangeRecord } from '../review-rows.ts'
import { findHead, type Scope, toScope } from './change-scope.ts'
import { describeChange } from './listed-changes.ts'
import { type Preparation, prepareDecision, excludeTypedText } from './typed-inside.ts'

export type DecisionDeps = { writer: DocumentTransactions; signals: Signals; now: () => number }

export type Decision = 'accept' | 'reject'

/**
 * The person who decides; `run` is the run that decides for that user, so that undo of the run reverts the decision.
 */
export type Decider = Author & { run?: string }

/** Changes on which one user decides in one step: all of the same run, or of none. */
export type Order = {
  document: string
  ids: readonly string[]
  decision: Decision
  by: Decider
  run: string | undefined
  /** Whether the changes were selected by author or run; then changes with other contributors stay open. */
  isByName: boolean
  prepared: Preparation
  check: Check | undefined
}

type Decided = { changes: Change[]; rows: ReadonlyMap<string, RecordedChange> }

/** Executes orders in one transaction and returns the decided changes; after a refusal none of them is stored. */
export async function executeOrders(
  deps: DecisionDeps,
  document: string,
  orders: readonly Order[],
): Promise<{ ok: true; changes: Change[] } | Refusal> {
  const writes = orders.map((order) => ({
    author: { actor: order.by.id, ...(order.run === undefined ? {} : { run: order.run }) },
    change: (scope: WriteManyScope) =>
      noteRunDecision(toScope(document, scope), order, (each) => decideIn(deps, each, order)),
  }))
  const names = [contentName(document), roomName(document)]
  const outcomes = await rollBackIfRefused(() => deps.writer.writeEach(names, writes))
  if ('ok' in outcomes) return outcomes
  const changes = outcomes.flatMap((outcome) => outcome.changes)
  for (const [index, { decision }] of orders.entries()) {
    const outcome = outcomes[index]
    if (outcome && decision === 'accept') publishAccepted(deps.signals, document, outcome.changes, outcome.rows)
  }
  return { ok: true, changes }
}

async function decideIn({ now }: DecisionDeps, { content, room, trx }: Scope, order: Order): Promise<Decided> {
  const { document, decision, by, prepared, check } = order
  await check?.(trx)
  const rows = await findChanges(trx, document, order.ids)
  const before = readContent(content)
  if (!before.ok) throw new RefusedError(before)
  const wanted = new Set(order.ids.filter((id) => !order.isByName || hasNoOtherContributor(rows.get(id), by)))
  for (const id of order.ids) if (!wanted.has(id)) rows.delete(id)
  const open = readChanges(before.node).filter(({ id }) => wanted.has(id))
  // Changes recorded after the preparation need a new one.
  const isPrepared = [...rows.keys()].every((id) => prepared.rows.has(id))
  const known = isPrepared ? { ...prepared, rows } : await prepareDecision(document, rows.values(), decision, trx)
  await excludeTypedText(content, known, decision, trx)
  const read = readContent(content)
  if (!read.ok) throw new Error(`the document can't be read without its marks: ${read.message}`)
  const after = writeDecision(read, new Set(idsOf(open)), decision)
  // Changes on deleted text were deleted with that text.
  const left = new Set(readChangeIds(after))
  removeChanges(
    room,
    shownChanges(room).filter((id) => !left.has(id)),
  )
  await noteDecision(trx, order, idsOf(open), now())
  return { changes: open.map((change) => describeChange(change, rows.get(change.id))), rows }
}

async function noteDecision(
  trx: Transaction<Tables>,
  { document, decision, by }: Order,
  ids: readonly string[],
  at: number,
): Promise<void> {
  for (const part of inParts(ids)) {
    await trx
      .updateTable('changes')
      .set({ decision, decided_by: by.id, decided_by_name: by.name, decided_at: at })
      .where('document', '=', document)
      .where('id', 'in', part)
      .execute()
  }
}

function publishAccepted(
  signals: Signals,
  document: string,
  changes: readonly Change[],
  rows: ReadonlyMap<string, RecordedChange>,
): void {
  for (const { id, run } of changes) {
    const update = rows.get(id)?.update_json
    if (update) publishDocUpdate(signals, document, JSON.parse(update) as DocumentUpdate, run)
  }
}

/** Makes a decision and, if a run makes it, records the decision's row of the content log. */
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
function hasNoOtherContributor(row: RecordedChange | undefined, by: Author): boolean {
  return !row || hasNoContributorExcept(toChangeRecord(row), by.id)
}

/** Thrown inside a transaction to roll it back. */
class RefusedError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

async function rollBackIfRefused<T>(write: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal
    throw error
  }
}

/** The ids of changes or rows. */
export function idsOf(each: readonly { id: string }[]): string[] {
  return each.map(({ id }) => id)
}
