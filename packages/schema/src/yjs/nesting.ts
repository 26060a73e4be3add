import type { Node, NodeType } from 'prosemirror-model'
import * as Y from 'yjs'

// Servers refuse content that nests deeper than 200; content that an older server accepted can nest deeper than the
// stack, or an editor, allows.
const deepest = 250
const tooDeep = '[This part is nested too deep to be shown.]'

/**
 * The paragraph that replaces the content of a block which nests deeper than any server accepts; `depth` is 1 for a
 * top-level block. Undefined for content that is shown unchanged: also for lists and tables, whose items and cells are
 * replaced instead.
 */
export function noticeFor(type: NodeType | undefined, depth: number): Node | undefined {
  if (!type || depth < deepest || type.inlineContent) return undefined
  const notice = type.schema.node('paragraph', null, type.schema.text(tooDeep))
  return type.contentMatch.matchType(notice.type) ? notice : undefined
}

/** Whether a top-level block nests so deeply that a notice replaces some of its content. */
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
