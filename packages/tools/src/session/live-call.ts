import { compareDocuments, stripChanges } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import * as Y from 'yjs'
import type { ToolResult } from '../result.ts'
import { caretAt } from './caret.ts'
import { type ChangeIds, createChangeIds } from './change-ids.ts'
import { type Prepared, preparePlan } from './change-plan.ts'
import { caretPosition, type CommitContext, type Planner, writeChange } from './commit.ts'
import { createDocumentView, type DocumentView } from './document-view.ts'
import { Outline } from './outline.ts'
import { readFrontmatter } from './reader.ts'
import type { Range } from './changed-ranges.ts'
import type { ToolCallContext } from './session-options.ts'
import { mergeInto, textWithout } from './three-way.ts'
import { applyTransform } from './write-steps.ts'

/** The document and the caller's selection at the moment when a call began to be written. */
export type LiveBase = { view: DocumentView; selection: Range | undefined }

/**
 * A call that the model is still writing, with its effect growing in the document for everybody. Each `write` makes the plan anew on
 * the document as it was at the first one, with more of the text, and merges only the difference to the plan before into the document
 * as it is now: what others do meanwhile stays.
 */
export class LiveCall {
  readonly #call: ToolCallContext
  readonly #context: CommitContext
  readonly #selection: () => Range | undefined
  readonly #origin: object
  readonly #ids: ChangeIds
  #base: LiveBase | undefined
  #regions: readonly Range[] = []
  /** What the plan made of the base at the last write. */
  #shown: Node | undefined
  #undo: Y.UndoManager | undefined
  #isOver = false

  /** Nothing is written before the first `write` that has a plan. */
  constructor(call: ToolCallContext, context: CommitContext, selection: () => Range | undefined) {
    this.#call = call
    this.#context = context
    this.#selection = selection
    this.#origin = { live: call.callId }
    this.#ids = createChangeIds(() => this.#regions, context.ids)
  }

  get base(): LiveBase | undefined {
    return this.#isOver ? undefined : this.#base
  }

  /** Brings the document to what the plan makes of the arguments so far; a plan that fails changes nothing. */
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

  /** Ends with the complete call; `undefined` if it must be made like any other, everything streamed having been taken back. */
  settle(planner: Planner): ToolResult | undefined {
    const base = this.#base
    const read = this.#context.reader.read()
    const prepared = this.#isOver || !base || !this.#undo || !read.ok ? undefined : this.#prepare(planner, base)
    if (!base || !read.ok || !prepared?.ok) {
      this.takeBack()
      return prepared?.ok === false ? prepared.result : undefined
    }
    const shown = this.#shown ?? base.view.doc
    const merged = mergeInto(read.view.doc, shown, prepared.transform.doc)
    if (!merged) {
      this.takeBack()
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

  /** Takes back everything, as if it had never been; what others typed into it stays. May be called twice. */
  takeBack(): void {
    this.#isOver = true
    const undo = this.#undo
    this.#undo = undefined
    if (!undo) return
    const { doc, options, receipts, forwarder } = this.#context
    doc.transact((transaction) => {
      undo.undo()
      forwarder.noteTakenBack(transaction)
      receipts.discard(this.#call.callId)
    }, options.origin)
    undo.destroy()
    this.#stripLeftovers()
  }

  // Where somebody has typed into a suggestion their editor has put marks of its own around the text, which undo leaves open.
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
    return preparePlan(plan, { call: this.#call, options: this.#context.options, view, ids: this.#ids })
  }
}

// The view that plans are made on must not move while others are made.
function freeze(view: DocumentView, { doc, reader }: CommitContext, selection: Range | undefined): LiveBase {
  const frozen = createDocumentView(view.doc, {
    types: [...reader.children()],
    ydoc: doc,
    frontmatter: readFrontmatter(doc),
    outline: new Outline(),
  })
  return { view: frozen, selection }
}

function watch(fragment: Y.XmlFragment, origin: object): Y.UndoManager {
  return new Y.UndoManager([fragment], {
    trackedOrigins: new Set([origin]),
    captureTimeout: Number.POSITIVE_INFINITY,
    deleteFilter: (item) => !holdsOthers(item, fragment.doc?.clientID),
  })
}

/** Whether an element that was written holds something that another peer has put into it. */
function holdsOthers({ content }: Y.Item, own: number | undefined): boolean {
  if (!(content instanceof Y.ContentType)) return false
  for (let item = content.type._start; item !== null; item = item.right) {
    if (item.deleted) continue
    if (item.id.client !== own && item.countable) return true
    if (holdsOthers(item, own)) return true
  }
  return false
}

function showCaret(merged: Transform, { fragment, reader, announce }: CommitContext): void {
  let end: number | undefined
  for (const map of merged.mapping.maps) map.forEach((_from, _to, _start, newEnd) => (end ??= newEnd))
  const now = reader.read()
  if (end !== undefined && now.ok) announce(caretAt(caretPosition(now.view, end), now.view, fragment, reader))
}
