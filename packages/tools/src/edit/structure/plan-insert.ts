import { Fragment, type Mark, type Node, type ResolvedPos } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { blockPrefix } from '../../render/render-block.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import type { Block } from '../../document/blocks.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { placeBelowItem, placeBlocks } from './place-blocks.ts'
import { readBlockContent, readInlineContent } from '../content/read-content.ts'
import { readRows, refuseRowAfter, tableAround } from '../tables/table-rows.ts'
import { localizable } from '../../common/localizable.ts'

/**
 * An insertion position; `name` describes it in words. A `text` anchor is a position inside a text block; `isWhole`:
 * the anchor text is the whole text of its block.
 */
export type InsertAnchor =
  | { kind: 'absolute'; location: 'start' | 'end'; name: string }
  | { kind: 'block'; block: Block; placement: 'before' | 'after'; name: string }
  | {
      kind: 'text'
      block: Block
      pos: number
      placement: 'before' | 'after'
      isCaret?: true
      isWhole?: boolean
      name: string
    }

/**
 * The content to insert: markdown, and whether it becomes part of the text or separate blocks. With `nodes`, `content`
 * only describes these nodes.
 */
export type Insertion = {
  content: string
  as?: 'inline' | 'block' | undefined
  nodes?: { inline: Fragment; block: Fragment }
}

/** Plans an insertion, or returns a failure if the position doesn't allow it. */
export function planInsert(view: DocumentView, anchor: InsertAnchor, insertion: Insertion): ChangePlan | ToolFailure {
  const inline = insertion.nodes?.inline ?? readInlineContent(insertion.content)
  const as = insertion.as ?? suggestedForm(view, anchor, insertion.content, inline !== null)
  const transform = new Transform(view.doc)
  const at =
    as === 'inline'
      ? insertInline(transform, view, anchor, insertion, inline)
      : insertBlocks(transform, view, anchor, insertion)
  if (typeof at !== 'number') return at
  return {
    ok: true,
    transform,
    message: `Inserted ${anchor.name}.`,
    summary: localizable`Inserted "${shorten(insertion.content, 60)}"`,
    changes: [{ before: '', after: insertion.content, pos: at }],
  }
}

function suggestedForm(view: DocumentView, anchor: InsertAnchor, content: string, isLine: boolean): 'inline' | 'block' {
  if (anchor.kind !== 'text') return 'block'
  if (view.doc.resolve(anchor.pos).parent.type.spec.code === true) return 'inline'
  if (anchor.isWhole === true && standsAlone(content, anchor.placement)) return 'block'
  return isLine && !startsWithBlankLine(content) ? 'inline' : 'block'
}

// Next to the whole text of a block, a sentence without a space on that side becomes a separate block.
function standsAlone(content: string, placement: 'before' | 'after'): boolean {
  if (/^\s*<(?:p|div|h[1-6]|ul|ol|blockquote|pre|table)[\s>]/i.test(content)) return true
  if (!/\S\s+\S/.test(content)) return false
  return placement === 'after' ? /^[\p{Lu}\p{Lo}\p{N}"“„«]/u.test(content) : /[.!?:…"”»]$/.test(content)
}

function startsWithBlankLine(content: string): boolean {
  return /^[ \t]*\n/.test(content)
}

function insertInline(
  transform: Transform,
  view: DocumentView,
  anchor: InsertAnchor,
  { content: markdown, nodes: given }: Insertion,
  parsed: Fragment | null,
): number | ToolFailure {
  const pos = anchor.kind === 'text' ? anchor.pos : edgeOf(view, anchor)
  if (pos === undefined) return noText(anchor)
  const $pos = view.doc.resolve(pos)
  const isCode = $pos.parent.type.spec.code === true
  const content = isCode ? Fragment.from(view.doc.type.schema.text(markdown)) : parsed
  if (!content) {
    return failure(
      'invalid_operation',
      'The content is more than one line of text, so it cannot go inside a text.',
      "Insert it with as: 'block', or give one line.",
    )
  }
  const shared = sharedMarks($pos.nodeBefore, $pos.nodeAfter)
  const link = shared.find((mark) => mark.type.name === 'link')
  if (link) {
    return failure(
      'invalid_position',
      localizable`That place is inside a link (${String(link.attrs.href)}).`,
      'Insert before or after the whole link text, or change the link text with edit_document.',
    )
  }
  const nodes = content.content.map((node) => (node.isText ? node.mark(join(shared, node.marks)) : node))
  const inserted = given ? spaced(nodes, $pos) : nodes
  transform.insert(pos, isCode ? content : Fragment.fromArray(inserted))
  return pos
}

// Nodes contain no spaces around them: spaces that separate them from words are added.
function spaced(nodes: readonly Node[], { nodeBefore, nodeAfter, doc }: ResolvedPos): Node[] {
  const space = doc.type.schema.text(' ')
  const isApart = !nodeBefore?.isText || /[\s([{„“‘'"«-]$/.test(nodeBefore.text ?? '')
  const runsOn = nodeAfter?.isText && /^[\p{L}\p{N}]/u.test(nodeAfter.text ?? '')
  return [...(isApart ? [] : [space]), ...nodes, ...(runsOn ? [space] : [])]
}

// New text gets the marks that are present on both sides of it, not those of only one side.
function sharedMarks(before: Node | null, after: Node | null): readonly Mark[] {
  if (!before?.isText || !after?.isText) return []
  return before.marks.filter((mark) => mark.isInSet(after.marks))
}

function join(base: readonly Mark[], more: readonly Mark[]): readonly Mark[] {
  return more.reduce((set, mark) => mark.addToSet(set), base)
}

function edgeOf(view: DocumentView, anchor: Exclude<InsertAnchor, { kind: 'text' }>): number | undefined {
  const atStart = anchor.kind === 'absolute' ? anchor.location === 'start' : anchor.placement === 'before'
  const block = anchor.kind === 'block' ? anchor.block : view.blocks.at(atStart ? 0 : -1)
  if (block?.kind !== 'text') return undefined
  return atStart ? block.pos + 1 : block.pos + block.node.nodeSize - 1
}

function noText(anchor: InsertAnchor): ToolFailure {
  return failure(
    'invalid_position',
    localizable`There is no line of text ${anchor.name}.`,
    "Insert before or after it with as: 'block', or anchor on a text.",
  )
}

function insertBlocks(
  transform: Transform,
  view: DocumentView,
  anchor: InsertAnchor,
  { content: markdown, nodes }: Insertion,
): number | ToolFailure {
  const content = nodes?.block ?? readBlockContent(markdown)
  if (content.size === 0) {
    return failure('invalid_input', 'The content is only white space.', 'content: give the markdown to insert.')
  }
  const empty = emptyTarget(view, anchor)
  if (empty) return fillEmpty(transform, empty, content)
  if (anchor.kind === 'absolute') {
    const pos = anchor.location === 'start' ? 0 : view.doc.content.size
    transform.insert(pos, content)
    return pos + 1
  }
  const { block, placement } = anchor
  if (block.kind === 'row') return insertBesideRow(transform, view, anchor, markdown, content)
  const asItems = !startsWithBlankLine(markdown)
  const isBelow = placement === 'after' && !nodes && isIndentedBelow(markdown, blockPrefix(view.doc, block))
  const place =
    (isBelow && placeBelowItem(view.doc, block.pos, readBlockContent(dedent(markdown)))) ||
    placeBlocks(view.doc, block.pos, placement, content, asItems)
  transform.insert(place.pos, place.content)
  return place.pos + 1
}

// Whether markdown is a list that is indented at least as far as the text of the item after which it is inserted.
function isIndentedBelow(markdown: string, prefix: string): boolean {
  const indent = /^( *)(?:[-*+]|\d{1,9}[.)])[ \t]/.exec(markdown.replaceAll('\t', '    '))?.[1]
  return indent !== undefined && indent !== '' && indent.length >= prefix.replace(/^(?:> )+/, '').length
}

function dedent(markdown: string): string {
  const lines = markdown.replaceAll('\t', '    ').split('\n')
  const common = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(common)).join('\n')
}

// An empty document's only paragraph, an empty last paragraph, and the empty paragraph that contains the person's caret
// are filled.
function emptyTarget(view: DocumentView, anchor: InsertAnchor): Block | undefined {
  const last = view.blocks.at(-1)
  const block = anchor.kind === 'absolute' ? last : anchor.block
  if (block?.node.type.name !== 'paragraph' || block.node.childCount > 0) return undefined
  if (view.blocks.length === 1 && view.doc.firstChild === block.node) return block
  if (anchor.kind === 'absolute') {
    return anchor.location === 'end' && view.doc.lastChild === block.node ? block : undefined
  }
  return anchor.kind === 'text' && anchor.isCaret ? block : undefined
}

// The first paragraph of the content is written into the existing empty one, so that carets in it stay valid.
function fillEmpty(transform: Transform, block: Block, content: Fragment): number {
  const end = block.pos + block.node.nodeSize
  const filler = content.content.findIndex((node) => node.type.name === 'paragraph')
  const isAlone = transform.doc.childCount === 1 && transform.doc.resolve(block.pos).depth === 0
  if (filler < 0 && isAlone) transform.replaceWith(block.pos, end, content)
  else if (filler < 0) transform.insert(end, content)
  else {
    transform.insert(end, Fragment.fromArray(content.content.slice(filler + 1)))
    transform.insert(block.pos + 1, content.child(filler).content)
    transform.insert(block.pos, Fragment.fromArray(content.content.slice(0, filler)))
  }
  return block.pos + 1
}

function insertBesideRow(
  transform: Transform,
  view: DocumentView,
  anchor: Exclude<InsertAnchor, { kind: 'absolute' }>,
  markdown: string,
  content: Fragment,
): number | ToolFailure {
  const { block, placement } = anchor
  const place = tableAround(view.doc, block)
  if (!place) return noText(anchor)
  const rows = readRows(markdown, place.table)
  if (rows && 'ok' in rows) return rows
  const isFirst = place.row === 0
  if (rows && (placement === 'after' || !isFirst)) {
    const refused = refuseRowAfter(place, placement === 'before' ? place.row - 1 : place.row)
    if (refused) return refused
    const pos = placement === 'before' ? block.pos : block.pos + block.node.nodeSize
    transform.insert(pos, rows)
    return pos + 1
  }
  const atEdge = placement === 'before' ? isFirst : place.row === place.table.childCount - 1
  if (atEdge && !rows) {
    const pos = placement === 'before' ? place.pos : place.pos + place.table.nodeSize
    transform.insert(pos, content)
    return pos + 1
  }
  return failure(
    'invalid_position',
    rows ? 'A row cannot go before the head of its table.' : 'Blocks cannot go between the rows of a table.',
    rows
      ? 'Insert it after the head row.'
      : 'Insert | a | b | rows there, or the blocks before the first or after the last row.',
  )
}
