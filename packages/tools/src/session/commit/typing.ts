import { shorten } from '../../common/result.ts'
import type { Block } from '../../document/blocks.ts'
import { type DocumentView, typeKey } from '../../document/document-view.ts'

const longestList = 10

/** A person who is typing in a block right now. */
export type Typing = { name: string; block: Block }

/** Finds the blocks of those who are typing, from the positions of their carets; carets in no block are left out. */
export function findTyping(carets: readonly { name: string; pos: number | undefined }[], view: DocumentView): Typing[] {
  return carets.flatMap(({ name, pos }) => {
    const block = pos === undefined ? undefined : (view.blockAt(pos) ?? view.blockAt(pos - 1))
    return block ? [{ name, block }] : []
  })
}

/** A note on who is typing in some of these blocks, each with its number; `undefined` if nobody is. */
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
