import { localizable } from '../../common/localizable.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import type { Block } from '../../document/blocks.ts'
import type { Range } from '../../document/changed-ranges.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { matchRange } from '../../text/find.ts'
import { segmentsWith } from '../../text/text-index.ts'
import { createFinder } from '../find/find-everywhere.ts'
import { withoutMarker } from '../content/inline-text.ts'
import { ambiguous, type Occurrence } from '../find/locate.ts'
import { findScope, isScoped, locateIn, segmentsIn } from '../find/scope.ts'

/** The target of a format, as the model describes it. */
export type FormatTarget =
  | {
      type: 'text'
      find: string
      occurrence?: Occurrence | undefined
      block?: number | undefined
      to?: number | undefined
      section?: number | undefined
    }
  | { type: 'selection' }
  | { type: 'block'; block: number; to?: number | undefined }
  | { type: 'all' }

/** The location of a target: text ranges in order, and their blocks; `name` describes it in words. */
export type FoundTarget = { ok: true; ranges: Range[]; blocks: Block[]; name: string; isText: boolean }

/** Finds a target for a text format: every occurrence of a text, the selection unless it is a caret, whole blocks. */
export function findRanges(
  target: FormatTarget,
  session: DocumentSession,
  view: DocumentView,
): FoundTarget | ToolFailure {
  if (target.type !== 'text') {
    const found = findWhole(target, session, view)
    if (!found.ok || target.type !== 'selection' || found.ranges.some(({ from, to }) => from < to)) return found
    return noSelection(session, 'nothing selected, only a caret')
  }
  const matches = findMatches(target, session, view)
  if (!Array.isArray(matches)) return matches
  const blocks = [...new Set(matches.map((match) => match.segment.block))]
  const shown = blocks.slice(0, session.limits.searchMatches).map((block) => `[${session.show(block)}]`)
  const more = blocks.length > shown.length ? ` and ${blocks.length - shown.length} more` : ''
  const times = matches.length === 1 ? '' : `, ${matches.length} places,`
  const where = `in ${blocks.length === 1 ? 'block' : 'blocks'} ${shown.join(', ')}${more}`
  const name = `"${shorten(target.find, 80)}"${times} ${where}`
  return { ok: true, ranges: matches.map(matchRange), blocks, name, isText: true }
}

/** Finds a target for a block format; a text that occurs in several blocks is `ambiguous` without `occurrence`. */
export function findBlocks(
  target: FormatTarget,
  session: DocumentSession,
  view: DocumentView,
): FoundTarget | ToolFailure {
  if (target.type !== 'text') return findWhole(target, session, view)
  const matches = findMatches(target, session, view)
  if (!Array.isArray(matches)) return matches
  const blocks = [...new Set(matches.map((match) => match.segment.block))]
  const [block] = blocks
  if (!block || blocks.length > 1) {
    const how = localizable`occurs in ${blocks.length} blocks`
    return ambiguous(target.find, how, "or blocks with {type: 'block', block, to}", matches, session)
  }
  return { ok: true, ranges: [], blocks, name: `block [${session.show(block)}]`, isText: false }
}

function findMatches(target: Extract<FormatTarget, { type: 'text' }>, session: DocumentSession, view: DocumentView) {
  const { find: value, occurrence } = target
  const scope = isScoped(target) ? findScope(target, session, view) : undefined
  if (scope && !scope.ok) return scope
  const within = scope && segmentsIn(scope, view)
  if (occurrence === undefined) {
    for (const text of new Set([value, withoutMarker(value)])) {
      const made = text === '' ? undefined : createFinder({ searchText: text, matchCase: true })
      const hits = made?.ok === true ? made.finder.find((part) => within ?? segmentsWith(part, view)).hits : []
      if (hits.length > 0) return hits.map(({ match }) => match)
    }
  }
  const located = locateIn(value, occurrence, scope, session, view)
  return located.ok ? [located.match] : located
}

function findWhole(target: Exclude<FormatTarget, { type: 'text' }>, session: DocumentSession, view: DocumentView) {
  switch (target.type) {
    case 'all':
      return whole(view.blocks, 'the whole document')
    case 'selection':
      return findSelection(session, view)
    case 'block':
      return findSpan(target, session, view)
  }
}

function whole(blocks: readonly Block[], name: string): FoundTarget {
  const ranges = blocks.map(({ pos, node }) => ({ from: pos, to: pos + node.nodeSize }))
  return { ok: true, ranges, blocks: [...blocks], name, isText: false }
}

function findSpan(target: Extract<FormatTarget, { type: 'block' }>, session: DocumentSession, view: DocumentView) {
  const first = session.resolve(target.block)
  if (!first.ok) return first
  const last = target.to === undefined ? first : session.resolve(target.to)
  if (!last.ok) return last
  const [from, to] = [first.block.index, last.block.index].sort((a, b) => a - b)
  const blocks = view.blocks.slice(from, (to ?? 0) + 1)
  const name = blocks.length === 1 ? `block [${target.block}]` : `blocks [${target.block}] to [${target.to}]`
  return whole(blocks, name)
}

function findSelection(session: DocumentSession, view: DocumentView): FoundTarget | ToolFailure {
  const selection = session.selection()
  if (!selection) return noSelection(session, 'nothing selected and no caret in the text')
  const { ranges } = selection
  const blocks = view.blocks.filter((block) => ranges.some((range) => reachesInto(range, block)))
  if (blocks.length === 0) return noSelection(session, 'nothing selected and no caret in the text')
  return { ok: true, ranges: [...ranges], blocks, name: 'the selection', isText: false }
}

// A selection that only reaches the edge of a block's text doesn't include the block, unless the block has no text.
function reachesInto({ from, to }: Range, { pos, node }: Block): boolean {
  const end = pos + node.nodeSize
  const isInside = from < end - 1 && to > pos + 1
  return isInside || (from < end && to > pos && (from === to || node.content.size === 0))
}

function noSelection(session: DocumentSession, has: string): ToolFailure {
  return failure(
    'no_selection',
    localizable`${session.caller.name} has ${has}.`,
    'Ask them to select the text, or name it by its words or its block.',
  )
}
