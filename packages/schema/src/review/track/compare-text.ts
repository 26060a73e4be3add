import { AttrStep, RemoveMarkStep } from '@tiptap/pm/transform'
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { reviewMarkNames } from '../../marks/review.ts'
import type { Edit } from '../edits.ts'
import { isReviewed, sameState, sameValue, stateOf } from '../node-state.ts'
import { changeNode } from './change-node.ts'
import {
  addMark,
  isHidden,
  ownInsertion,
  suggestDeletion,
  suggestInsertion,
  type Tracking,
  type TrackOptions,
} from './suggest-nodes.ts'
import { diffText, type Hunk, type Line } from '../../diff/text.ts'

const reviewMarks: ReadonlySet<string> = new Set(reviewMarkNames)

/**
 * The edits that turn the content of one text block, which begins at `start` of the old document, into that of another
 * as suggested changes. Common text keeps its comments and the suggestions of others; text that is already deleted
 * keeps its position, even if the new document doesn't contain it.
 */
export function compareText(before: Node, after: Node, start: number, options: Tracking): Edit[] {
  if (before.content.eq(after.content)) return []
  const atoms = new Map<string, string>()
  const hunks = diffText(lineOf(before, atoms), lineOf(after, atoms), options)
  const edits: Edit[] = []
  let [from, at] = [0, 0]
  const compare = { before, after, start, options }
  for (const hunk of [...hunks, undefined]) {
    const kept = (hunk?.from ?? before.content.size) - from
    edits.push(...compareKept(compare, from, at, kept))
    if (hunk) edits.push(...replace(compare, hunk))
    ;[from, at] = [hunk?.to ?? 0, hunk?.end ?? 0]
  }
  return edits
}

type Compare = { before: Node; after: Node; start: number; options: Tracking }

// An inline atom is one position wide, like a UTF-16 unit, so offsets in the text are offsets in the content.
function lineOf(block: Node, atoms: Map<string, string>): Line {
  let text = ''
  const keys: string[] = []
  block.forEach((node) => {
    const words = node.isText ? (node.text ?? '') : '\uFFFC'
    const kind = node.isText ? '' : atomKey(node, atoms)
    const key = isHidden(node) ? `-${kind}` : kind
    text += words
    for (let index = 0; index < words.length; index++) keys.push(key)
  })
  return { text, keys, isHeld: (position) => keys[position]?.startsWith('-') ?? false }
}

function atomKey(node: Node, atoms: Map<string, string>): string {
  const state = JSON.stringify(stateOf(node))
  const key = atoms.get(state) ?? String(atoms.size)
  atoms.set(state, key)
  return key
}

function replace({ before, after, start, options }: Compare, hunk: Hunk): Edit[] {
  const pos = start + hunk.from
  const id = options.idAt(pos)
  const [old, now] = [before.content.cut(hunk.from, hunk.to), after.content.cut(hunk.at, hunk.end)]
  const [atom, changed] = [old.firstChild, now.firstChild]
  if (atom && changed && old.size === 1 && now.size === 1 && isChangedAtom(atom, changed)) {
    return changeNode(atom, changed, pos, id, options)
  }
  const edits: Edit[] = []
  old.forEach((node, offset) => {
    if (!isHidden(node)) edits.push(...suggestDeletion(node, pos + offset, id, options))
  })
  const inserted = Fragment.fromArray(
    now.content.flatMap((node) => suggestInsertion(typed(node, options), id, options) ?? []),
  )
  if (inserted.size > 0) edits.push((transform) => transform.insert(start + hunk.to, inserted))
  return edits
}

function isChangedAtom(a: Node, b: Node): boolean {
  return !a.isText && a.type === b.type && !isHidden(a) && !isHidden(b)
}

// Text that a user types inside deleted text gets its mark from the editor, although it isn't deleted. Text that was
// deleted in another block and moved here remains deleted there.
function typed(node: Node, { isTyped }: Tracking): Node {
  if (!node.isText || !isHidden(node) || !isTyped(node.text ?? '')) return node
  return node.mark(node.marks.filter((mark) => mark.type.name !== 'deletion'))
}

// Compares kept text run by run: only its formatting can differ.
function compareKept(compare: Compare, from: number, at: number, length: number): Edit[] {
  const { before, after, start, options } = compare
  const edits: Edit[] = []
  for (let done = 0; done < length;) {
    const old = before.childAfter(from + done)
    const now = after.childAfter(at + done)
    const [a, b] = [old.node, now.node]
    if (!a || !b) break
    const rest = Math.min(old.offset + a.nodeSize - from, now.offset + b.nodeSize - at, length) - done
    const [offset, other] = [from + done, at + done]
    const pos = start + offset
    if (!a.isText) edits.push(...sendMention(a, b, pos))
    else if (!isHidden(a)) {
      const formats = formatsThatDiffer(a, b)
      const contested = formats.some(([name]) => foreignFormat(a, name, options))
      if (contested) edits.push(...replace(compare, { from: offset, to: offset + rest, at: other, end: other + rest }))
      else if (formats.length > 0) {
        const id = options.idAt(pos)
        for (const format of formats) edits.push(...changeFormat(a, format, pos, pos + rest, id, options))
      }
    }
    done += rest
  }
  return edits
}

// The sending of a mention is not a suggestion: it takes effect immediately.
function sendMention(before: Node, after: Node, pos: number): Edit[] {
  if (!sameState(stateOf(before), stateOf(after))) return []
  return Object.entries(after.attrs).flatMap(([name, value]): Edit[] => {
    const isFact = !isReviewed(after.type, name) && name !== 'suggestion' && name !== 'threads'
    if (!isFact || sameValue(value, before.attrs[name])) return []
    return [(transform) => transform.step(new AttrStep(pos, name, value))]
  })
}

type Format = [name: string, before: Mark | undefined, after: Mark | undefined]

function formatsThatDiffer(a: Node, b: Node): Format[] {
  const names = new Set([...a.marks, ...b.marks].map((mark) => mark.type.name))
  return [...names].flatMap((name): Format[] => {
    if (reviewMarks.has(name)) return []
    const find = (node: Node) => node.marks.find((mark) => mark.type.name === name)
    const [before, after] = [find(a), find(b)]
    return before && after
      ? before.eq(after)
        ? []
        : [[name, before, after]]
      : before !== after
        ? [[name, before, after]]
        : []
  })
}

function formatChange(node: Node, name: string): Mark[] {
  return node.marks.filter((mark) => mark.type.name === 'formattingChange' && mark.attrs.mark === name)
}

// Marks have no order in Yjs, so changes of one format by two users on the same text couldn't be distinguished.
function foreignFormat(node: Node, name: string, options: TrackOptions): boolean {
  return formatChange(node, name).some((mark) => !options.isOwn(String(mark.attrs.id)))
}

function changeFormat(
  node: Node,
  [name, before, after]: Format,
  from: number,
  to: number,
  id: string,
  options: TrackOptions,
): Edit[] {
  const edits: Edit[] = []
  const remove = (mark: Mark) => edits.push((transform) => transform.step(new RemoveMarkStep(from, to, mark)))
  if (after) edits.push(addMark(from, to, after))
  else if (before) remove(before)
  const [earlier] = formatChange(node, name)
  if (earlier) {
    if (earlier.attrs.previous === attributesOf(after)) remove(earlier)
  } else if (ownInsertion(node, options) === undefined) {
    const previous = attributesOf(before)
    edits.push(addMark(from, to, node.type.schema.mark('formattingChange', { id, mark: name, previous })))
  }
  return edits
}

function attributesOf(mark: Mark | undefined): string | null {
  return mark ? JSON.stringify(mark.attrs) : null
}
