import { AddMarkStep, AttrStep } from '@tiptap/pm/transform'
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { type NodeSuggestion, readSuggestions, writeSuggestions } from '../../review-attributes.ts'
import { decideNode } from '../decide-node.ts'
import type { Edit } from '../edits.ts'

/**
 * `idAt` returns the id for a change at a position of the old document; `isOwn` whether an id is one of the author's
 * own open changes. With `byWords`, a changed word is never split, for output that is only read.
 */
export type TrackOptions = { idAt: (pos: number) => string; isOwn: (id: string) => boolean; byWords?: boolean }

/**
 * The context of one comparison; `isTyped` says whether a deleted text holds more than was deleted in the whole old
 * document.
 */
export type Tracking = TrackOptions & { isTyped: (text: string) => boolean }

/** Whether a text or atom is hidden once all changes are accepted. */
export function isHidden(node: Node): boolean {
  return decideNode(node, { decision: 'accept', ids: 'all' }).after === undefined
}

/** The id of the author's own suggestion that inserted this node. */
export function ownInsertion(node: Node, { isOwn }: TrackOptions): string | undefined {
  const ids = node.isText
    ? node.marks.filter((mark) => mark.type.name === 'insertion').map((mark) => String(mark.attrs.id))
    : readSuggestions(node.attrs.suggestion).flatMap((entry) => (entry.operation === 'insert' ? entry.id : []))
  return ids.find(isOwn)
}

/** Whether all of a node is the author's own suggested insertion, so that removing it leaves nothing to suggest. */
export function isWhollyOwn(node: Node, options: TrackOptions): boolean {
  return ownInsertion(node, options) !== undefined && node.children.every((child) => isWhollyOwn(child, options))
}

function setSuggestions(pos: number, suggestions: readonly NodeSuggestion[]): Edit {
  return (transform) => transform.step(new AttrStep(pos, 'suggestion', writeSuggestions(suggestions)))
}

/** Adds a mark to the text from `from` to `to`. */
export function addMark(from: number, to: number, mark: Mark): Edit {
  return (transform) => transform.step(new AddMarkStep(from, to, mark))
}

/**
 * Suggests to delete a node and all its content: blocks and atoms by their attribute, text by its mark. The author's
 * own suggested insertions are removed permanently, where the content rules allow it and `mayRemove` is set.
 */
export function suggestDeletion(node: Node, pos: number, id: string, options: TrackOptions, mayRemove = true): Edit[] {
  if (mayRemove && isWhollyOwn(node, options)) return [(transform) => transform.delete(pos, pos + node.nodeSize)]
  if (node.isText) {
    const isOwnDeletion = (mark: Mark) => mark.type.name === 'deletion' && options.isOwn(String(mark.attrs.id))
    if (node.marks.some(isOwnDeletion)) return []
    return [addMark(pos, pos + node.nodeSize, node.type.schema.mark('deletion', { id }))]
  }
  const entries = readSuggestions(node.attrs.suggestion)
  const isDeleted = entries.some((entry) => entry.operation === 'delete' && options.isOwn(entry.id))
  const edits = isDeleted ? [] : [setSuggestions(pos, [...entries, { id, operation: 'delete' }])]
  const kept = node.children.filter((child) => !isWhollyOwn(child, options))
  const mayRemoveChildren = node.type.validContent(Fragment.fromArray(kept))
  node.forEach((child, offset) => {
    edits.push(...suggestDeletion(child, pos + 1 + offset, id, options, mayRemoveChildren))
  })
  return edits
}

/**
 * A new node and all its content as a suggested insertion; `undefined` if it is hidden once all changes are accepted:
 * it was moved together with other content, and remains in its old position. Other suggestions on it aren't copied
 * either.
 */
export function suggestInsertion(node: Node, id: string, options: TrackOptions): Node | undefined {
  const shown = decideNode(node, { decision: 'accept', ids: 'all' }).after
  return shown && insert(node, shown, id, options)
}

// `shown` is `node` with all changes accepted; the author's own ids are only known from `node`.
function insert(node: Node, shown: Node, id: string, options: TrackOptions): Node {
  const own = ownInsertion(node, options) ?? id
  if (shown.isText) return shown.mark(node.type.schema.mark('insertion', { id: own }).addToSet(shown.marks))
  const content = node.children.flatMap((child) => {
    const { after } = decideNode(child, { decision: 'accept', ids: 'all' })
    return after ? [insert(child, after, id, options)] : []
  })
  // Filler content that the content rule requires in front has no counterpart in `node`.
  const fillers = node.inlineContent ? [] : shown.children.slice(0, shown.childCount - content.length)
  const children = [...fillers.map((filler) => insert(filler, filler, id, options)), ...content]
  const suggestion = writeSuggestions([{ id: own, operation: 'insert' }])
  return shown.type.create({ ...shown.attrs, suggestion }, Fragment.fromArray(children), shown.marks)
}
