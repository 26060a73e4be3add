import { renderBlock } from '../render/render-block.ts'
import { type Block, blockText } from './blocks.ts'
import { type CoordinateTable, rememberBlock } from './coordinates.ts'
import { type DocumentView, typeKey } from './document-view.ts'

/** The text of a block before and after a change; empty for a block that didn't exist before or doesn't exist after. */
export type BlockChange = { before: string; after: string }

/**
 * Assigns new numbers to changed blocks and lists the blocks as the model reads them, up to `limit` characters: returns
 * the text to append to a result, and the numbers by block.
 */
export function showTouched(
  touched: readonly Block[],
  view: DocumentView,
  table: CoordinateTable,
  limit: number,
): { text: string; numbers: Map<Block, number> } {
  const lines: string[] = []
  const numbers = new Map<Block, number>()
  let length = 0
  for (const block of touched) {
    const line = renderBlock(view.doc, block)
    if (lines.length > 0 && length + line.length > limit) break
    const number = table.next
    table.set(number, rememberBlock(block))
    numbers.set(block, number)
    lines.push(`[${number}] ${line}`)
    length += line.length
  }
  const rest = touched.length - lines.length
  const more = rest > 0 ? `\n…and ${rest} more; read_document shows them.` : ''
  return { text: lines.length > 0 ? `\nNow, with new numbers:\n${lines.join('\n')}${more}` : '', numbers }
}

const pairLimit = 200

/** The effect of a change block by block, at most 200 of them: blocks of the same Y type are the same block. */
export function pairBlocks(
  old: readonly Block[],
  touched: readonly Block[],
  textBefore = (block: Block): string => blockText(block.node),
): BlockChange[] {
  const after = new Map(touched.map((block) => [typeKey(block.type) ?? block, block]))
  const pairs: BlockChange[] = []
  for (const block of old) {
    const key = typeKey(block.type) ?? block
    const now = after.get(key)
    after.delete(key)
    pairs.push({ before: textBefore(block), after: now ? blockText(now.node) : '' })
  }
  for (const block of after.values()) pairs.push({ before: '', after: blockText(block.node) })
  return pairs.filter((pair) => pair.before !== pair.after).slice(0, pairLimit)
}
