import type { VersionChange } from '@copydesk/protocol'
import { readChanges, readSuggestions, trackChanges, writeSuggestions } from '@copydesk/schema'
import { Fragment, type Node } from 'prosemirror-model'

/** Two documents merged into one, and the changes between them: `doc` shows the difference as suggested changes. */
export type Comparison = { doc: Node; changes: VersionChange[] }

/**
 * The difference between two documents, neither of which contains suggested changes: words within blocks, inserted and
 * deleted blocks, formatting. A block that was deleted at one position and inserted at another is one change, a move.
 */
export function compareVersions(before: Node, after: Node): Comparison {
  let lastId = 0
  const idAt = (): string => `c${++lastId}`
  const tracked = trackChanges(before, shareBlocks(before, after), { idAt, isOwn: () => false, byWords: true }).doc
  const { doc, moved } = joinMoves(tracked)
  const changes = readChanges(doc).map(({ id, type, before: was, after: is }): VersionChange => {
    const isMove = moved.has(id)
    return { id, type: isMove ? 'move' : type, before: was, after: is }
  })
  return { doc, changes }
}

const changeMarks = new Set(['insertion', 'deletion', 'formattingChange'])

/**
 * The number of paragraphs, or other blocks of text or without content, that a comparison shows as changed. The blocks
 * of an inserted or deleted list or table count separately; a moved block counts once.
 */
export function countChanged(doc: Node): number {
  let count = 0
  const isMarked = ({ attrs, marks }: Node): boolean =>
    readSuggestions(attrs.suggestion).length > 0 || marks.some(({ type }) => changeMarks.has(type.name))
  const visit = (node: Node, isIn: boolean): void => {
    const isChanged = isIn || isMarked(node)
    if (node.isTextblock || node.isLeaf) count += isChanged || node.children.some(isMarked) ? 1 : 0
    else for (const child of node.children) visit(child, isChanged)
  }
  doc.forEach((block) => {
    const isSource =
      operationOf(block) === 'delete' && readSuggestions(block.attrs.suggestion).some(({ id }) => /^m\d/.test(id))
    if (!isSource) visit(block, false)
  })
  return count
}

function joinMoves(doc: Node): { doc: Node; moved: ReadonlySet<string> } {
  const gone = new Map<string, number[]>()
  doc.forEach((block, _offset, index) => {
    if (operationOf(block) !== 'delete' || block.textContent === '') return
    const key = keyOf(block)
    gone.set(key, [...(gone.get(key) ?? []), index])
  })
  const ids = new Map<number, string>()
  doc.forEach((block, _offset, index) => {
    if (operationOf(block) !== 'insert') return
    const from = gone.get(keyOf(block))?.shift()
    if (from === undefined) return
    const id = `m${from}`
    ids.set(from, id)
    ids.set(index, id)
  })
  if (ids.size === 0) return { doc, moved: new Set() }
  const children = doc.children.map((block, index) => {
    const id = ids.get(index)
    return id === undefined ? block : withId(block, id)
  })
  return { doc: doc.copy(Fragment.fromArray(children)), moved: new Set(ids.values()) }
}

function operationOf(node: Node): string | undefined {
  return readSuggestions(node.attrs.suggestion).find(({ operation }) => operation !== 'change')?.operation
}

// A block that was also changed isn't a move but a deletion and an insertion.
function keyOf(node: Node): string {
  return `${node.type.name} ${node.textContent}`
}

function withId(node: Node, id: string): Node {
  const marks = node.marks.map((mark) =>
    mark.type.name === 'insertion' || mark.type.name === 'deletion' ? mark.type.create({ id }) : mark,
  )
  if (node.isText) return node.mark(marks)
  const suggestions = readSuggestions(node.attrs.suggestion)
  const suggestion = writeSuggestions(suggestions.map((each) => ({ ...each, id })))
  const content = Fragment.fromArray(node.children.map((child) => withId(child, id)))
  return node.type.create({ ...node.attrs, suggestion }, content, marks)
}

/**
 * A copy of `doc` that shares its equal blocks with `other`. Comparisons detect unchanged blocks by identity, which two
 * documents that were read separately never share.
 */
export function shareBlocks(other: Node, doc: Node): Node {
  if (other.eq(doc)) return other
  const known = Map.groupBy(other.children, keyOf)
  const children = doc.children.map((child) => known.get(keyOf(child))?.find((each) => each.eq(child)) ?? child)
  return doc.copy(Fragment.fromArray(children))
}
