import { Fragment, type Mark, type Node, type Schema } from 'prosemirror-model'
import { type NodeSuggestion, readSuggestions } from './review-attributes.ts'

/** Which side of the suggested changes to show: the text as it was before them, or as if all were accepted. */
export type ChangesView = 'original' | 'accepted'

/**
 * The document with every suggested change left out (`original`) or carried out (`accepted`). A block with `split` was
 * parted from the one before it, one with `join` is to be joined to it. The result holds no suggestion any more; comments
 * stay. Containers that lose all their content go too, or keep one empty paragraph where the schema demands it.
 */
export function resolveChanges(doc: Node, view: ChangesView): Node {
  const content = resolveContent(doc.content, view)
  return doc.type.validContent(content) ? doc.copy(content) : (doc.type.createAndFill(doc.attrs, content) ?? doc)
}

function resolveContent(content: Fragment, view: ChangesView): Fragment {
  const resolved: Node[] = []
  content.forEach((node) => {
    if (!isShown(node, view)) return
    const last = resolved.at(-1)
    const now = node.isText ? resolveText(node, view) : resolveNode(node, view)
    if (!now) return
    const joined = last && isJoined(node, view) ? join(last, now) : undefined
    if (joined) resolved[resolved.length - 1] = joined
    else resolved.push(now)
  })
  return Fragment.fromArray(resolved)
}

/** Whether a node is there at all in this view of the changes. */
export function isShown(node: Node, view: ChangesView): boolean {
  const [mark, operation] = view === 'original' ? ['insertion', 'insert'] : ['deletion', 'delete']
  if (node.marks.some((candidate) => candidate.type.name === mark)) return false
  return !suggestionsOf(node).some((suggestion) => suggestion.operation === operation)
}

function isJoined(node: Node, view: ChangesView): boolean {
  const operation = view === 'original' ? 'split' : 'join'
  return suggestionsOf(node).some((suggestion) => suggestion.operation === operation)
}

function join(left: Node, right: Node): Node | undefined {
  const content = left.content.append(right.content)
  return !left.isLeaf && left.type.validContent(content) ? left.copy(content) : undefined
}

function resolveText(node: Node, view: ChangesView): Node {
  let marks: readonly Mark[] = node.marks
  if (view === 'original') for (const mark of node.marks) marks = restoreMark(marks, mark, node.type.schema)
  return node.mark(marks.filter((mark) => !['insertion', 'deletion', 'formattingChange'].includes(mark.type.name)))
}

/** Puts back the formatting that a `formattingChange` mark replaced. */
function restoreMark(marks: readonly Mark[], change: Mark, schema: Schema): readonly Mark[] {
  const type = change.type.name === 'formattingChange' ? schema.marks[String(change.attrs.mark)] : undefined
  if (!type) return marks
  const previous = parseAttributes(change.attrs.previous)
  return previous ? type.create(previous).addToSet(marks) : type.removeFromSet(marks)
}

function resolveNode(node: Node, view: ChangesView): Node | undefined {
  const content = resolveContent(node.content, view)
  if (node.childCount > 0 && content.childCount === 0 && isList(node)) return undefined
  const attributes = { ...node.attrs, suggestion: null }
  const before = view === 'original' ? previousOf(node) : undefined
  if (before?.type.validContent(content)) return before.type.create({ ...attributes, ...before.attributes }, content)
  if (node.isLeaf || node.isTextblock) return node.type.create(attributes, content)
  return node.type.createAndFill(attributes, content) ?? undefined
}

function previousOf(node: Node) {
  const change = suggestionsOf(node).find((suggestion) => suggestion.operation === 'change')
  const type = change && node.type.schema.nodes[change.previous.type]
  return type && { type, attributes: change.previous.attributes }
}

function isList(node: Node): boolean {
  return ['bulletList', 'orderedList', 'taskList', 'table', 'tableRow'].includes(node.type.name)
}

function suggestionsOf(node: Node): NodeSuggestion[] {
  return readSuggestions(node.attrs.suggestion)
}

function parseAttributes(json: unknown): Record<string, unknown> | undefined {
  if (typeof json !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(json)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
