import { localizable } from '../../common/localizable.ts'
import { parseMarkdownFragment } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { liftListItem, sinkListItem } from 'prosemirror-schema-list'
import { EditorState, TextSelection } from 'prosemirror-state'
import type { Transform } from 'prosemirror-transform'
import { blockPrefix } from '../../render/render-block.ts'
import type { Block } from '../../document/blocks.ts'
import { failure, type ToolFailure } from '../../common/result.ts'
import { isItem } from '../blocks/block-changes.ts'
import { type BlockChange, formatBlocks } from '../format/format-blocks.ts'
import { isList } from '../blocks/reshape-blocks.ts'

/**
 * The meaning of the text before a block: the columns before its list marker, the kind of list, the number of the item,
 * the level of a heading, whether it is quoted.
 */
type Markers = {
  indent: number
  list?: 'bulletList' | 'orderedList' | 'taskList'
  number?: number
  checked?: boolean
  level?: number
  quoted: boolean
}

/**
 * The markdown line that a text block should read as: `was` is its line before the change, `start` the position of the
 * block in the document after the first `steps` steps of a transform.
 */
export type MarkedLine = { was: string; line: string; start: number; steps: number }

const tabWidth = 4
// The number of columns of one level in every kind of list.
const deeperBy = 2

/** Whether a line begins with a block marker: of an item, a heading, a quote, a fence, a row of a table. */
export function startsBlock(line: string): boolean {
  return /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|>|```|~~~|\|.*\|\s*$)/.test(line)
}

/** Whether a line begins an item of a list. */
export function startsItem(line: string): boolean {
  return readMarkers(line).list !== undefined
}

/** The block's line before the change: the searched text, with the indentation of reads if it had none. */
export function asShown(found: string, line: string, doc: Node, block: Block): string {
  const shown = blockPrefix(doc, block)
  const { indent } = readMarkers(shown)
  const isTrimmed = indent > 0 && readMarkers(found).indent === 0
  return isTrimmed && readMarkers(line).indent === indent ? shown : found
}

/**
 * The line of a new block that was inserted with the form of `block`: `reference` is that block's line in the same
 * notation as the new one.
 */
export function ofNewLine(reference: string, line: string, doc: Node, block: Block): string {
  const { indent, list } = readMarkers(reference)
  if (!isItem(doc.resolve(block.pos).parent)) return line
  const marker = (list ? blockPrefix(doc, block).replace(/^[\s>]+/, '') : line.trimStart()).replace('[x]', '[ ]')
  return ' '.repeat(indent) + marker
}

/** Whether a new line of an item has another indentation or number than the line before. */
export function isPlacedOtherwise(was: string, line: string): boolean {
  const [before, after] = [readMarkers(was), readMarkers(line)]
  if (!before.list || !after.list) return false
  return before.indent !== after.indent || isNumberedOtherwise(before, after)
}

function isNumberedOtherwise(before: Markers, after: Markers): boolean {
  return before.number !== undefined && after.number !== undefined && before.number !== after.number
}

/** Whether `changeMarkers` changes more of a block than its text. */
export function hasOtherMarkers({ was, line }: MarkedLine, removes: boolean): boolean {
  const [before, after] = [readMarkers(was), readMarkers(line)]
  return kindsFor(before, after, removes).length > 0 || isPlacedOtherwise(was, line)
}

function readMarkers(line: string): Markers {
  const bare = line.replace(/^\s*\[\d+\]\s/, '').replaceAll('\t', ' '.repeat(tabWidth))
  const quote = /^\s*(?:> ?)+/.exec(bare)?.[0] ?? ''
  const rest = bare.slice(quote.length)
  const [, space = '', sign, box] = /^( *)(?:([-*+]|\d{1,9}[.)]) +(\[[ xX]\] +)?)?/.exec(rest) ?? []
  const level = /^ *(#{1,6}) /.exec(rest)?.[1]?.length
  const list = box ? 'taskList' : sign && (/\d/.test(sign) ? 'orderedList' : 'bulletList')
  return {
    indent: space.length,
    quoted: quote !== '',
    ...(list ? { list } : {}),
    ...(list === 'orderedList' ? { number: Number.parseInt(sign ?? '', 10) } : {}),
    ...(box ? { checked: /x/i.test(box) } : {}),
    ...(level === undefined ? {} : { level }),
  }
}

/**
 * Changes the kind and the depth of blocks according to the markers of their new lines, where these differ from the
 * markers before: another kind of list, first number, level of a heading, or indentation. A block whose new line has no
 * marker keeps its own, unless `removes` is true. Returns whether every item could be indented.
 */
export function changeMarkers(transform: Transform, lines: readonly MarkedLine[], removes: boolean): boolean {
  const changes = lines.map(({ was, line, start, steps }) => ({
    before: readMarkers(was),
    after: readMarkers(line),
    block: indexOfBlock(transform.doc, transform.mapping.slice(steps).map(start)),
  }))
  for (const group of grouped(
    changes.map((each) => ({ ...each, kinds: kindsFor(each.before, each.after, removes) })),
  )) {
    for (const kind of group.kinds) {
      const all = textBlocks(transform.doc)
      formatBlocks(
        transform,
        group.blocks.flatMap((index) => all[index] ?? []),
        kind,
      )
    }
  }
  for (const { before, after, block } of changes) {
    if (isNumberedOtherwise(before, after)) startAt(transform, textBlocks(transform.doc)[block], after.number)
  }
  const moved = changes.filter(({ before, after }) => after.list && after.indent !== before.indent)
  if (moved.length === 0) return true
  const columns = new Map(moved.map(({ block, before, after }) => [block, after.indent - before.indent]))
  const depthsOf = (doc: Node): (number | undefined)[] => textBlocks(doc).map(({ pos }) => depthOf(doc, pos))
  const depths = depthsOf(transform.doc)
  nestItems(transform, columns)
  const now = depthsOf(transform.doc)
  return [...columns].every(([block, by]) => Math.abs(by) < deeperBy || depths[block] !== now[block])
}

// Items are numbered consecutively from the number of the first item.
function startAt(transform: Transform, block: Block | undefined, number: number | undefined): void {
  const $block = transform.doc.resolve(block?.pos ?? 0)
  if (!isItem($block.parent) || $block.index() > 0 || $block.index(-1) > 0) return
  if ($block.node(-1).type.name === 'orderedList') transform.setNodeAttribute($block.before(-1), 'start', number)
}

// The formats to set, one after the other.
function kindsFor(before: Markers, after: Markers, removes: boolean): BlockChange[] {
  const change = { level: 1, remove: false }
  const isBare = !after.list && after.level === undefined && !after.quoted
  if (isBare && !removes) return []
  const kinds: BlockChange[] = []
  if (before.list && !after.list) kinds.push({ ...change, type: before.list, remove: true })
  if (after.list && (before.list !== after.list || before.checked !== after.checked)) {
    kinds.push({ ...change, type: after.list, checked: after.checked })
  }
  if (after.level !== undefined && before.level !== after.level) {
    kinds.push({ ...change, type: 'heading', level: after.level })
  }
  if (before.level !== undefined && isBare) kinds.push({ ...change, type: 'paragraph' })
  if (before.quoted && isBare) kinds.push({ ...change, type: 'blockquote', remove: true })
  return kinds
}

type Group = { kinds: BlockChange[]; blocks: number[] }

// Neighbours with the same change are wrapped in one list.
function grouped(changes: readonly { kinds: BlockChange[]; block: number }[]): Group[] {
  const groups: Group[] = []
  for (const { kinds, block } of changes) {
    const last = groups.at(-1)
    const isAlike = last && JSON.stringify(last.kinds) === JSON.stringify(kinds) && last.blocks.at(-1) === block - 1
    if (isAlike) last.blocks.push(block)
    else groups.push({ kinds, blocks: [block] })
  }
  return groups
}

// A change of kind or depth moves blocks but keeps their number and order: their index identifies them.
function textBlocks(doc: Node): Block[] {
  const blocks: Block[] = []
  doc.descendants((node, pos) => {
    if (node.isTextblock) blocks.push({ index: blocks.length, kind: 'text', node, pos, isOuter: false })
    return !node.isTextblock
  })
  return blocks
}

function indexOfBlock(doc: Node, pos: number): number {
  return textBlocks(doc).findIndex((block) => block.pos === pos)
}

/** The failure for an item that kept its indentation or its number. */
export function keepsPlace(name: string): ToolFailure {
  return failure(
    'invalid_operation',
    localizable`The item in block ${name} can't be indented or numbered so: it goes at most one level below the item before it, and items are numbered in order.`,
    'Indent it under an item of the same list, or move it with move_blocks first; only the first item sets where the numbers begin.',
  )
}

/** Changes the depth of items: to the one that the markdown of their list yields with this many columns more. */
function nestItems(transform: Transform, columns: ReadonlyMap<number, number>): void {
  const depths = new Map<number, number>()
  for (const index of columns.keys()) {
    const wanted = depths.has(index) ? [] : wantedDepths(transform.doc, index, columns)
    for (const [each, depth] of wanted) depths.set(each, depth)
  }
  let blocks = textBlocks(transform.doc)
  for (const [index, wanted] of [...depths].toSorted(([a], [b]) => a - b)) {
    for (let block = blocks[index]; block && depthOf(transform.doc, block.pos) !== wanted; block = blocks[index]) {
      if (!moveItem(transform, block.pos, wanted)) break
      blocks = textBlocks(transform.doc)
    }
  }
}

type Item = { index: number; prefix: string }

function wantedDepths(doc: Node, index: number, columns: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const blocks = textBlocks(doc)
  const list = blocks[index] && outermostList(doc, blocks[index].pos)
  if (!list) return new Map()
  const quotes = blockPrefix(doc, { pos: list.from, isOuter: false }).length
  const items = blocks.flatMap((block): Item[] => {
    if (block.pos < list.from || block.pos > list.to || depthOf(doc, block.pos) === undefined) return []
    return [{ index: block.index, prefix: blockPrefix(doc, block).slice(quotes) }]
  })
  const outline = items.map(({ index: each, prefix }) => `${shifted(prefix, columns.get(each) ?? 0)}${each}`).join('\n')
  const wanted = new Map<number, number>()
  readDepths(parseMarkdownFragment(outline).content, -1, wanted)
  return wanted
}

function shifted(prefix: string, columns: number): string {
  const marker = prefix.trimStart()
  const indent = ' '.repeat(Math.max(0, prefix.length - marker.length + columns))
  // Directly below text, only a list that starts with 1 can begin without a blank line.
  return indent + (columns === 0 ? marker : marker.replace(/^\d+/, '1'))
}

function readDepths(nodes: readonly Node[], depth: number, found: Map<number, number>): void {
  for (const node of nodes) {
    if (node.isTextblock && depth >= 0 && /^\d+$/.test(node.textContent)) found.set(Number(node.textContent), depth)
    else if (!node.isTextblock) readDepths(node.children, isList(node) ? depth + 1 : depth, found)
  }
}

// The list that contains an item's text, or the outermost of several nested lists.
function outermostList(doc: Node, pos: number): { from: number; to: number } | undefined {
  const $pos = doc.resolve(pos)
  let depth = $pos.depth
  if (!isItem($pos.parent)) return undefined
  while (depth > 2 && isItem($pos.node(depth - 2))) depth -= 2
  return { from: $pos.before(depth - 1), to: $pos.after(depth - 1) }
}

// The number of lists around the list of an item whose text is at `pos`; undefined for other blocks.
function depthOf(doc: Node, pos: number): number | undefined {
  const $pos = doc.resolve(pos)
  if (!isItem($pos.parent) || $pos.index() > 0) return undefined
  let depth = $pos.depth
  while (depth > 2 && isItem($pos.node(depth - 2))) depth -= 2
  return ($pos.depth - depth) / 2
}

// Moves the item one level towards `wanted`; false if that is not possible.
function moveItem(transform: Transform, pos: number, wanted: number): boolean {
  const { doc } = transform
  const { type } = doc.resolve(pos).parent
  const move = (depthOf(doc, pos) ?? wanted) < wanted ? sinkListItem(type) : liftListItem(type)
  return move(EditorState.create({ doc, selection: TextSelection.create(doc, pos + 1) }), ({ steps }) => {
    for (const step of steps) transform.step(step)
  })
}
