import type { MentionAttributes } from '@copydesk/schema'
import { Fragment, type Node, type Schema, Slice } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import type { MentionTarget } from './targets.ts'

/** Creates request ids; a parameter so that tests can predict them. */
export type CreateId = () => string

export function createMention(schema: Schema, { id, label, kind }: MentionTarget, createId: CreateId): Node {
  const attributes: MentionAttributes = { id, label, kind, requestId: createId(), state: 'draft' }
  return mentionType(schema).create(attributes)
}

/**
 * The transaction that sends the unsent agent mentions of the block with the caret; null when there is none, or when
 * the block contains no other text. It isn't in the undo stack: a sent request can't be unsent.
 */
export function sendMentions(state: EditorState, createId: CreateId): Transaction | null {
  const { $from, $to } = state.selection
  if (!$from.sameParent($to) || !$from.parent.isTextblock || !asksForSomething($from.parent)) return null
  const transaction = state.tr
  $from.parent.forEach((node, offset) => {
    if (node.type.name !== 'mention' || node.attrs.kind !== 'agent' || node.attrs.state !== 'draft') return
    const requestId: unknown = node.attrs.requestId
    transaction.setNodeMarkup($from.start() + offset, undefined, {
      ...node.attrs,
      requestId: typeof requestId === 'string' && requestId ? requestId : createId(),
      state: 'sent',
    })
  })
  return transaction.docChanged ? transaction.setMeta('addToHistory', false) : null
}

/**
 * The transaction that removes a request from the text: from its mention to the end of its block, or the whole block if
 * there is no text before the mention. Null if the mention was deleted.
 */
export function removeRequest({ doc, tr }: EditorState, requestId: string): Transaction | null {
  const found = findRequest(doc, requestId)
  if (found === undefined) return null
  const $mention = doc.resolve(found)
  const before = doc.textBetween($mention.start(), found, '', '\ufffc').trim()
  return before === '' ? tr.deleteRange($mention.before(), $mention.after()) : tr.delete(found, $mention.end())
}

/** The position of the mention with this request id; undefined if it was deleted. */
export function findRequest(doc: Node, requestId: string): number | undefined {
  let found: number | undefined
  doc.descendants((node, position) => {
    if (node.type.name === 'mention' && node.attrs.requestId === requestId) found ??= position
    return found === undefined
  })
  return found
}

function asksForSomething(block: Node): boolean {
  return block.content.content.some((node) => {
    if (node.isText) return node.textContent.trim() !== ''
    return node.type.name !== 'hardBreak' && !(node.type.name === 'mention' && node.attrs.kind === 'agent')
  })
}

/** Whether the caret is at the end of its block. */
export function isAtBlockEnd({ selection }: EditorState): boolean {
  const { $from, empty } = selection
  return empty && $from.parent.isTextblock && $from.parentOffset === $from.parent.content.size
}

/**
 * A pasted slice with every mention unsent and under a new id, so that a copy never repeats or continues a request. A
 * mentioned person that was cut and is no longer in `doc` keeps the id, so that moving a mention doesn't notify the
 * person again.
 */
export function resetMentions(slice: Slice, doc: Node, createId: CreateId): Slice {
  const used = new Set<unknown>()
  doc.descendants(({ type, attrs }) => {
    if (type.name === 'mention') used.add(attrs.requestId)
  })
  const idOf = ({ attrs }: Node): unknown => {
    const isMoved = attrs.kind === 'person' && typeof attrs.requestId === 'string' && !used.has(attrs.requestId)
    const id: unknown = isMoved ? attrs.requestId : createId()
    used.add(id)
    return id
  }
  const content = mapMentions(slice.content, idOf)
  return content === slice.content ? slice : new Slice(content, slice.openStart, slice.openEnd)
}

type IdOf = (mention: Node) => unknown

function mapMentions(fragment: Fragment, idOf: IdOf): Fragment {
  const before: Node[] = []
  fragment.forEach((node) => before.push(node))
  const after = before.map((node) => mapNode(node, idOf))
  return after.every((node, index) => node === before[index]) ? fragment : Fragment.fromArray(after)
}

function mapNode(node: Node, idOf: IdOf): Node {
  if (node.type.name === 'mention') {
    return node.type.create({ ...node.attrs, requestId: idOf(node), state: 'draft' }, null, node.marks)
  }
  const content = mapMentions(node.content, idOf)
  return content === node.content ? node : node.copy(content)
}

function mentionType(schema: Schema) {
  const type = schema.nodes.mention
  if (!type) throw new Error('the schema has no mention')
  return type
}
