import { shorten } from '../../common/result.ts'
import type { Block } from '../../document/blocks.ts'
import { type DocumentView, typeKey } from '../../document/document-view.ts'

const longestList = 10

/** A person who is typing in a block now. */
export type Typing = { name: string; block: Block }

/** Finds the blocks in which people are typing, from the positions of their carets; omits carets outside of blocks. */
export function findTyping(carets: readonly { name: string; pos: number | undefined }[], view: DocumentView): Typing[] {
  return carets.flatMap(({ name, pos }) => {
    const block = pos === undefined ? undefined : (view.blockAt(pos) ?? view.blockAt(pos - 1))
    return block ? [{ name, block }] : []
  })
}

/**
 * A note that names the people who are typing in some of these blocks, with the blocks' numbers; `undefined` if there
 * are none.
 */
export function noteTyping(
  typing: readonly Typing[],
  blocks: readonly Block[],
  numberOf: (block: Block) => number,
): string | undefined {
  if (typing.length === 0) return undefined
  const byType = new Map(blocks.map((block) => [typeKey(block.type), block]))
  const names = typing.slice(0, longestList).flatMap(({ name, block }) => {
    const now = byType.get(typeKey(block.type))
    return now ? [`${shorten(name, 80)} in [${numberOf(now)}]`] : []
  })
  if (names.length === 0) return undefined
  return `(Typing right now: ${names.join(', ')}. The text there may change; make only small edits in it.)`
}
