import type { Node, NodeType } from 'prosemirror-model'
import * as Y from 'yjs'

// Servers take nothing that nests deeper than 200; what an older one took is deeper than the stack, or any editor, can
// follow.
const deepest = 250
const tooDeep = '[This part is nested too deep to be shown.]'

/**
 * The paragraph that stands for the content of a block which nests deeper than any server takes; `depth` is 1 for a
 * block of the document itself. Undefined for what is shown as it is: also lists and tables, whose items and cells are
 * cut in their place.
 */
export function noticeFor(type: NodeType | undefined, depth: number): Node | undefined {
  if (!type || depth < deepest || type.inlineContent) return undefined
  const notice = type.schema.node('paragraph', null, type.schema.text(tooDeep))
  return type.contentMatch.matchType(notice.type) ? notice : undefined
}

/** Whether a block of the document itself nests so deep that something in it is shown by its notice only. */
export function nestsTooDeep(block: Y.XmlElement): boolean {
  const pending: { element: Y.XmlElement; depth: number }[] = [{ element: block, depth: 1 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { element, depth } = next
    if (depth > deepest) return true
    for (const child of element.toArray()) {
      if (child instanceof Y.XmlElement) pending.push({ element: child, depth: depth + 1 })
    }
  }
  return false
}
