import { Fragment, type Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { TableMap } from 'prosemirror-tables'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import type { Block } from '../../document/blocks.ts'
import type { Range } from '../../document/changed-ranges.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { isItem } from '../blocks/block-changes.ts'
import { type BlockRange, textOfBlocks } from '../find/block-range.ts'
import { type BlockPlace, placeBlocks } from './place-blocks.ts'
import { isList } from '../blocks/reshape-blocks.ts'
import { type Touched, touchedBlocks } from '../blocks/touched.ts'
import { type Localizable, localizable, nothingToChange } from '../../common/localizable.ts'

/** The destination of a move: next to a block. `name` describes it in words. */
export type MoveTarget = { block: Block; placement: 'before' | 'after'; name: string }

/**
 * Plans the move of whole blocks next to another block, with their comments, formats and suggested changes of others. A
 * list item moves with the items below it and remains an item; a row can only move within tables with the same number
 * of columns.
 */
export function planMoveBlocks(view: DocumentView, source: BlockRange, target: MoveTarget): ChangePlan | ToolFailure {
  const range = wholeNodes(view.doc, source.blocks)
  if (!range) return severalParents(source.name)
  if (target.block.pos >= range.from && target.block.pos < range.to) return insideItself(target)
  const place = placeOf(view.doc, range, target)
  if ('ok' in place) return place
  const text = textOfBlocks(source.blocks)
  const beginning = shorten(text, 60)
  const summary = beginning === '' ? localizable`Moved a block` : localizable`Moved "${beginning}"`
  return planMove(view.doc, range, place, { what: source.name, where: target.name, summary, text })
}

/** The texts for the report of a move: the moved object (`what`), its destination (`where`), and its text. */
export type MoveReport = { what: string; where: string; summary: Localizable; text: string }

/** Plans the move of the nodes in a range to a place outside of it. */
export function planMove(doc: Node, range: Range, place: BlockPlace, report: MoveReport): ChangePlan {
  const transform = new Transform(doc)
  const source = withEmptiedParents(doc, range)
  const at = place.pos
  if (at < source.from || at > source.to) move(transform, source, place)
  else if (at < range.from || at > range.to) transform.replaceWith(source.from, source.to, place.content)
  if (transform.steps.length === 0 || transform.doc.eq(doc)) {
    const message = `Nothing to change: ${report.what} is there already.`
    return { ok: true, transform: new Transform(doc), message, summary: nothingToChange, changes: [] }
  }
  const text = report.text.slice(0, 2_000).toWellFormed()
  return {
    ok: true,
    transform,
    message: `Moved ${report.what} ${report.where}.`,
    summary: report.summary,
    changes: [{ before: text, after: text, pos: transform.mapping.map(at, -1) }],
  }
}

// Two steps, which only insert and only delete whole nodes: Yjs then neither compares nor rewrites other nodes. If the
// passed nodes are shorter and adjacent, those are copied instead: copied text gets new Yjs ids, and loses its author.
function move(transform: Transform, source: Range, { pos, content }: BlockPlace): void {
  const passed = pos < source.from ? { from: pos, to: source.from } : { from: source.to, to: pos }
  const { doc } = transform
  const isBeside = doc.resolve(pos).sameParent(doc.resolve(source.from)) && isSameContent(doc, source, content)
  const isShorter = passed.to - passed.from < source.to - source.from
  if (isBeside && isShorter)
    relocate(transform, passed, pos < source.from ? source.to : source.from, contentOf(doc, passed))
  else relocate(transform, source, pos, content)
}

function relocate(transform: Transform, source: Range, pos: number, content: Fragment): void {
  const since = transform.steps.length
  transform.insert(pos, content)
  const mapping = transform.mapping.slice(since)
  transform.delete(mapping.map(source.from, 1), mapping.map(source.to, -1))
}

function isSameContent(doc: Node, range: Range, content: Fragment): boolean {
  const own = contentOf(doc, range)
  return own.childCount === content.childCount && own.content.every((node, index) => node === content.child(index))
}

function contentOf(doc: Node, { from, to }: Range): Fragment {
  const $from = doc.resolve(from)
  return Fragment.fromArray($from.parent.content.content.slice($from.index(), doc.resolve(to).index()))
}

// A list or quote that loses all its content is removed with it.
function withEmptiedParents(doc: Node, { from, to }: Range): Range {
  const $from = doc.resolve(from)
  const { depth, parent } = $from
  if (depth === 0 || parent.content.size > to - from || isItem(parent)) return { from, to }
  return withEmptiedParents(doc, { from: $from.before(), to: $from.after() })
}

/**
 * The range of sibling nodes that contains exactly these blocks; for a list item the whole item. `undefined` if they
 * are in several parents.
 */
function wholeNodes(doc: Node, blocks: readonly Block[]): Range | undefined {
  const first = blocks[0]
  const last = blocks.at(-1)
  if (!first || !last) return undefined
  const touched = touchedBlocks(blocks)
  const $first = doc.resolve(first.pos)
  const $last = doc.resolve(last.pos)
  for (let depth = $first.sharedDepth(last.pos); depth >= 0; depth--) {
    const range = { from: startAt($first, first, depth), to: endAt($last, last, depth) }
    if (isWhole(doc, range, touched)) return wholeTable(doc, range)
  }
  return undefined
}

// If all rows of a table are selected, the range is the table.
function wholeTable(doc: Node, { from, to }: Range): Range {
  const $from = doc.resolve(from)
  const isAll = $from.parent.type.name === 'table' && $from.parent.content.size === to - from
  return isAll ? { from: $from.before(), to: $from.after() } : { from, to }
}

function startAt($pos: ReturnType<Node['resolve']>, block: Block, depth: number): number {
  return depth === $pos.depth ? block.pos : $pos.before(depth + 1)
}

function endAt($pos: ReturnType<Node['resolve']>, block: Block, depth: number): number {
  return depth === $pos.depth ? block.pos + block.node.nodeSize : $pos.after(depth + 1)
}

function isWhole(doc: Node, { from, to }: Range, touched: Touched): boolean {
  const $from = doc.resolve(from)
  // The number of an item's first paragraph identifies the item.
  if (isItem($from.parent) && $from.index() === 0) return false
  let [pos, all] = [from, true]
  for (let index = $from.index(); pos < to && index < $from.parent.childCount; index++) {
    const node = $from.parent.child(index)
    all &&= isItem(node) ? touched.has(pos + 1) : touched.covers(node, pos)
    pos += node.nodeSize
  }
  return all
}

function placeOf(doc: Node, source: Range, { block, placement }: MoveTarget): BlockPlace | ToolFailure {
  const content = contentOf(doc, source)
  const isRow = content.firstChild?.type.name === 'tableRow'
  if (isRow) return placeRows(doc, source, content, block, placement)
  if (block.kind === 'row') return besideTable(doc, block, placement, content)
  const $source = doc.resolve(source.from)
  const framed = isList($source.parent) ? Fragment.from($source.parent.copy(content)) : content
  const place = placeBlocks(doc, block.pos, placement, framed, false)
  const $place = doc.resolve(place.pos)
  if ($place.parent.canReplace($place.index(), $place.index(), place.content)) return place
  return failure('invalid_position', 'The blocks do not fit there.', 'Name a block outside of the list or quote.')
}

function placeRows(
  doc: Node,
  source: Range,
  content: Fragment,
  block: Block,
  placement: 'before' | 'after',
): BlockPlace | ToolFailure {
  const table = doc.resolve(source.from).parent
  const target = doc.resolve(block.pos).parent
  if (block.kind !== 'row') {
    return failure(
      'invalid_position',
      'A row can only move next to a row.',
      'Name a row of a table, or move the whole table.',
    )
  }
  if (spansRows(table) || spansRows(target)) {
    return failure('invalid_operation', 'The table has cells that span rows.', 'Split them first, with edit_table.')
  }
  const isHead = placement === 'before' && target.firstChild === block.node
  if (isHead || content.firstChild === table.firstChild) {
    return failure(
      'invalid_position',
      'The first row of a table is its head.',
      'Move rows below the head; edit_table changes which cells are headers.',
    )
  }
  if (TableMap.get(table).width !== TableMap.get(target).width) {
    return failure(
      'invalid_position',
      'That table has another number of columns.',
      'Insert or delete columns first, with edit_table.',
    )
  }
  return { pos: placement === 'before' ? block.pos : block.pos + block.node.nodeSize, content }
}

function spansRows(table: Node): boolean {
  return table.children.some((row) => row.children.some((cell) => Number(cell.attrs.rowspan) > 1))
}

function besideTable(doc: Node, block: Block, placement: 'before' | 'after', content: Fragment) {
  const $row = doc.resolve(block.pos)
  const isEdge = placement === 'before' ? $row.index() === 0 : $row.index() === $row.parent.childCount - 1
  if (isEdge) return placeBlocks(doc, $row.before(), placement, content, false)
  return failure(
    'invalid_position',
    'Blocks cannot go between the rows of a table.',
    'Move them before its first or after its last row.',
  )
}

function severalParents(name: string): ToolFailure {
  return failure(
    'invalid_operation',
    localizable`The ${name} begin and end inside different lists, quotes or tables.`,
    'Move them in parts, or name whole lists, quotes and tables.',
  )
}

function insideItself({ name }: MoveTarget): ToolFailure {
  return failure(
    'invalid_position',
    localizable`The place ${name} is inside what is to move.`,
    'Name a block outside of it.',
  )
}
