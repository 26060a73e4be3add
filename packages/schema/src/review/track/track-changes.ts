import type { Transform } from '@tiptap/pm/transform'
import type { ContentMatch, Node, NodeType } from 'prosemirror-model'
import { alignBlocks } from '../../diff/blocks.ts'
import { holdsSuggestions } from '../decide-node.ts'
import { changeNode } from './change-node.ts'
import { compareText } from './compare-text.ts'
import { type Edit, runEdits } from '../edits.ts'
import {
  isHidden,
  isWhollyOwn,
  suggestDeletion,
  suggestInsertion,
  type Tracking,
  type TrackOptions,
} from './suggest-nodes.ts'

export type { TrackOptions } from './suggest-nodes.ts'

/**
 * The difference between two documents as suggested changes: a transform on `before` in small steps, rightmost first.
 * Accepting them results in `after`, rejecting them in `before`; comments and the suggestions of others are those of
 * `before`. `idAt` returns the id for the change at a position of `before`: it is called once for each range, with the
 * position where the range begins, so that both ends of a region belong to the region; the replacement of a range has
 * its id. `isOwn` says which ids are open changes of the same author, whose insertions are edited and deleted
 * permanently. Content that both documents share is compared by identity alone.
 */
export function trackChanges(before: Node, after: Node, options: TrackOptions): Transform {
  const edits = compareChildren(before, after, 0, { ...options, isTyped: findTyped(before, after) })
  if (!edits) throw new Error('a document refuses its own blocks')
  return runEdits(before, edits)
}

// The edits of a node's children, and the resulting types; `undefined` where old and new can't coexist.
type Plan = { edits: Edit[]; types: NodeType[] }

function compareChildren(before: Node, after: Node, start: number, options: Tracking): Edit[] | undefined {
  if (before.content === after.content) return []
  const level = levelOf(before, after, start, options)
  const aligned = compareAligned(before, after, start, options, level)
  if (aligned && admits(after.type, aligned.types)?.validEnd) return aligned.edits
  const replaced = replaceBlocks(before.children, after.children, start, level, false)
  return admits(after.type, replaced.types)?.validEnd ? replaced.edits : undefined
}

// Where not every child may come first, as in a list item, changes of whole children depend on each other: they are one
// change.
function levelOf(before: Node, after: Node, start: number, options: Tracking): Tracking {
  const types = new Set<NodeType>()
  for (const child of before.children) types.add(child.type)
  for (const child of after.children) types.add(child.type)
  if ([...types].every((type) => after.type.contentMatch.matchType(type))) return options
  let id: string | undefined
  return { ...options, idAt: () => (id ??= options.idAt(start)) }
}

function compareAligned(before: Node, after: Node, start: number, options: Tracking, level: Tracking) {
  const [olds, news] = [before.children, after.children]
  const plan: Plan = { edits: [], types: [] }
  const add = ({ edits, types }: Plan) => {
    for (const edit of edits) plan.edits.push(edit)
    for (const type of types) plan.types.push(type)
  }
  let [from, at, pos] = [0, 0, start]
  // The state of the content rule after the old children so far: changes are applied from the right, so the old
  // children still precede.
  let match: ContentMatch | null | undefined = after.type.contentMatch
  for (const [to, end] of [...alignBlocks(olds, news), [olds.length, news.length] as const]) {
    if (to > from || end > at) add(replaceBlocks(olds.slice(from, to), news.slice(at, end), pos, level, true))
    for (const node of olds.slice(from, to)) {
      pos += node.nodeSize
      match = match?.matchType(node.type)
    }
    const [old, now] = [olds[to], news[end]]
    if (old && now) {
      if (old === now) plan.types.push(old.type)
      else {
        const isAdmitted = old.type === now.type || match?.matchType(now.type)
        const edits = isAdmitted ? compareNode(old, now, pos, options, level) : undefined
        // A child that is deleted alone could leave its successor where the content rule doesn't allow it.
        if (!edits && level !== options) return undefined
        add(edits ? { edits, types: [now.type] } : replaceBlocks([old], [now], pos, level, true))
      }
      pos += old.nodeSize
      match = match?.matchType(old.type)
    }
    ;[from, at] = [to + 1, end + 1]
  }
  return plan
}

// The state of the parent's content rule after these children.
function admits(parent: NodeType, types: readonly NodeType[]): ContentMatch | undefined {
  let match = parent.contentMatch
  for (const type of types) {
    const next = match.matchType(type)
    if (!next) return undefined
    match = next
  }
  return match
}

// `undefined` if `before` can't become `after` and keep its content.
function compareNode(before: Node, after: Node, pos: number, options: Tracking, level: Tracking): Edit[] | undefined {
  if (before === after) return []
  if (before.type !== after.type && !after.type.validContent(before.content)) return undefined
  const markup = () => changeNode(before, after, pos, level.idAt(pos), options)
  if (before.isTextblock) return [...compareText(before, after, pos + 1, options), ...markup()]
  // Accepting the changes removes a container that becomes empty; an intentionally empty container is another node.
  if ((before.childCount === 0) !== (after.childCount === 0)) return undefined
  const content = compareChildren(before, after, pos + 1, options)
  return content && [...content, ...markup()]
}

function replaceBlocks(
  olds: readonly Node[],
  news: readonly Node[],
  start: number,
  options: Tracking,
  mayRemove: boolean,
): Plan {
  const plan: Plan = { edits: [], types: [] }
  let pos = start
  for (const old of olds) {
    const isRemoved = mayRemove && isWhollyOwn(old, options)
    if (!isRemoved) plan.types.push(old.type)
    if (isRemoved || !isHidden(old)) {
      plan.edits.push(...suggestDeletion(old, pos, options.idAt(pos), options, mayRemove))
    }
    pos += old.nodeSize
  }
  const id = news.length > 0 ? options.idAt(start) : ''
  const inserted = news.flatMap((node) => suggestInsertion(node, id, options) ?? [])
  const end = pos
  if (inserted.length > 0) plan.edits.push((transform) => transform.insert(end, inserted))
  plan.types.push(...inserted.map((node) => node.type))
  return plan
}

/**
 * Distinguishes text that was typed inside deleted text, and so has its mark, from deleted text that was only moved:
 * whether a character of `text` is deleted more often in `after` than in `before`. Reads the documents at the first
 * call.
 */
export function findTyped(before: Node, after: Node): (text: string) => boolean {
  let counted: { before: Map<string, number>; after: Map<string, number> } | undefined
  return (text) => {
    counted ??= { before: countDeleted(before), after: countDeleted(after) }
    const { before: old, after: now } = counted
    return [...text].some((character) => (now.get(character) ?? 0) > (old.get(character) ?? 0))
  }
}

function countDeleted(node: Node, counts = new Map<string, number>()): Map<string, number> {
  if (!holdsSuggestions(node)) return counts
  if (node.isText && node.marks.some((mark) => mark.type.name === 'deletion')) {
    for (const character of node.text ?? '') counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  for (const child of node.children) countDeleted(child, counts)
  return counts
}
