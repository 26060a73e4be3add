/**
 * Version of the document schema. Raise it whenever a node, mark or attribute is added, removed or changes meaning: a
 * peer with another schema silently removes unknown content, so the server accepts only clients of this version.
 */
export const SCHEMA_VERSION = 2

/** Names of the Y types in the content document. See docs/protocol.md, "The content document". */
export const contentTypes = { fragment: 'default', meta: 'meta', receipts: 'receipts' } as const

/** Characters (UTF-16 units) of the longest title in the content document's `meta`. */
export const longestTitle = 300

/** Names of the Y types in the room document. See docs/protocol.md, "The room document". */
export const roomTypes = {
  threads: 'threads',
  messages: 'messages',
  runs: 'runs',
  highlights: 'highlights',
  changes: 'changes',
  settings: 'settings',
  mentions: 'mentions',
} as const

const idPattern = /^[A-Za-z0-9_-]{1,64}$/
const roomSuffix = '/room'

/** Which of the two Y.Docs of a document a collaboration name refers to. */
export type DocumentName = { document: string; part: 'content' | 'room' }

/** The name of a document's content on the wire and in the update log: its id. */
export function contentName(document: string): string {
  return document
}

/** The name of a document's room on the wire and in the update log: `<id>/room`. */
export function roomName(document: string): string {
  return document + roomSuffix
}

/** Reads a collaboration document name; `undefined` if it is neither `<id>` nor `<id>/room`. */
export function parseDocumentName(name: string): DocumentName | undefined {
  const isRoom = name.endsWith(roomSuffix)
  const document = isRoom ? name.slice(0, -roomSuffix.length) : name
  // Libraries use document names as keys of plain objects, which already have keys such as `constructor`.
  if (!idPattern.test(document) || document in Object.prototype) return undefined
  return { document, part: isRoom ? 'room' : 'content' }
}
