import type { Node, NodeType, Schema } from 'prosemirror-model'
import { type NodeSuggestion, readSuggestions } from '../review-attributes.ts'
import { checkAttributes } from '../yjs/check-added.ts'

/**
 * The part of a node that a suggestion can change: its type and those attributes that belong to the document's content.
 */
export type NodeState = { type: string; attributes: Record<string, unknown> }

type NodeChange = Extract<NodeSuggestion, { operation: 'change' }>

// Attributes that are not part of a suggestion: comments, the sending of a mention, which is a fact, and the width of a
// column, which must be equal in rows that are only suggested.
const unreviewed: Record<string, readonly string[]> = {
  mention: ['state', 'requestId'],
  tableCell: ['colwidth'],
  tableHeader: ['colwidth'],
}

/**
 * Whether a suggestion may cover this attribute; comments, the suggestions themselves, the sending of a mention and the
 * width of a column are not covered.
 */
export function isReviewed(type: NodeType, attribute: string): boolean {
  return attribute !== 'suggestion' && attribute !== 'threads' && !unreviewed[type.name]?.includes(attribute)
}

/** The attributes that no suggestion covers, of those that a node of this type has. */
export function unreviewedOf(node: Node, type: NodeType): Record<string, unknown> {
  const entries = Object.entries(node.attrs).filter(([name]) => type.spec.attrs && name in type.spec.attrs)
  return Object.fromEntries(entries.filter(([name]) => !isReviewed(type, name)))
}

/** The state of a node as stored in a `change` suggestion. */
export function stateOf(node: Node): NodeState {
  const attributes = Object.entries(node.attrs).filter(([name]) => isReviewed(node.type, name))
  return { type: node.type.name, attributes: Object.fromEntries(attributes) }
}

/** Whether two attribute values are the same JSON. */
export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Whether two states have the same type and attributes. */
export function sameState(a: NodeState, b: NodeState): boolean {
  return fieldsThatDiffer(a, b).length === 0
}

/**
 * The state and the suggestions of a node after deciding those that `covers` selects. Changes of one node are kept
 * oldest first, each with the state before it, so they form a chain that ends in the current node. Rejecting a change
 * restores the fields that it changed, in the node and in every later change that has not changed them again; accepting
 * a change adds its fields to all earlier states. So each change can be decided separately, in any order.
 */
export function decideState(
  node: Node,
  decision: 'accept' | 'reject',
  covers: (id: string) => boolean,
): { state: NodeState; remaining: NodeSuggestion[] } {
  const entries = readSuggestions(node.attrs.suggestion)
  const changes = entries.filter((entry) => entry.operation === 'change')
  const states = chainOf(node, changes)
  const open = changes.map((change, index) => ({ change, index }))
  for (const { change, index } of open.toReversed()) {
    if (!covers(change.id)) continue
    patch(states, index, decision)
    states.splice(index, 1)
    changes.splice(index, 1)
  }
  const remaining = entries.flatMap((entry): NodeSuggestion[] => {
    if (covers(entry.id)) return []
    if (entry.operation !== 'change') return [entry]
    const index = changes.indexOf(entry)
    const [before, after] = [states[index], states[index + 1]]
    return before && after && !sameState(before, after) ? [{ ...entry, previous: before }] : []
  })
  return { state: states.at(-1) ?? stateOf(node), remaining }
}

function chainOf(node: Node, changes: readonly NodeChange[]): NodeState[] {
  const states = [stateOf(node)]
  for (const { previous } of changes.toReversed()) {
    const next = states[0] ?? stateOf(node)
    states.unshift(complete(previous, next, node.type.schema))
  }
  return states
}

// Stored states are untrusted: values that no editor writes count as no change, missing values as unchanged.
function complete(previous: NodeState, next: NodeState, schema: Schema): NodeState {
  const type = schema.nodes[previous.type]
  if (!type || type.isText || type === schema.topNodeType) return next
  const known = Object.entries(previous.attributes).filter(([name]) => type.spec.attrs && name in type.spec.attrs)
  const attributes = Object.fromEntries(known.filter(([name]) => isReviewed(type, name)))
  try {
    checkAttributes(type.name, attributes)
  } catch (error) {
    if (error instanceof RangeError) return next
    throw error
  }
  return { type: type.name, attributes: { ...(next.type === type.name ? next.attributes : {}), ...attributes } }
}

function patch(states: NodeState[], index: number, decision: 'accept' | 'reject'): void {
  const [before, after] = [states[index], states[index + 1]]
  if (!before || !after) return
  const fields = fieldsThatDiffer(before, after)
  states.forEach((state, position) => {
    if (decision === 'accept' && position <= index) states[position] = take(state, after, fields)
    if (decision === 'reject' && position > index) {
      const untouched = fields.filter((field) => sameValue(valueOf(state, field), valueOf(after, field)))
      states[position] = take(state, before, untouched)
    }
  })
}

// The name of an attribute; null means the type.
type Field = string | null

function fieldsThatDiffer(a: NodeState, b: NodeState): Field[] {
  const names = new Set([...Object.keys(a.attributes), ...Object.keys(b.attributes)])
  return [null, ...names].filter((field) => !sameValue(valueOf(a, field), valueOf(b, field)))
}

function valueOf(state: NodeState, field: Field): unknown {
  return field === null ? state.type : state.attributes[field]
}

function take(state: NodeState, source: NodeState, fields: readonly Field[]): NodeState {
  const attributes = { ...state.attributes }
  for (const field of fields) {
    if (field === null) continue
    if (field in source.attributes) attributes[field] = source.attributes[field]
    else delete attributes[field]
  }
  if (!fields.includes(null)) return { type: state.type, attributes }
  // Attributes of the former type have no meaning for this one.
  const known = Object.entries(attributes).filter(([name]) => name in source.attributes)
  return { type: source.type, attributes: Object.fromEntries(known) }
}
