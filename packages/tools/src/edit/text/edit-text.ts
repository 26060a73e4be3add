import { parseMarkdownFragment } from '@copydesk/schema/markdown'
import type { Fragment, Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { blockPrefix } from '../../render/render-block.ts'
import { failure, quoteText, shorten, type ToolFailure } from '../../common/result.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import { holdsChanges } from '../../document/blocks.ts'
import type { DocumentView } from '../../document/document-view.ts'
import type { Child } from '../../document/outline.ts'
import { type Match, matchBounds, matchRange } from '../../text/find.ts'
import { insertLikeAfter, isItem, removeBlock } from '../blocks/block-changes.ts'
import {
  asShown,
  changeMarkers,
  isPlacedOtherwise,
  keepsPlace,
  type MarkedLine,
  ofNewLine,
  startsBlock,
  startsItem,
} from './change-markers.ts'
import { fromFragment, type InlineText, literalInline, readInline, withoutMarker } from '../content/inline-text.ts'
import type { Located } from '../find/locate.ts'
import { setChecked, withoutOwnMarkers, withoutSameMarkers } from '../find/markers.ts'
import { readBlockContent } from '../content/read-content.ts'
import { reviseSiblings } from '../blocks/revise-blocks.ts'
import { replaceInChild, replaceMatch } from './replace-inline.ts'
import { empty, localizable, nothingToChange, removed, type Localizable } from '../../common/localizable.ts'

/**
 * The data for the report of an edit: `name` is the number of its block, `find` the found text, `sought` the text of
 * the call, with its markup and markers.
 */
type Report = { name: string; find: string; replace: string; sought: string }

/**
 * Plans the replacement of one text inside one block. Further lines of the replacement become separate blocks after it;
 * a block whose whole text is deleted is removed; a heading marker before the whole text of a paragraph or heading
 * changes its type.
 */
export function planEdit(
  view: DocumentView,
  located: Located,
  replace: string,
  report: Report,
): ChangePlan | ToolFailure {
  const { match } = located
  const transform = new Transform(view.doc)
  const code = match.segment.node.type.spec.code === true
  const isWhole = coversBlock(match)
  // Text that a suggestion deletes is hidden but must be kept: its block is kept.
  if (replace === '' && isWhole && match.segment.block.kind === 'text' && !holdsChanges(match.segment.node)) {
    const isRemoved = removeBlock(transform, match.segment.block) === 'removed'
    const verb = isRemoved ? 'Removed' : 'Emptied'
    return finish(transform, match, `${verb} block ${report.name}: "${quoteText(report.find)}".`, report)
  }
  const child = view.childAt(match.segment.start) ?? { index: 0, position: 0 }
  if (code) replaceInChild(transform, child, match, literalInline(match.found), literalInline(replace))
  else {
    const refused = replaceProse(transform, child, located, replace, { ...report, isWhole })
    if (refused) return refused
  }
  if (transform.steps.length === 0) {
    const [line = ''] = replace.split('\n', 1)
    if (located.hadMarker && isPlacedOtherwise(report.sought, line)) return keepsPlace(report.name)
    const message = `Nothing to change: block ${report.name} already reads so.`
    return { ok: true, transform, message, summary: nothingToChange, changes: [] }
  }
  const message = `Replaced "${quoteText(report.sought)}" by "${quoteText(replace)}" in block ${report.name}.`
  return finish(transform, match, message, { ...report, replace })
}

// Whether a match covers the whole text of its block (or its cell's paragraph).
function coversBlock(match: Match): boolean {
  const { from, to } = matchBounds(match)
  return from === 0 && to === match.segment.text.length
}

function finish(transform: Transform, match: Match, message: string, report: Report): ChangePlan {
  const pos = transform.mapping.map(match.segment.start, -1)
  return {
    ok: true,
    transform,
    message,
    summary: summarize(report),
    changes: [{ before: report.find, after: report.replace, pos }],
  }
}

// One line for people, who see no block numbers: `teh → the`.
function summarize(report: Report): Localizable {
  const after = report.replace === '' ? removed : shorten(report.replace, 60)
  return localizable`${shorten(report.find, 60) || empty} → ${after}`
}

function replaceProse(
  transform: Transform,
  child: Child,
  located: Located,
  replace: string,
  { isWhole, sought, name }: Report & { isWhole: boolean },
): ToolFailure | undefined {
  const { match, found } = located
  const { block } = match.segment
  const lines = found.text.includes('\n') ? [replace] : linesOf(replace)
  const [first = '', ...more] = lines.length > 1 ? lines : [replace]
  const inCell = match.segment.block.kind === 'row'
  if (more.length > 0 && (inCell || matchBounds(match).to < match.segment.text.length)) {
    return failure(
      'invalid_operation',
      inCell ? 'A cell of a table holds one line.' : 'New lines can only follow the end of a block.',
      'Replace the text by one line, and add blocks with insert_text.',
    )
  }
  const isUnit = (isWhole || located.hadMarker) && !located.literal
  const source = isUnit ? withoutMarkers(first, located, transform.doc) : first
  const isInItem = isItem(transform.doc.resolve(block.pos).parent)
  const isQuoted = blockPrefix(transform.doc, block).startsWith('>')
  const all = replace.split('\n').map((line) => (isQuoted ? line.replace(/^\s*> ?/, '') : line))
  const form = isUnit && !isInItem && (source === first || isQuoted) ? formOf(lines, source) : 'text'
  if (form === 'blocks') {
    reviseSiblings(transform, [block], readLines(all).content, block.pos + block.node.nodeSize)
    return undefined
  }
  if (!isUnit && !located.literal && !isInItem && lines.length > 1 && lines.every(startsItem)) {
    listAfter(transform, located, readLines(all))
    return undefined
  }
  const marked: MarkedLine[] = []
  if (more.length > 0 && all.slice(1).some(startsBlock) && !isInItem && form === 'text') {
    transform.insert(block.pos + block.node.nodeSize, readLines(all.slice(1)))
  } else {
    for (const line of more.toReversed()) {
      const start = insertLikeAfter(transform, block, parse(withoutMarker(line), located).content)
      const reference = located.hadMarker ? sought : first
      const was = form === 'list' ? '' : ofNewLine(reference, line, transform.before, block)
      marked.unshift({ was, line, start, steps: transform.steps.length })
    }
  }
  if (isWhole && !located.literal && changeKind(transform, match, first)) return undefined
  if (isUnit) setChecked(transform, match.segment.block, first)
  replaceInChild(transform, child, match, found, parse(form === 'list' ? withoutMarker(first) : source, located))
  if (isUnit && (located.hadMarker || form === 'list')) {
    const was = form === 'list' ? '' : asShown(sought, first, transform.before, block)
    marked.unshift({ was, line: first, start: block.pos, steps: 0 })
  }
  return changeMarkers(transform, marked, transform.steps.length === 0) ? undefined : keepsPlace(name)
}

// The end of a block becomes a list after it.
function listAfter(transform: Transform, { match, found }: Located, list: Fragment): void {
  const { block, node, text } = match.segment
  transform.insert(block.pos + node.nodeSize, list)
  const from = text.slice(0, matchBounds(match).from).trimEnd().length
  const spaces = text.slice(from, matchBounds(match).from)
  const offsets = [...Array.from(spaces, (_, at) => from + at), ...match.offsets]
  const whole = { ...match, found: spaces + match.found, offsets }
  replaceMatch(transform, whole, literalInline(spaces + found.text), literalInline(''))
}

// The form of a block if the first of several lines, `source`, begins with a marker that the block doesn't have.
function formOf(lines: readonly string[], source: string): 'text' | 'list' | 'blocks' {
  if (lines.length < 2 || !startsBlock(source)) return 'text'
  if (lines.every(startsItem)) return 'list'
  return source.trimStart().startsWith('#') ? 'text' : 'blocks'
}

// The lines without blank ones; a line break in the notation of reads doesn't end a line.
function linesOf(text: string): string[] {
  return text.split(/(?<!\\|  )\n\n*/).filter((line) => line.trim() !== '')
}

// Lines without a marker become separate paragraphs, as in content without any markers.
function readLines(lines: readonly string[]): Fragment {
  let isCode = false
  const apart = lines.flatMap((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && !startsBlock(line) && /^\S/.test(line)) return ['', line, '']
    return [line]
  })
  return readBlockContent(apart.join('\n'))
}

/** The replacement of a located text: the text for the comparison, and the new text, of one line. */
export function replacementFor(located: Located, replace: string, doc: Node): { found: InlineText; text: InlineText } {
  const { match, found, hadMarker } = located
  const isCode = match.segment.node.type.spec.code === true
  if (isCode) return { found: literalInline(match.found), text: literalInline(replace) }
  return { found, text: parse(hadMarker ? withoutMarkers(replace, located, doc) : replace, located) }
}

// Markers that reads show before a block are not part of its text.
function withoutMarkers(line: string, { match, markers }: Located, doc: Node): string {
  const rest = markers ? withoutSameMarkers(line, markers) : line
  const { block } = match.segment
  return rest === line && block.kind === 'text' ? withoutOwnMarkers(line, block, doc) : rest
}

function parse(text: string, located: Located): InlineText {
  const namedCode = located.found.marks.some((marks) => marks.some((mark) => mark.type.name === 'code'))
  return located.literal || (inInlineCode(located.match) && !namedCode) ? literalInline(text) : readInline(text)
}

function inInlineCode(match: Match): boolean {
  const { from, to } = matchRange(match)
  const { node, start } = match.segment
  return to > from && node.type.schema.marks.code !== undefined && everyText(node, from - start, to - start)
}

function everyText(node: Node, from: number, to: number): boolean {
  let all = true
  node.nodesBetween(from, to, (child) => {
    if (child.marks.every((mark) => mark.type.name !== 'code')) all = false
  })
  return all
}

// `## Title` for the whole text of a paragraph or heading turns it into a heading of that level.
function changeKind(transform: Transform, match: Match, line: string): boolean {
  const { block, node } = match.segment
  if (block.kind !== 'text' || (node.type.name !== 'paragraph' && node.type.name !== 'heading')) return false
  if (!/^#{1,6}\s/.test(line) || transform.doc.resolve(block.pos).depth > 0) return false
  const heading = parseMarkdownFragment(line).firstChild
  if (heading?.type.name !== 'heading' || (node.type === heading.type && node.attrs.level === heading.attrs.level)) {
    return false
  }
  replaceMatch(transform, match, literalInline(match.found), fromFragment(heading.content))
  transform.setNodeMarkup(block.pos, heading.type, { ...node.attrs, level: heading.attrs.level })
  return true
}
