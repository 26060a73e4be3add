import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'

/** A range of blocks, in document order; `name` describes it in words. */
export type BlockRange = { ok: true; blocks: Block[]; name: string }

/** The blocks from number `block` to number `to`, in either order; only the first without `to`. */
export function findBlockRange(
  { block, to }: { block: number; to?: number | undefined },
  session: DocumentSession,
  view: DocumentView,
): BlockRange | ToolFailure {
  const first = session.resolve(block)
  if (!first.ok) return first
  const last = to === undefined ? first : session.resolve(to)
  if (!last.ok) return last
  const [from = 0, until = 0] = [first.block.index, last.block.index].toSorted((a, b) => a - b)
  const blocks = view.blocks.slice(from, until + 1)
  return { ok: true, blocks, name: blocks.length === 1 ? `block [${block}]` : `blocks [${block}] to [${to}]` }
}

/** The text of several blocks, one line per block. */
export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ node }) => blockText(node)).join('\n')
}

/** The beginning of a range's text, in quotation marks, for a message; empty if the range has no text. */
export function quoteOfBlocks(blocks: readonly Block[], length: number): string {
  const text = shorten(textOfBlocks(blocks), length)
  return text === '' ? '' : `"${text}"`
}

/** The `invalid_input` for a call that specifies both blocks and a section, or neither. */
export function oneOfBlockAndSection(): ToolFailure {
  return failure(
    'invalid_input',
    'Name either blocks or a section.',
    'Give block (and to, for several), or section without block and to.',
  )
}
