import { AttrStep } from '@tiptap/pm/transform'
import type { Attrs, Node } from 'prosemirror-model'
import { readSuggestions, writeSuggestions } from '../../review-attributes.ts'
import type { Edit } from '../edits.ts'
import { sameState, sameValue, stateOf } from '../node-state.ts'
import { ownInsertion, type TrackOptions } from './suggest-nodes.ts'

/**
 * Gives a node the type and attributes of another as a suggested change. A second change by the same author is merged
 * into the first and disappears when the node has its original state again; after another author's change it is a
 * separate change. A node that the author suggested to insert is changed directly. No effect if the node already has
 * the maximum number of suggestions. Comments are those of `before`; other attributes that no suggestion covers are
 * those of `after`.
 */
export function changeNode(before: Node, after: Node, pos: number, id: string, options: TrackOptions): Edit[] {
  const [old, now] = [stateOf(before), stateOf(after)]
  if (sameState(old, now)) return setAttributes(before, pos, { ...after.attrs, suggestion: before.attrs.suggestion })
  const entries = readSuggestions(before.attrs.suggestion)
  const last = entries.findLast((entry) => entry.operation === 'change')
  let suggestions = entries
  if (last && options.isOwn(last.id)) {
    if (sameState(last.previous, now)) suggestions = entries.filter((entry) => entry !== last)
  } else if (ownInsertion(before, options) === undefined) {
    suggestions = [...entries, { id, operation: 'change', previous: old }]
  }
  const suggestion: unknown = suggestions === entries ? before.attrs.suggestion : writeSuggestions(suggestions)
  // A value that is too long would be unreadable and lose the suggestions of others, so this change isn't made.
  if (suggestions.length > 0 && readSuggestions(suggestion).length !== suggestions.length) return []
  if (before.type !== after.type) {
    const attributes = { ...after.attrs, threads: before.attrs.threads, suggestion }
    return [(transform) => transform.setNodeMarkup(pos, after.type, attributes, before.marks)]
  }
  return setAttributes(before, pos, { ...after.attrs, suggestion })
}

function setAttributes(node: Node, pos: number, attributes: Attrs): Edit[] {
  return Object.entries(attributes)
    .filter(([name, value]) => name !== 'threads' && !sameValue(value, node.attrs[name]))
    .map(
      ([name, value]) =>
        (transform) =>
          transform.step(new AttrStep(pos, name, value)),
    )
}
