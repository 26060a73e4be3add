/** The maximum size of a frame to `/collab` in bytes; a larger one closes the socket with 1009. */
export const FRAME_LIMIT = 16 * 1024 * 1024

/** The maximum size of an update sent to `POST /api/documents/:id/updates` in bytes. */
export const UPDATE_LIMIT = 64 * 1024 * 1024

/** The maximum size of a person's awareness state as JSON in bytes. */
export const AWARENESS_LIMIT = 4096

/**
 * The maximum size of a document's content: `pieces` are the structs that Yjs keeps of it (deleted ones too; text typed
 * in one go is one struct), `characters` the UTF-16 units of its text, `blocks` its elements, including cells and list
 * items. The server refuses an update that would exceed them (`tooLarge` with `documentFull`); editors stop before
 * that. Pieces are bounded by memory: the server holds two copies of an open document, in which each piece takes 200 to
 * 410 bytes. A browser on a small machine (two busy cores) opens such a document for writing within 5 s: 5 million
 * characters in 10,000 paragraphs in 2.4 s, a book of a million characters in 2.3 s, a table of 5,000 rows and 4
 * columns in 4.1 s.
 */
export const DOCUMENT_LIMITS = { pieces: 130_000, characters: 5_000_000, blocks: 60_000 } as const

/**
 * Limits of an update and of its effect on a document; docs/protocol.md lists them. `structs` and `deletedRanges` of
 * the encoded update, and `values` of attributes in it; `clientIds` that are new to the document; `text` of one item in
 * UTF-16 units; `steps` that Yjs takes to order the items of an update among concurrent items at the same position.
 */
export const UPDATE_LIMITS = {
  structs: 128_000,
  values: 1_000_000,
  deletedRanges: 100_000,
  clientIds: 100,
  text: 1_000_000,
  steps: 200_000,
} as const

/**
 * Limits of a document besides its size: client ids that have written in it, `steps` in total (see `UPDATE_LIMITS`),
 * children of one node, and items in the text of one block.
 */
export const STRUCTURE_LIMITS = { clientIds: 20_000, steps: 5_000_000, children: 30_000, textItems: 20_000 } as const
