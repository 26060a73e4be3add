import type { Node } from 'prosemirror-model'

/**
 * The position of the text block with this plain text: the first that equals it, else the first that contains it or is
 * a prefix of it. Undefined if there is none.
 */
export function findBlock(doc: Node, text: string): number | undefined {
  const wanted = text.trim()
  let near: number | undefined
  let exact: number | undefined
  if (wanted === '') return undefined
  doc.descendants((node, position) => {
    if (exact !== undefined) return false
    if (!node.isTextblock) return true
    const found = node.textContent.trim()
    if (found === wanted) exact = position + 1
    else if (found !== '' && (found.includes(wanted) || wanted.includes(found))) near ??= position + 1
    return false
  })
  return exact ?? near
}
