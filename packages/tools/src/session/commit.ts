import { contentTypes, writeFragment } from '@copydesk/schema'
import type { Transform } from 'prosemirror-transform'
import type * as Y from 'yjs'
import { defaultLimits } from '../limits.ts'
import { renderBlock } from '../render/render-block.ts'
import { failure, success, type TextChange, type ToolFailure, type ToolResult } from '../result.ts'
import type { Block } from './blocks.ts'
import { type CaretPosition, caretAt } from './caret.ts'
import { blocksInRanges, changedRanges } from './changed-ranges.ts'
import { type CoordinateTable, rememberBlock } from './coordinates.ts'
import { createDocumentView, type DocumentView, typeKey } from './document-view.ts'
import { type FragmentReader, readFrontmatter } from './reader.ts'
import { refuseForeignImages } from './foreign-images.ts'
import { readReceipt, receiptResult, type Receipt, writeReceipt } from './receipts.ts'
import type { DocumentSessionOptions, ToolCallContext } from './session-options.ts'
import { writeTextStep } from './text-step.ts'

/**
 * What a call wants to change: a transform on the document of the view that it was given, and new frontmatter where
 * that changes. `message` tells the model what was done, `summary` people. A plan that changes nothing is answered and
 * leaves no receipt.
 */
export type ChangePlan = {
  ok: true
  transform: Transform
  frontmatter?: string
  message: string
  summary: string
  /** `pos` is where the change is in the document after it; none for frontmatter. */
  changes: { before: string; after: string; pos?: number }[]
}

type Commit = {
  call: ToolCallContext
  plan: (view: DocumentView) => ChangePlan | ToolFailure
  doc: Y.Doc
  fragment: Y.XmlFragment
  reader: FragmentReader
  table: CoordinateTable
  options: DocumentSessionOptions
  announce: (caret: CaretPosition) => void
}

/**
 * The one way to change a document. Everything is built and checked first; the Yjs transaction then only writes, the
 * receipt last, and nothing is awaited in between, so no other update can come between reading and writing. The mode is
 * decided here and nowhere else.
 */
export function applyPlan(commit: Commit): ToolResult {
  const { call, doc, reader, options } = commit
  const receipt = readReceipt(doc, call.callId)
  if (receipt) return receiptResult(receipt)
  const refused = refuse(options)
  if (refused) return refused
  const read = reader.read()
  if (!read.ok) return read
  const plan = commit.plan(read.view)
  if (!plan.ok) return plan
  if (plan.transform.steps.length === 0 && plan.frontmatter === undefined) return success(plan.message, plan.summary)
  const isNamed = options.isNamed ?? (() => true)
  const invalid = refuseForeignImages(plan.transform, isNamed) ?? check(plan.transform)
  return invalid ?? write(commit, plan, read.view)
}

function refuse(options: DocumentSessionOptions): ToolFailure | undefined {
  if (!options.canEdit) {
    return failure(
      'denied',
      `${options.caller.name} may not change this document.`,
      'Answer in words instead, and say that an editor or owner can make the change.',
    )
  }
  switch (options.mode) {
    case 'edit':
      return undefined
    case 'suggest':
    case 'ask':
      return failure(
        'invalid_operation',
        `This document's agent mode is '${options.mode}', in which the agent can't change it yet.`,
        "Describe the change in words, and say that the mode 'edit' allows it.",
      )
  }
}

function check(transform: Transform): ToolFailure | undefined {
  try {
    transform.doc.check()
    return undefined
  } catch (error) {
    return failure(
      'invalid_operation',
      `The document can't take this change: ${error instanceof Error ? error.message : String(error)}`,
      'Nothing was changed. Make a smaller change, or insert the content before or after the block.',
    )
  }
}

function write(commit: Commit, plan: ChangePlan, before: DocumentView): ToolResult {
  const { call, doc, fragment, reader, table, options } = commit
  const ranges = changedRanges(plan.transform)
  const known = blocksInRanges(before.blocks, ranges.before).flatMap((block) => table.numbersOf(block))
  let receipt: Receipt | undefined
  doc.transact(() => {
    writeSteps(fragment, plan.transform, reader)
    if (plan.frontmatter !== undefined) doc.getMap(contentTypes.meta).set('frontmatter', plan.frontmatter)
    const after = createDocumentView(plan.transform.doc, fragment, readFrontmatter(doc))
    const touched = blocksInRanges(after.blocks, ranges.after)
    refreshKnown(known, touched, table)
    receipt = describe(plan, after, touched, table, options)
    writeReceipt(doc, call.callId, receipt)
  }, options.origin)
  const caret = ranges.after.at(0)
  if (reader.read().ok && caret)
    commit.announce(caretAt(caretPosition(plan, caret.to), fragment, reader.metadata.mapping))
  return receipt ? receiptResult(receipt) : failure('unavailable', 'Nothing was written.', 'Try again.')
}

function writeSteps(fragment: Y.XmlFragment, transform: Transform, reader: FragmentReader): void {
  transform.steps.forEach((step, index) => {
    const before = transform.docs[index] ?? transform.before
    const after = transform.docs[index + 1] ?? transform.doc
    if (!writeTextStep(fragment, step, before, after, reader.metadata)) writeFragment(fragment, after, reader.metadata)
  })
}

// Between two blocks no caret can stand: it goes to the end of the text before.
function caretPosition(plan: ChangePlan, pos: number): number {
  const { doc } = plan.transform
  let position = pos
  while (position > 0 && !doc.resolve(position).parent.inlineContent) position--
  return position === 0 ? pos : position
}

// What the session itself changed it knows: the old number still means the block, in its new words.
function refreshKnown(numbers: readonly number[], touched: readonly Block[], table: CoordinateTable): void {
  const blocks = new Map(touched.map((block) => [typeKey(block.type), block]))
  for (const number of numbers) {
    const block = blocks.get(table.get(number)?.key ?? undefined)
    if (block) table.set(number, rememberBlock(block))
  }
}

function describe(
  plan: ChangePlan,
  view: DocumentView,
  touched: readonly Block[],
  table: CoordinateTable,
  options: DocumentSessionOptions,
): Receipt {
  const limit = options.limits?.changedCharacters ?? defaultLimits.changedCharacters
  const shown: Receipt['shown'] = []
  const lines: string[] = []
  const numbers = new Map<Block, number>()
  let length = 0
  for (const block of touched) {
    const line = renderBlock(view.doc, block)
    if (lines.length > 0 && length + line.length > limit) break
    const number = table.next
    const entry = rememberBlock(block)
    table.set(number, entry)
    shown.push([number, entry])
    numbers.set(block, number)
    lines.push(`[${number}] ${line}`)
    length += line.length
  }
  const rest = touched.length - lines.length
  const more = rest > 0 ? `\n…and ${rest} more; read_document shows them.` : ''
  const now = lines.length > 0 ? `\nNow, with new numbers:\n${lines.join('\n')}${more}` : ''
  const changes = plan.changes.map((change) => locateChange(change, view, numbers))
  return { status: 'done', text: plan.message + now, summary: plan.summary, details: { changes }, shown }
}

function locateChange(
  change: ChangePlan['changes'][number],
  view: DocumentView,
  numbers: ReadonlyMap<Block, number>,
): TextChange {
  const { before, after } = change
  if (change.pos === undefined) return { before, after, block: 'frontmatter' }
  const { pos } = change
  const block = view.blocks.find((each) => each.pos + each.node.nodeSize > pos)
  return { before, after, block: (block && numbers.get(block)) ?? block?.index ?? 0 }
}
