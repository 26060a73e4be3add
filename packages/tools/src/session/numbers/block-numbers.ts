import { type Block, blockText } from '../../document/blocks.ts'
import { type CoordinateTable, findRemembered, isRemembered, rememberBlock } from './coordinates.ts'
import { type DocumentView, typeKey } from '../../document/document-view.ts'

/**
 * The number of a block; `undefined` if it has none. A block whose text others have rewritten keeps its number, unless
 * that number now refers to another block.
 */
export function numberOf(block: Block, view: DocumentView, table: CoordinateTable): number | undefined {
  const ofType = table.numbersOfType(typeKey(block.type) ?? null)
  const isThis = (number: number): boolean => {
    const entry = table.get(number)
    return entry !== undefined && isRemembered(entry, block, view)
  }
  const isFree = (number: number): boolean => {
    const entry = table.get(number)
    return entry !== undefined && entry.kind === block.kind && !findRemembered(entry, view)
  }
  const text = blockText(block.node)
  // A text identifies a block only if no other block has it; comparing the numbers of all of them would be quadratic.
  const ofText = view.blocksWithText(text).length === 1 ? table.numbersOfText(text) : []
  return ofType.find(isThis) ?? ofText.find(isThis) ?? ofType.find(isFree)
}

/**
 * The number of a block, assigned if it has none: its position among the blocks that the document had at first, if that
 * number was never assigned to another block; else the next number above all others.
 */
export function numberBlock(block: Block, view: DocumentView, table: CoordinateTable): number {
  table.reserve(view.blocks.length)
  const known = numberOf(block, view, table)
  if (known !== undefined) {
    const entry = table.get(known)
    // Others have rewritten the block: the number now refers to the text that is shown with it.
    if (entry && !isRemembered(entry, block, view)) table.set(known, rememberBlock(block))
    return known
  }
  const wanted = positionAmongFirst(block, view, table)
  const number = wanted < table.reserved && table.get(wanted) === undefined ? wanted : table.next
  table.set(number, rememberBlock(block))
  return number
}

/** Assigns a number above all others to a block that a call has created. */
export function numberNew(block: Block, table: CoordinateTable): number {
  const number = table.next
  table.set(number, rememberBlock(block))
  return number
}

function positionAmongFirst({ index }: Block, view: DocumentView, table: CoordinateTable): number {
  let between = 0
  for (let at = index - 1; at >= 0; at--) {
    const before = view.blocks[at]
    const number = before && numberOf(before, view, table)
    if (number === undefined) between++
    else if (number < table.reserved) return number + between + 1
  }
  return between
}

/**
 * The index of the block that has a number, or would get it if it were shown now; for the number of a deleted block,
 * that of the block that followed it. `undefined` if there is none.
 */
export function indexOfNumber(number: number, view: DocumentView, table: CoordinateTable): number | undefined {
  table.reserve(view.blocks.length)
  const entry = table.get(number)
  const shown = entry && findRemembered(entry, view)
  if (shown) return shown.index
  let last = -1
  for (const block of view.blocks) {
    const current = numberOf(block, view, table) ?? last + 1
    const isNext = entry !== undefined && current > number && current < table.reserved
    if (current === number || isNext) return block.index
    if (current < table.reserved) last = current
  }
  return undefined
}
