import { differing } from '@copydesk/schema'
import { firstIndex } from '@copydesk/schema/ids'
import type { Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import { blockMarkdown, renderBlock, type RenderedBlock } from '../../render/render-block.ts'
import { groupBy } from '../../common/group-by.ts'
import { cutText, windowsAround } from '../../text/window.ts'
import { numberBlock, numberNew, numberOf } from '../numbers/block-numbers.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import { type CoordinateTable, rememberBlock } from '../numbers/coordinates.ts'
import { type DocumentView, typeKey } from '../../document/document-view.ts'

/** The text of a block before and after a change; empty for a block that didn't exist before or doesn't exist after. */
export type BlockChange = { before: string; after: string }

/** A block before a change: its number if it had one, and its position in the document after the change. */
export type OldBlock = { key: string | undefined; node: Node; text: string; number: number | undefined; mapped: number }

/**
 * Captures blocks that a change affects, before the change is written; `map` maps positions to the changed document.
 */
export function captureOld(
  blocks: readonly Block[],
  view: DocumentView,
  table: CoordinateTable,
  map: (pos: number) => number,
): OldBlock[] {
  return blocks.map((block) => ({
    key: typeKey(block.type),
    node: block.node,
    text: blockText(block.node),
    number: numberOf(block, view, table),
    mapped: map(block.pos + 1),
  }))
}

/**
 * Finds the old block of each changed block: the only old block with exactly its text, if that was at another position;
 * the one with the same Y type; otherwise, because a block that changes its kind gets a new type, the one whose text is
 * at this position now, or one with exactly the same text.
 */
export function matchOld(old: readonly OldBlock[], touched: readonly Block[]): Map<Block, OldBlock> {
  const matches = new Map<Block, OldBlock>()
  const left = new Set(old)
  const pair = (now: Block | undefined, before: OldBlock | undefined): void => {
    if (!now || !before || !left.has(before) || matches.has(now)) return
    matches.set(now, before)
    left.delete(before)
  }
  const byKey = new Map(old.map((each) => [each.key, each]))
  const ofType = (now: Block): OldBlock | undefined => byKey.get(typeKey(now.type))
  // A sort writes the rows into the Y types of other rows.
  const sameText = groupBy(old, ({ text }) => text)
  for (const now of touched) {
    const [before, ...more] = sameText.get(blockText(now.node)) ?? []
    if (before && before.text !== '' && more.length === 0 && ofType(now)?.text !== before.text) pair(now, before)
  }
  for (const now of touched) pair(now, ofType(now))
  for (const before of left) pair(blockAround(before.mapped, touched), before)
  const byText = new Map<string, OldBlock[]>()
  for (const each of left) byText.set(each.text, [...(byText.get(each.text) ?? []), each])
  for (const now of touched) {
    const same = byText.get(blockText(now.node)) ?? []
    const before = same.find((each) => left.has(each))
    if (before?.text !== '') pair(now, before)
  }
  return matches
}

function blockAround(pos: number, blocks: readonly Block[]): Block | undefined {
  const block = blocks[firstIndex(blocks, (each) => each.pos + each.node.nodeSize > pos)]
  return block && block.pos < pos ? block : undefined
}

/** A block without the text that later calls have streamed into the document; `undefined` if it would not exist. */
export type WithoutStreamed = (block: Block) => { doc: Node; block: RenderedBlock } | undefined

/** The blocks of a view without the streamed content that `reverted` removes. */
export function withoutStreamed({ doc }: DocumentView, reverted: Transform | undefined): WithoutStreamed {
  if (!reverted) return (block) => ({ doc, block })
  return ({ pos, node, kind, isOuter }) => {
    const result = reverted.mapping.mapResult(pos, 1)
    const now = result.deleted ? null : reverted.doc.nodeAt(result.pos)
    return now?.type === node.type
      ? { doc: reverted.doc, block: { kind, node: now, pos: result.pos, isOuter } }
      : undefined
  }
}

/**
 * Lists the changed blocks in the notation of reads, up to `limit` characters: returns the text to append to a result,
 * and the numbers by block. A block that existed before the change keeps its number; every new one gets a number.
 */
export function showTouched(
  touched: readonly Block[],
  matches: ReadonlyMap<Block, OldBlock>,
  {
    view,
    table,
    limit,
    settled,
  }: { view: DocumentView; table: CoordinateTable; limit: number; settled: WithoutStreamed },
): { text: string; numbers: Map<Block, number> } {
  const numbers = numberTouched(touched, matches, view, table)
  const lines: string[] = []
  let length = 0
  for (const block of touched) {
    const now = settled(block) ?? { doc: view.doc, block }
    const number = numbers.get(block) ?? numberBlock(block, view, table)
    const place = matches.has(block) ? undefined : placeOf(block, view, table)
    const line = describe(number, place, showBlock(now, matches.get(block)?.node, limit))
    if (lines.length > 0 && length + line.length > limit) break
    lines.push(line)
    length += line.length
  }
  const rest = touched.length - lines.length
  const more = rest > 0 ? `\n…and ${rest} more; read_document shows them.` : ''
  return { text: lines.length > 0 ? `\nNow:\n${lines.join('\n')}${more}` : '', numbers }
}

/** A block in the notation of reads; of a longer one, the part around the change. */
function showBlock({ doc, block }: { doc: Node; block: RenderedBlock }, before: Node | undefined, limit: number) {
  const shown = renderBlock(doc, block)
  if (shown.length <= limit || !before) return cutText(shown, limit)
  const [old, now] = [blockMarkdown(before), blockMarkdown(block.node)]
  const { first, newEnd } = differing(old, now)
  const around = limit / 4
  return windowsAround(shown, [{ from: first, to: Math.min(newEnd, first + limit / 2) }], around)
}

function numberTouched(
  touched: readonly Block[],
  matches: ReadonlyMap<Block, OldBlock>,
  view: DocumentView,
  table: CoordinateTable,
): Map<Block, number> {
  const numbers = new Map<Block, number>()
  for (const [block, { number }] of matches) {
    if (number === undefined) continue
    table.set(number, rememberBlock(block))
    numbers.set(block, number)
  }
  for (const block of touched) if (!matches.has(block)) numbers.set(block, numberNew(block, table))
  for (const block of touched) if (!numbers.has(block)) numbers.set(block, numberBlock(block, view, table))
  return numbers
}

function describe(number: number, place: string | undefined, text: string): string {
  if (place === undefined) return `[${number}] ${text}`
  return `[${number}], new${place}:${text.includes('\n') ? '\n' : ' '}${text}`
}

function placeOf({ index }: Block, view: DocumentView, table: CoordinateTable): string {
  const before = view.blocks[index - 1]
  if (before) return `, after [${numberBlock(before, view, table)}]`
  const after = view.blocks[index + 1]
  return after ? `, before [${numberBlock(after, view, table)}]` : ''
}

const pairLimit = 200

/** The effect of a change block by block, at most 200 of them: blocks of the same Y type are the same block. */
export function pairBlocks(
  old: readonly Block[],
  touched: readonly Block[],
  text: { before?: ((block: Block) => string) | undefined; after?: (block: Block) => string } = {},
): BlockChange[] {
  const { before: textBefore = textOf, after: textAfter = textOf } = text
  const after = new Map(touched.map((block) => [typeKey(block.type) ?? block, block]))
  const pairs: BlockChange[] = []
  for (const block of old) {
    const key = typeKey(block.type) ?? block
    const now = after.get(key)
    after.delete(key)
    pairs.push({ before: textBefore(block), after: now ? textAfter(now) : '' })
  }
  for (const block of after.values()) pairs.push({ before: '', after: textAfter(block) })
  return pairs.filter((pair) => pair.before !== pair.after).slice(0, pairLimit)
}

function textOf({ node }: Block): string {
  return blockText(node)
}
