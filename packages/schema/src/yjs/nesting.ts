import type { Node, NodeType } from 'prosemirror-model'

// Servers take nothing that nests deeper than 200; what an older one took is deeper than the stack, or any editor, can follow.
const deepest = 250
const tooDeep = '[This part is nested too deep to be shown.]'

/**
 * The paragraph that stands for the content of a block which nests deeper than any server takes; `depth` is 1 for a block of the document
 * itself. Undefined for what is shown as it is: also lists and tables, whose items and cells are cut in their place.
 */
export function noticeFor(type: NodeType | undefined, depth: number): Node | undefined {
  if (!type || depth < deepest || type.inlineContent) return undefined
  const notice = type.schema.node('paragraph', null, type.schema.text(tooDeep))
  return type.contentMatch.matchType(notice.type) ? notice : undefined
}
