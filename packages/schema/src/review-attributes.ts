import { Extension } from '@tiptap/core'

/**
 * One suggested change of a block or inline atom, stored in its `suggestion` attribute. `change` contains the state to
 * restore on reject. Author, run and time are stored in the room document under the same id.
 */
export type NodeSuggestion =
  | { id: string; operation: 'insert' | 'delete' | 'split' | 'join' }
  | { id: string; operation: 'change'; previous: { type: string; attributes: Record<string, unknown> } }

const reviewedNodes = [
  'paragraph',
  'heading',
  'blockquote',
  'codeBlock',
  'bulletList',
  'orderedList',
  'listItem',
  'taskList',
  'taskItem',
  'horizontalRule',
  'image',
  'table',
  'tableRow',
  'tableHeader',
  'tableCell',
  'blockMath',
  'inlineMath',
  'hardBreak',
  'mention',
] as const

function stringAttribute(name: string, attribute: string) {
  return {
    default: null,
    keepOnSplit: false,
    parseHTML: (element: { getAttribute(name: string): string | null }) => element.getAttribute(name),
    renderHTML: (attributes: Record<string, unknown>) =>
      attributes[attribute] === null || attributes[attribute] === undefined ? {} : { [name]: attributes[attribute] },
  }
}

/**
 * Gives every block and inline atom the attributes `threads` (ids of comment threads, separated by spaces) and
 * `suggestion` (a JSON array of `NodeSuggestion`), since Yjs stores marks only on text. Both are strings, not objects:
 * y-prosemirror compares attribute values by identity and would rewrite equal objects repeatedly.
 */
export const ReviewAttributes = Extension.create({
  name: 'reviewAttributes',
  addGlobalAttributes() {
    return [
      {
        types: [...reviewedNodes],
        attributes: {
          threads: stringAttribute('data-threads', 'threads'),
          suggestion: stringAttribute('data-suggestion', 'suggestion'),
        },
      },
    ]
  },
})

// No editor writes a longer value on one node; a longer value would cost every reader time at every change.
const charactersInAttribute = 64 * 1024
const entriesInAttribute = 100

/** The thread ids in a `threads` attribute; a value above 64 KB or 100 ids reads as none. */
export function readThreads(attribute: unknown): string[] {
  if (!isReadable(attribute)) return []
  const ids = attribute.split(' ').filter(Boolean)
  return ids.length > entriesInAttribute ? [] : ids
}

/** The `threads` attribute for these ids; null when there are none. */
export function writeThreads(ids: readonly string[]): string | null {
  return ids.length === 0 ? null : [...new Set(ids)].join(' ')
}

/**
 * The suggestions in a `suggestion` attribute; an invalid value reads as none, and so does one above 64 KB or 100
 * entries.
 */
export function readSuggestions(attribute: unknown): NodeSuggestion[] {
  if (!isReadable(attribute)) return []
  try {
    const parsed: unknown = JSON.parse(attribute)
    return Array.isArray(parsed) && parsed.length <= entriesInAttribute ? parsed.filter(isNodeSuggestion) : []
  } catch {
    return []
  }
}

function isReadable(attribute: unknown): attribute is string {
  return typeof attribute === 'string' && attribute.length <= charactersInAttribute
}

/** The `suggestion` attribute for this list; null when it is empty. */
export function writeSuggestions(suggestions: readonly NodeSuggestion[]): string | null {
  return suggestions.length === 0 ? null : JSON.stringify(suggestions)
}

function isNodeSuggestion(value: unknown): value is NodeSuggestion {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('operation' in value)) return false
  if (typeof value.id !== 'string' || typeof value.operation !== 'string') return false
  if (value.operation === 'change') {
    return 'previous' in value && isPrevious(value.previous)
  }
  return ['insert', 'delete', 'split', 'join'].includes(value.operation)
}

function isPrevious(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('attributes' in value)) return false
  const { type, attributes } = value
  if (typeof type !== 'string' || typeof attributes !== 'object' || attributes === null) return false
  return !Array.isArray(attributes) && Object.values(attributes).every(isAttribute)
}

// The list of column widths is the only attribute with an array value.
function isAttribute(value: unknown): boolean {
  const isList = Array.isArray(value)
  return isList ? value.every((each) => typeof each === 'number') : typeof value !== 'object' || value === null
}
