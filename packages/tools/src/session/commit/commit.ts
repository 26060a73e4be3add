import { localizable } from '../../common/localizable.ts'
import { contentTypes, readChangeIds, type TypingForwarder } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import type { Mappable, Transform } from 'prosemirror-transform'
import type * as Y from 'yjs'
import { defaultLimits } from '../../common/limits.ts'
import { failure, success, type TextChange, type ToolFailure, type ToolResult } from '../../common/result.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import { type CaretPosition, caretAt, resolveSelection } from '../host/caret.ts'
import { createChangeIds, type OwnChanges } from './change-ids.ts'
import { type ChangePlan, preparePlan } from './change-plan.ts'
import { blocksInRanges, changedRanges } from '../../document/changed-ranges.ts'
import type { CoordinateTable } from '../numbers/coordinates.ts'
import type { DocumentView } from '../../document/document-view.ts'
import type { FragmentReader } from '../../document/reader.ts'
import type { Receipts } from './receipts.ts'
import type { DocumentSessionOptions, ToolCallContext } from '../host/session-options.ts'
import { captureOld, matchOld, pairBlocks, withoutStreamed, showTouched } from './touched-blocks.ts'
import { findTyping, noteTyping, type Typing } from './typing.ts'
import { applyTransform } from '../write/write-steps.ts'

export type { ChangePlan, DocumentUpdate } from './change-plan.ts'

/** The parts of a session that a commit needs. */
export type CommitContext = {
  doc: Y.Doc
  fragment: Y.XmlFragment
  reader: FragmentReader
  table: CoordinateTable
  options: DocumentSessionOptions
  ids: OwnChanges
  receipts: Receipts
  forwarder: TypingForwarder
  announce: (caret: CaretPosition) => void
  /** The steps that remove the text streamed by later calls from the document; `undefined` if there is none. */
  withoutPending: (document: Node) => Transform | undefined
}

/** Others who are typing now, with their blocks in the current document. */
export function typingIn({ options, fragment, reader }: CommitContext): Typing[] {
  const carets = options.typing?.() ?? []
  const read = reader.read()
  if (carets.length === 0 || !read.ok) return []
  const places = carets.map(({ name, caret }) => ({ name, pos: resolveSelection(caret, fragment, reader)?.to }))
  return findTyping(places, read.view)
}

/** Creates a plan for the given view, which is the current document. */
export type Planner = (view: DocumentView) => ChangePlan | ToolFailure

/**
 * The only function that changes a document. Everything is built and checked first; the Yjs transaction then only
 * writes, the receipt last. It is synchronous, so no other update can come between reading and writing.
 */
export function applyPlan(call: ToolCallContext, planner: Planner, context: CommitContext): ToolResult {
  const { receipts, reader, options } = context
  const applied = receipts.find(call.callId)
  if (applied) return applied
  if (!options.canEdit) return denied(options)
  const read = reader.read()
  if (!read.ok) return read
  const { view } = read
  const plan = planner(view)
  const ids = createChangeIds(() => (plan.ok && plan.regions) || [], context.ids)
  const prepared = preparePlan(plan, { call, options, view, ids, table: context.table })
  return prepared.ok ? writeChange(call, prepared, view, context) : prepared.result
}

function denied({ caller }: DocumentSessionOptions): ToolFailure {
  return failure(
    'denied',
    localizable`${caller.name} may not change this document.`,
    'Answer in words instead, and say that an editor or owner can make the change.',
  )
}

/**
 * A change to write. `transform` starts from the view in which the plan was made. If the document has changed since
 * then, `merged` is the transform to write now, `onto` maps positions of `transform.doc` to those of the merged
 * document, and `textBefore` returns the text of a block of the view without the change.
 */
export type Change = {
  plan: ChangePlan
  transform: Transform
  changeIds: string[]
  merged?: { transform: Transform; onto: Mappable; textBefore: (block: Block) => string }
}

/**
 * Writes a change with its receipt in one Yjs transaction and returns its result. `before` is the view in which it was
 * planned.
 */
export function writeChange(
  call: ToolCallContext,
  change: Change,
  before: DocumentView,
  context: CommitContext,
): ToolResult {
  const { doc, fragment, reader, table, options, receipts, forwarder, announce, withoutPending } = context
  const { plan } = change
  const written = change.merged?.transform ?? change.transform
  const ranges = rangesOf(change)
  const old = blocksInRanges(before.blocks, ranges.before)
  table.reserve(before.blocks.length)
  const captured = captureOld(old, before, table, (pos) => {
    const planned = change.transform.mapping.map(pos, -1)
    return change.merged ? change.merged.onto.map(planned, -1) : planned
  })
  const typing = typingIn(context)
  let result: ToolResult = failure('unavailable', 'Nothing was written.', 'Try again.')
  doc.transact((transaction) => {
    applyTransform(fragment, written, reader)
    forwarder.note(transaction)
    if (plan.frontmatter !== undefined) doc.getMap(contentTypes.meta).set('frontmatter', plan.frontmatter)
    if (plan.title !== undefined) doc.getMap(contentTypes.meta).set('title', plan.title)
    const after = reader.viewOf(written.doc)
    const touched = blocksInRanges(after.blocks, ranges.after)
    const limit = options.limits?.changedCharacters ?? defaultLimits.changedCharacters
    const settled = withoutStreamed(after, withoutPending(written.doc))
    const own = touched.filter((block) => settled(block) !== undefined)
    const shown = showTouched(own, matchOld(captured, own), { view: after, table, limit, settled })
    const note = noteTyping(typing, own, (block) => shown.numbers.get(block) ?? 0)
    const notes = noteUnchanged(plan, own.length) + (note ? `\n${note}` : '')
    result = success(plan.message + shown.text + notes, plan.summary, {
      ...plan.details,
      changes: plan.changes.map((each) => locateChange(each, change, after, shown.numbers)),
      blocks: pairBlocks(old, own, {
        before: change.merged?.textBefore,
        after: (block) => blockText(settled(block)?.block.node ?? block.node),
      }),
      ...detailIds(change, written.doc),
      ...(plan.update ? { update: plan.update } : {}),
    })
    receipts.write(call.callId, result)
  }, options.origin)
  const caret = ranges.after.at(0)
  const now = reader.read()
  if (now.ok && caret) announce(caretAt(caretPosition(now.view, caret.to), now.view, fragment, reader))
  return result
}

// Without this note a model concludes that unlisted rows of a table are lost.
function noteUnchanged({ blockCount = 0 }: ChangePlan, listed: number): string {
  const rest = blockCount - listed
  if (rest <= 0) return ''
  return `\n(${rest} more ${rest === 1 ? 'block' : 'blocks'} of the section ${rest === 1 ? 'reads' : 'read'} as before.)`
}

// The streamed part of a call may contain changes that the complete call doesn't.
function detailIds({ changeIds, merged }: Change, doc: Node): { changeIds?: string[] } {
  if (changeIds.length === 0 || !merged) return changeIds.length === 0 ? {} : { changeIds }
  const present = new Set(readChangeIds(doc))
  return { changeIds: changeIds.filter((id) => present.has(id)) }
}

function rangesOf({ transform, merged }: Change): ReturnType<typeof changedRanges> {
  const ranges = changedRanges(transform)
  if (!merged) return ranges
  const after = ranges.after.map(({ from, to }) => ({ from: merged.onto.map(from, -1), to: merged.onto.map(to, 1) }))
  return { before: ranges.before, after }
}

/**
 * A valid caret position for `pos`: a position between two blocks is not valid, so it moves to the end of the preceding
 * text.
 */
export function caretPosition({ doc, childAt }: DocumentView, pos: number): number {
  for (let position = Math.min(pos, doc.content.size); position > 0; position--) {
    const child = childAt(position)
    const inside = child ? position - child.position - 1 : -1
    if (child && inside >= 0 && doc.child(child.index).resolve(inside).parent.inlineContent) return position
  }
  return pos
}

function locateChange(
  { before, after, pos }: ChangePlan['changes'][number],
  { plan, transform, merged }: Change,
  view: DocumentView,
  numbers: ReadonlyMap<Block, number>,
): TextChange {
  if (pos === undefined) return { before, after, block: 'frontmatter' }
  const isTracked = transform !== plan.transform
  const planned = isTracked ? transform.mapping.map(plan.transform.mapping.invert().map(pos, -1), -1) : pos
  const at = merged ? merged.onto.map(planned, -1) : planned
  const block = view.blockAt(at) ?? view.blocks.find((each) => each.pos + each.node.nodeSize > at)
  return { before, after, block: (block && numbers.get(block)) ?? block?.index ?? 0 }
}
