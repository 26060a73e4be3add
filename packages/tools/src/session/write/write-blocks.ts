import type { DecidedBlocks } from '@copydesk/schema'
import type * as Y from 'yjs'
import { applyTransform, type WriteSource } from './write-steps.ts'
import { writeAttributes } from './y-types.ts'

/**
 * Writes a decision that changes only the content of blocks, each block like a whole document, in one Yjs transaction
 * if the caller has opened one. The fragment must match the document of the decision. Returns `false`, with nothing
 * written, if its children aren't that document's blocks.
 */
export function writeBlocks(
  fragment: Y.XmlFragment,
  { blocks, removed }: DecidedBlocks,
  { metadata, children }: Required<Pick<WriteSource, 'children'>> & WriteSource,
  blockCount: number,
): boolean {
  const elements = children()
  if (elements.length !== blockCount || fragment.length !== blockCount) return false
  for (const { index, after, transform } of blocks) {
    const element = elements[index]
    if (!element) continue
    applyTransform(element, transform, { metadata })
    writeAttributes(element, after)
    metadata.mapping.delete(element)
  }
  for (const index of removed.toReversed()) fragment.delete(index, 1)
  metadata.mapping.delete(fragment)
  return true
}
