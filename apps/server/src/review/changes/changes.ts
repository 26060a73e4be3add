import type { Author, Change } from '@copydesk/protocol'
import { contentName, roomName } from '@copydesk/schema'
import { localizable } from '@copydesk/tools/localizable'
import type { DocumentUpdate } from '@copydesk/tools'
import type { Kysely } from 'kysely'
import { type Refusal, refuse } from '../../common/errors.ts'
import { serverActor } from '../../common/identity.ts'
import { putChanges } from '../../room/review.ts'
import { readHead } from '../../store/log/head-reader.ts'
import type { Tables } from '../../store/tables.ts'
import { type Content, readContent, writeContent } from '../content.ts'
import { findPlace, type Pointer } from '../place.ts'
import { authorColumns, type Check, findChanges, inParts, type RecordedChange, toChangeRecord } from '../review-rows.ts'
import { showOrStrip } from '../stray-marks.ts'
import { findHead, type Scope, toScope } from './change-scope.ts'
import { executeOrders, type Decider, type Decision, type DecisionDeps, idsOf, type Order } from './decisions.ts'
import {
  type ChangeAuthor,
  type ChangeFilter,
  createFilter,
  describeChange,
  findAuthors,
  listChanges,
} from './listed-changes.ts'
import { findProposal, noteSuggested, planProposal } from './proposed-wording.ts'
import { planSuggestion } from './suggestion.ts'
import { type Preparation, prepareDecision } from './typed-inside.ts'

export type ChangesDeps = DecisionDeps & { db: Kysely<Tables> }

type Suggested = { ok: true; change: Change }

/**
 * Suggested changes. Their content is in the document under an id. Their authors and decisions are in rows and, while
 * they are open, in the room. Only this class accepts or rejects them, one decision at a time. Used by the routes and
 * by the agent's workers. A refusal stores nothing.
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

  /** Suggests to replace the text of `pointer` by `replaceWith`, plain text. */
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
        if (!place.ok) return place
        return place.ranges.length > 1 ? severalCells() : planSuggestion(content.node, place.range, replaceWith, id)
      }),
    )
  }

  /**
   * Suggests the wording that a comment proposes, under the name of `author`; the comment then refers to the change.
   * Refused as `conflict` if the text is no longer the one that the comment quotes.
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

  /**
   * Accepts or rejects one change. Refused as `conflict`, with the name of the person who decided, if it is already
   * decided.
   */
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
    const outcome = await executeOrders(this.#deps, document, [order])
    if (!outcome.ok) return outcome
    const [change] = outcome.changes
    return change ? { ok: true, change } : this.#refuseDecided(document, id)
  }

  /**
   * Accepts or rejects all open changes that match every part of the filter, in one transaction. The changes of each
   * run are written under that run, so that an undo of the run also undoes the decision. If selected by author or run,
   * a change with contributors other than `by` stays open. Returns the decided changes; a refusal decides none.
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
    return executeOrders(this.#deps, document, orders)
  }

  /**
   * Handles changes that a client's update has introduced. Shows the authors of open changes in the room. A change that
   * is already decided comes from a client that hadn't received the decision, or from a copy: its marks are removed and
   * the content under them stays.
   */
  async receive(document: string, ids: readonly string[]): Promise<void> {
    await this.#write(document, { actor: serverActor }, async ({ content, room, trx }) => {
      showOrStrip(content, room, [...(await findChanges(trx, document, ids)).values()])
    })
  }

  /**
   * Selects the changes into which `writer` has written although they belong to another author. `writer` is a user id,
   * or `run:` and a run id.
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

  /** Selects the changes that have been decided. */
  async decided(document: string, ids: readonly string[]): Promise<string[]> {
    const rows = await findChanges(this.#deps.db, document, ids)
    return ids.filter((id) => (rows.get(id)?.decision ?? null) !== null)
  }

  /** Selects the changes on which `by` has made this decision. */
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

  async #refuseDecided(document: string, id: string): Promise<Refusal> {
    const row = (await findChanges(this.#deps.db, document, [id])).get(id)
    if (row?.decision) {
      const who = row.decided_by_name ?? 'Unknown person'
      return refuse(
        'conflict',
        row.decision === 'accept'
          ? localizable`${who} has already accepted this suggestion.`
          : localizable`${who} has already rejected this suggestion.`,
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

  #write<T>(document: string, author: { actor: string; run?: string }, change: (scope: Scope) => Promise<T>) {
    const names = [contentName(document), roomName(document)]
    return this.#deps.writer.writeMany(names, author, (scope) => change(toScope(document, scope)))
  }
}

function severalCells(): Refusal {
  return refuse('invalid_input', 'One text can’t replace several cells.', 'Select text in one cell.')
}
