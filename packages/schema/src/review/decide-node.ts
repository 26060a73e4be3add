import { Fragment, type Mark, type Node, type NodeType } from 'prosemirror-model'
import { reviewMarkNames } from '../marks/review.ts'
import { readSuggestions, writeSuggestions } from '../review-attributes.ts'
import { checkAttributes } from '../yjs/check-added.ts'
import { atomText } from './describe.ts'
import { decideState, type NodeState, unreviewedOf } from './node-state.ts'

/** The suggested changes to decide, and the decision. */
export type Verdict = { decision: 'accept' | 'reject'; ids: ReadonlySet<string> | 'all' }

/**
 * The outcome of a verdict for a node: `after` is the node itself if nothing in it is decided, `undefined` if it is
 * removed. Where it is another node, `children` are the outcomes of all its children and `filler` is the content that
 * its content rule requires in front of them.
 */
export type Outcome = { before: Node; after: Node | undefined; children: readonly Outcome[]; filler: Fragment }

const changeMarks: ReadonlySet<string> = new Set(['insertion', 'deletion', 'formattingChange'])
const removedWhenEmpty: ReadonlySet<string> = new Set(
  'bulletList orderedList listItem taskList taskItem blockquote table tableRow'.split(' '),
)
const known = new WeakMap<Node, boolean>()

/** Whether a suggested change affects the node or its content. Cached for every node that has content. */
export function holdsSuggestions(node: Node): boolean {
  if (node.marks.some((mark) => changeMarks.has(mark.type.name))) return true
  if (typeof node.attrs.suggestion === 'string') return true
  if (node.isLeaf) return false
  const remembered = known.get(node)
  if (remembered !== undefined) return remembered
  const holds = node.children.some(holdsSuggestions)
  known.set(node, holds)
  return holds
}

/**
 * Applies a verdict to a node, in memory. A deleted (rejected: inserted) node is removed only if no content remains in
 * it, so text that others typed there is kept in its block; containers that lose all their content are removed too.
 */
export function decideNode(before: Node, verdict: Verdict, keepTypes = false): Outcome {
  const same: Outcome = { before, after: before, children: [], filler: Fragment.empty }
  if (!holdsSuggestions(before)) return same
  const marks = decideMarks(before, verdict)
  if (!marks) return { ...same, after: undefined }
  if (before.isText) return before.marks === marks ? same : { ...same, after: before.mark(marks) }

  const covers = (id: string) => verdict.ids === 'all' || verdict.ids.has(id)
  const removal = verdict.decision === 'accept' ? 'delete' : 'insert'
  const entries = readSuggestions(before.attrs.suggestion).filter((entry) => covers(entry.id))
  const isRemoved = entries.some((entry) => entry.operation === removal)
  const { state, remaining } = decideState(before, verdict.decision, covers)
  const clears = entries.length > 0 || verdict.ids === 'all'
  const suggestion: unknown = clears ? writeSuggestions(remaining) : before.attrs.suggestion

  const type = keepTypes ? before.type : (before.type.schema.nodes[state.type] ?? before.type)
  const content = decideContent(before, type, verdict) ?? decideContent(before, before.type, verdict)
  if (!content) return same
  const isEmptied = before.childCount > 0 && content.isEmpty && removedWhenEmpty.has(before.type.name)
  if (isEmptied || (isRemoved && content.isEmpty)) return { ...same, after: undefined }
  const attributes = attributesOf(before, content.type, state, suggestion)
  const after = content.type.create(attributes, content.nodes, marks)
  const isSame = after.sameMarkup(before) && content.children.every((child) => child.after === child.before)
  return isSame ? same : { before, after, children: content.children, filler: content.filler }
}

function attributesOf(before: Node, type: NodeType, state: NodeState, suggestion: unknown): Record<string, unknown> {
  // A node that keeps its type although the verdict would change it also keeps its attributes.
  const decided = type.name === state.type ? state.attributes : {}
  const kept = type === before.type ? before.attrs : unreviewedOf(before, type)
  return before.type === before.type.schema.topNodeType ? before.attrs : { ...kept, ...decided, suggestion }
}

type Content = { type: NodeType; children: Outcome[]; filler: Fragment; nodes: Fragment; isEmpty: boolean }

// The content for a node of this type; `undefined` if that type doesn't allow it.
function decideContent(before: Node, type: NodeType, verdict: Verdict): Content | undefined {
  for (const keepTypes of [false, true]) {
    const children = before.children.map((child) => fit(decideNode(child, verdict, keepTypes), type))
    const kept = Fragment.fromArray(children.flatMap((child) => child.after ?? []))
    const filler = type.contentMatch.fillBefore(kept, true)
    const nodes = filler?.append(kept)
    if (filler && nodes && type.validContent(nodes)) return { type, children, filler, nodes, isEmpty: kept.size === 0 }
  }
  return undefined
}

// A block that becomes code again can't keep formats and atoms added since: their text is kept.
function fit(outcome: Outcome, type: NodeType): Outcome {
  const { after } = outcome
  if (!after?.isInline) return outcome
  const isAdmitted = type.contentMatch.matchType(after.type) !== null
  if (isAdmitted && type.allowsMarks(after.marks)) return outcome
  const words = isAdmitted ? after : textOf(after)
  return { ...outcome, after: words?.mark(type.allowedMarks(words.marks)) }
}

// The text form of an inline atom, as a text node with the atom's open suggestions.
function textOf(atom: Node): Node | undefined {
  const text = atomText(atom)
  if (text === '') return undefined
  const { schema } = atom.type
  let { marks } = atom
  for (const { id, operation } of readSuggestions(atom.attrs.suggestion)) {
    if (operation === 'insert') marks = schema.mark('insertion', { id }).addToSet(marks)
    if (operation === 'delete') marks = schema.mark('deletion', { id }).addToSet(marks)
  }
  return schema.text(text, marks)
}

// The marks that remain; `undefined` if the text is removed.
function decideMarks(node: Node, { decision, ids }: Verdict): readonly Mark[] | undefined {
  const removal = decision === 'accept' ? 'deletion' : 'insertion'
  let marks = node.marks
  for (const mark of node.marks) {
    if (!changeMarks.has(mark.type.name) || !(ids === 'all' || ids.has(String(mark.attrs.id)))) continue
    if (mark.type.name === removal) return undefined
    marks = mark.removeFromSet(marks)
    if (decision === 'reject' && mark.type.name === 'formattingChange') marks = restoreFormat(marks, mark)
  }
  return marks
}

function restoreFormat(marks: readonly Mark[], change: Mark): readonly Mark[] {
  const name = String(change.attrs.mark)
  const type = reviewMarkNames.some((review) => review === name) ? undefined : change.type.schema.marks[name]
  if (!type) return marks
  if (change.attrs.previous === null) return type.removeFromSet(marks)
  const previous = parseAttributes(type.name, change.attrs.previous)
  return previous ? type.create(previous).addToSet(marks) : marks
}

function parseAttributes(name: string, json: unknown): Record<string, unknown> | undefined {
  if (typeof json !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(json)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    const attributes = { ...parsed }
    checkAttributes(name, attributes)
    return attributes
  } catch {
    return undefined
  }
}
