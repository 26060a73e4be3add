import { compareDocuments, stripChanges } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { Transform, type Mapping, type StepMap } from 'prosemirror-transform'
import * as Y from 'yjs'
import type { ToolResult } from '../../common/result.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import { caretAt, type Selected } from '../host/caret.ts'
import { type ChangeIds, createChangeIds } from '../commit/change-ids.ts'
import { type Prepared, preparePlan } from '../commit/change-plan.ts'
import { caretPosition, type CommitContext, type Planner, writeChange } from '../commit/commit.ts'
import { createDocumentView, type DocumentView } from '../../document/document-view.ts'
import { Outline } from '../../document/outline.ts'
import { readFrontmatter } from '../../document/reader.ts'
import type { Range } from '../../document/changed-ranges.ts'
import type { ToolCallContext } from '../host/session-options.ts'
import { applyTransform } from '../write/write-steps.ts'

/** The document and the caller's selection at the beginning of a streamed call. */
export type LiveBase = { view: DocumentView; selection: Selected | undefined }

/** The origin of the transactions that stream one call; `of` is the origin of its session. */
export class LiveOrigin {
  readonly of: object
  constructor(of: object) {
    this.of = of
  }
}

/**
 * A call that the model is still writing, whose effect is streamed into the document for all users. Each `write` makes
 * a new plan, with more of the text, on the document as it was at the first `write`, and merges only the difference
 * from the previous plan into the current document: concurrent changes of others are kept.
 */
export class LiveCall {
  readonly #call: ToolCallContext
  readonly #context: CommitContext
  readonly #selection: () => Selected | undefined
  readonly #origin: object
  readonly #ids: ChangeIds
  #base: LiveBase | undefined
  #regions: readonly Range[] = []
  /** The result of the latest plan on the base document. */
  #shown: Node | undefined
  #undo: Y.UndoManager | undefined
  #isOver = false

  /** Nothing is written before the first `write` that has a plan. */
  constructor(call: ToolCallContext, context: CommitContext, selection: () => Selected | undefined) {
    this.#call = call
    this.#context = context
    this.#selection = selection
    this.#origin = new LiveOrigin(context.options.origin)
    this.#ids = createChangeIds(() => this.#regions, context.ids)
  }

  get base(): LiveBase | undefined {
    return this.#isOver ? undefined : this.#base
  }

  /** Updates the document to the plan for the arguments so far; a plan that fails changes nothing. */
  write(planner: Planner): void {
    const { doc, fragment, reader, options, receipts, forwarder } = this.#context
    const read = reader.read()
    if (this.#isOver || !options.canEdit || !read.ok) return
    this.#base ??= freeze(read.view, this.#context, this.#selection())
    const prepared = this.#prepare(planner, this.#base)
    if (!prepared.ok || prepared.plan.frontmatter !== undefined) return
    const merged = mergeInto(read.view.doc, this.#shown ?? this.#base.view.doc, prepared.transform.doc)
    if (!merged) this.#isOver = true
    if (!merged || merged.steps.length === 0) return
    this.#undo ??= watch(fragment, this.#origin)
    doc.transact((transaction) => {
      applyTransform(fragment, merged, reader)
      forwarder.note(transaction)
      receipts.open(this.#call.callId)
    }, this.#origin)
    this.#shown = prepared.transform.doc
    showCaret(merged, this.#context)
  }

  /**
   * Finishes with the complete call; `undefined` if it must be executed normally, after all streamed content was
   * reverted.
   */
  settle(planner: Planner): ToolResult | undefined {
    const base = this.#base
    const read = this.#context.reader.read()
    const prepared = this.#isOver || !base || !this.#undo || !read.ok ? undefined : this.#prepare(planner, base)
    if (!base || !read.ok || !prepared?.ok) {
      this.revert()
      return prepared?.ok === false ? prepared.result : undefined
    }
    const shown = this.#shown ?? base.view.doc
    const merged = mergeInto(read.view.doc, shown, prepared.transform.doc)
    if (!merged) {
      this.revert()
      return undefined
    }
    this.#isOver = true
    this.#undo?.destroy()
    this.#undo = undefined
    const onto = compareDocuments(prepared.transform.doc, merged.doc).mapping
    const textBefore = textWithout(read.view.doc, shown, base.view.doc)
    const change = { ...prepared, merged: { transform: merged, onto, textBefore } }
    return writeChange(this.#call, change, base.view, this.#context)
  }

  /**
   * The steps that remove the content that this call has streamed into `doc`; `undefined` if others have changed it
   * too.
   */
  revertIn(doc: Node): Transform | undefined {
    const base = this.base
    return base && this.#shown ? mergeInto(doc, this.#shown, base.view.doc) : undefined
  }

  /** Reverts all streamed content; text that others typed into it is kept. May be called twice. */
  revert(): void {
    this.#isOver = true
    const undo = this.#undo
    this.#undo = undefined
    if (!undo) return
    const { doc, options, receipts, forwarder } = this.#context
    doc.transact((transaction) => {
      undo.undo()
      forwarder.note(transaction, { isRevert: true })
      receipts.discard(this.#call.callId)
    }, options.origin)
    undo.destroy()
    this.#stripLeftovers()
  }

  // If a user has typed into a suggestion, their editor has added mark items around the text, which undo doesn't
  // remove.
  #stripLeftovers(): void {
    const { doc, fragment, reader, options } = this.#context
    const ids = new Set(this.#ids.used())
    const read = reader.read()
    if (ids.size === 0 || !read.ok) return
    const stripped = stripChanges(read.view.doc, ids)
    if (stripped.steps.length === 0) return
    doc.transact(() => applyTransform(fragment, stripped, reader), options.origin)
  }

  #prepare(planner: Planner, { view }: LiveBase): Prepared {
    const plan = planner(view)
    if (plan.ok) this.#regions = plan.regions ?? []
    const { options, table } = this.#context
    return preparePlan(plan, { call: this.#call, options, view, ids: this.#ids, table })
  }
}

// The view for plans must stay valid while other views are created.
function freeze(view: DocumentView, { doc, reader, options }: CommitContext, selection: Selected | undefined) {
  const frozen = createDocumentView(view.doc, {
    types: [...reader.children()],
    ydoc: doc,
    frontmatter: readFrontmatter(doc),
    outline: new Outline(),
    request: options.request,
  })
  return { view: frozen, selection }
}

function watch(fragment: Y.XmlFragment, origin: object): Y.UndoManager {
  return new Y.UndoManager([fragment], {
    trackedOrigins: new Set([origin]),
    captureTimeout: Number.POSITIVE_INFINITY,
    deleteFilter: (item) => !hasContentOfOthers(item, fragment.doc?.clientID),
  })
}

/** Whether a written element contains content that another peer has added. */
function hasContentOfOthers({ content }: Y.Item, own: number | undefined): boolean {
  if (!(content instanceof Y.ContentType)) return false
  for (let item = content.type._start; item !== null; item = item.right) {
    if (item.deleted) continue
    if (item.id.client !== own && item.countable) return true
    if (hasContentOfOthers(item, own)) return true
  }
  return false
}

function showCaret(merged: Transform, { fragment, reader, announce }: CommitContext): void {
  let end: number | undefined
  for (const map of merged.mapping.maps) map.forEach((_from, _to, _start, newEnd) => (end ??= newEnd))
  const now = reader.read()
  if (end !== undefined && now.ok) announce(caretAt(caretPosition(now.view, end), now.view, fragment, reader))
}

/**
 * The changes from `before` to `after`, rebased onto `current`, which others have derived from `before`; `undefined` if
 * they conflict.
 */
function mergeInto(current: Node, before: Node, after: Node): Transform | undefined {
  const theirs = compareDocuments(before, current).mapping
  const added = insertionsOf(theirs)
  const merged = new Transform(current)
  for (const step of compareDocuments(before, after).steps) {
    const mapped = step.map(theirs)
    if (!mapped || overlapsAdded(step.getMap(), added)) return undefined
    if (merged.maybeStep(mapped).failed) return undefined
  }
  return merged
}

/** Returns the text that a block of `base` would have in the current document without the streamed content. */
function textWithout(current: Node, shown: Node, base: Node): (block: Block) => string {
  const without = mergeInto(current, shown, base)?.doc
  const onto = without && compareDocuments(base, without).mapping
  return (block) => {
    const node = onto && without.nodeAt(onto.map(block.pos, 1))
    return blockText(node?.type === block.node.type ? node : block.node)
  }
}

type Span = { from: number; to: number }

/** Insertions as positions of the document before. Steps are ordered from right to left, so none moves another's. */
function insertionsOf({ maps }: Mapping): Span[] {
  const spans: Span[] = []
  for (const map of maps) map.forEach((from, to, start, end) => end > start && spans.push({ from, to }))
  return spans
}

// A deletion would also remove content that another user has inserted into its middle.
function overlapsAdded(own: StepMap, added: readonly Span[]): boolean {
  let isOverlapping = false
  own.forEach((from, to) => {
    if (to > from && added.some((span) => span.from < to && span.to > from)) isOverlapping = true
  })
  return isOverlapping
}
