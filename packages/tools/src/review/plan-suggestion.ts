import { Transform } from 'prosemirror-transform'
import { removeBlock } from '../edit/blocks/block-changes.ts'
import { planLines } from '../edit/text/edit-lines.ts'
import { planShown } from '../edit/text/edit-shown.ts'
import { planEdit } from '../edit/text/edit-text.ts'
import { findShown, wholeShown } from '../edit/find/find-shown.ts'
import { literalInline } from '../edit/content/inline-text.ts'
import type { Located } from '../edit/find/locate.ts'
import { failure, quoteText, shorten, type ToolFailure } from '../common/result.ts'
import { type Block, blockText } from '../document/blocks.ts'
import type { ChangePlan } from '../session/commit/commit.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { DocumentView } from '../document/document-view.ts'
import { matchRange } from '../text/find.ts'
import { segmentsOf } from '../text/segments.ts'
import type { Target, TargetInput } from './target.ts'
import { empty, localizable, removed } from '../common/localizable.ts'

/** Plans a tracked replacement of a target; with an empty replacement it is a deletion. */
export function planReplacement(
  target: Target,
  replaceWith: string,
  session: DocumentSession,
  view: DocumentView,
): ChangePlan | ToolFailure {
  if (replaceWith === '') return planDeletion(target, view)
  const plan = replace(target, replaceWith, session, view)
  if (!plan.ok) return plan
  if (plan.transform.steps.length === 0) return plan
  const before = plan.changes[0]?.before ?? ''
  const message = `Suggested replacing ${describe(target, before)} by "${quoteText(replaceWith)}".`
  return asSuggestion(plan, message)
}

function replace(target: Target, replaceWith: string, session: DocumentSession, view: DocumentView) {
  const number = `[${session.show(target.block)}]`
  if (target.kind === 'block' && needsSource(target.block, replaceWith)) {
    return planShown(view, wholeShown(target.block, view), replaceWith, (block) => `[${session.show(block)}]`)
  }
  if (target.kind === 'lines') {
    const last = target.blocks.at(-1) ?? target.block
    if (target.blocks.some((block) => block.kind !== 'text')) return needsText(target.name)
    return planLines(view, target.lines, replaceWith, { first: number, last: `[${session.show(last)}]` })
  }
  const located = target.kind === 'text' ? target.located : wholeText(target.block)
  if (!located) return needsText(target.name)
  const find = located.found.text
  return planEdit(view, located, replaceWith, { name: number, find, replace: replaceWith, sought: find })
}

// The new text is the markdown that a read would show for a row, an image, a formula, a rule, or a code block with its
// fences.
function needsSource({ kind, node }: Block, replaceWith: string): boolean {
  if (kind === 'row') return /^\s*\|.*\|\s*$/.test(replaceWith)
  if (kind === 'leaf') return /^\s*(?:!\[|\$\$|([-*_])\1{2,}\s*$)/.test(replaceWith)
  return node.type.spec.code === true && /^\s*(?:```|~~~)/.test(replaceWith)
}

function wholeText(block: Block): Located | undefined {
  const segment = block.kind === 'text' ? segmentsOf(block)[0] : undefined
  if (!segment) return undefined
  const offsets = Array.from({ length: segment.text.length + 1 }, (_, unit) => unit)
  const match = { segment, found: segment.text, offsets }
  return { ok: true, match, found: literalInline(segment.text), literal: false, hadMarker: false }
}

function needsText(name: string): ToolFailure {
  return failure(
    'invalid_operation',
    localizable`What is to be replaced (${name}) is a table row, an image, a rule or a formula, or holds one.`,
    'Name text inside one block or cell with search; or suggest a deletion and an insertion.',
  )
}

/**
 * Plans a tracked replacement of a text that occurs only in the markdown of reads; `undefined` if no block shows it.
 */
export function planShownReplacement(
  given: TargetInput & { search: string },
  replaceWith: string,
  session: DocumentSession,
  view: DocumentView,
): ChangePlan | ToolFailure | undefined {
  const scope = given.block === undefined ? undefined : session.resolve(given.block)
  if (scope && !scope.ok) return undefined
  const found = findShown(given.search, { block: scope?.block, occurrence: given.occurrence }, session, view)
  if (!found?.ok) return found
  const plan = planShown(view, found, replaceWith, (block) => `[${session.show(block)}]`)
  if (!plan.ok || plan.transform.steps.length === 0) return plan
  const message = `Suggested replacing "${quoteText(given.search)}" by "${quoteText(replaceWith)}".`
  return asSuggestion(plan, message)
}

/** Plans a tracked deletion of a target; blocks that it covers completely are deleted too. */
export function planDeletion(target: Target, view: DocumentView): ChangePlan | ToolFailure {
  const transform = new Transform(view.doc)
  const parts = partsOf(target)
  const head = parts.find((part) => part.isWhole && isHeadRow(view, part.block))
  if (head) return keepsHead()
  for (const { block, isWhole, ranges } of parts.toReversed()) {
    if (isWhole) removeBlock(transform, block)
    else for (const { from, to } of ranges.toReversed()) transform.delete(from, to)
  }
  const before = parts.map((part) => part.text).join('\n')
  const plan: ChangePlan = {
    ok: true,
    transform,
    message: '',
    summary: localizable`${shorten(before, 60) || empty} → ${removed}`,
    changes: [{ before, after: '', pos: transform.mapping.map(target.range.from, -1) }],
  }
  return asSuggestion(plan, `Suggested deleting ${describe(target, before)}.`)
}

type Part = { block: Block; isWhole: boolean; text: string; ranges: { from: number; to: number }[] }

// The parts of a target, block by block in order; a whole table row is deleted only if it is the target or all its
// cells are covered.
function partsOf(target: Target): Part[] {
  if (target.kind === 'block') {
    return [{ block: target.block, isWhole: true, text: blockText(target.block.node), ranges: [] }]
  }
  const lines = target.kind === 'text' ? [target.located] : target.lines
  const blocks = target.kind === 'text' ? [target.block] : target.blocks
  return blocks.map((block) => {
    const matches = lines.map(({ match }) => match).filter((match) => match.segment.block === block)
    const covered = matches.filter(({ segment, offsets }) => offsets[0] === 0 && offsets.at(-1) === segment.text.length)
    const isRowOfOne = block.kind === 'row' && target.kind === 'text'
    const filled = segmentsOf(block).filter((segment) => segment.text !== '')
    const isWhole = block.kind === 'leaf' || (covered.length === filled.length && !isRowOfOne)
    const text = block.kind === 'leaf' ? blockText(block.node) : matches.map((match) => textOf(match)).join('\t')
    return { block, isWhole, text, ranges: matches.map(matchRange) }
  })
}

function textOf({ segment, offsets }: Located['match']): string {
  return segment.text.slice(offsets[0] ?? 0, offsets.at(-1) ?? 0)
}

function isHeadRow(view: DocumentView, block: Block): boolean {
  if (block.kind !== 'row') return false
  const $pos = view.doc.resolve(block.pos)
  return $pos.index() === 0 && $pos.parent.childCount > 1
}

function keepsHead(): ToolFailure {
  return failure(
    'invalid_operation',
    'A table cannot lose its head row while it has others.',
    'Suggest deleting the text of its cells, or each of the other rows first.',
  )
}

/** The plan as a tracked change in any mode, with a message that says so. */
export function asSuggestion(plan: ChangePlan, message: string): ChangePlan {
  return { ...plan, mode: 'suggest', message, summary: localizable`Suggested: ${plan.summary}` }
}

function describe(target: Target, before: string): string {
  return target.kind === 'block' && before !== '' ? `"${quoteText(before)}" in ${target.name}` : target.name
}
