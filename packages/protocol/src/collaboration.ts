import { z } from 'zod'
import { User } from './people.ts'

/**
 * Codes with which the server closes a `/collab` socket. After a code below 4400 a client should reconnect; after the
 * others it should not until something has changed.
 */
export const closeCodes = {
  /** The server restarts or moves the document to another process; reconnect. */
  serviceRestart: 1012,
  /** The server could not store an edit or lost its copy of the document; reconnect, no acknowledged update is lost. */
  resync: 4205,
  /** No valid session. */
  unauthenticated: 4401,
  /** The document doesn't exist, or this user may not open it. */
  forbidden: 4403,
  /** The user of this connection may no longer open the document. */
  revoked: 4410,
  /** A malformed frame, or an update that can't be applied. */
  invalidFrame: 4400,
  /**
   * A frame or state above the limits of docs/protocol.md, or an update that would take a document beyond its limits
   * (`documentFull`).
   */
  tooLarge: 4413,
  /** An update with content that the document schema doesn't allow. */
  schemaRefused: 4422,
  /** An update under a Yjs client id that another user has written under. */
  foreignClient: 4423,
  /** Too many sockets of one account, or too many of its updates were refused; reconnect after a while. */
  tooMany: 4429,
  /** An update of an agent run that another worker has since taken over. */
  staleRun: 4409,
} as const

/** Reasons for refusing a document after its token was sent (`permission-denied` on the wire). */
export const deniedReasons = {
  unauthenticated: 'unauthenticated',
  notFound: 'not_found',
  invalidName: 'invalid_document_name',
  schemaOutdated: 'schema_outdated',
  /** This connection has the maximum number of documents open; use another connection, or close a document. */
  tooManyDocuments: 'too_many_documents',
} as const

/** Awareness `user` of a person. The server overwrites what a client claims. */
export const PersonPresence = User.extend({ kind: z.literal('person') })
/** Awareness `user` of an agent's run. */
export const AgentPresence = User.extend({ kind: z.literal('agent'), runId: z.string(), invokedBy: z.string() })

/**
 * An awareness state as peers see it. `activity` and `scrollTarget` are set for agents only; the latter is a Yjs
 * relative position as JSON.
 */
export const AwarenessState = z.object({
  user: z.discriminatedUnion('kind', [PersonPresence, AgentPresence]),
  cursor: z.object({ anchor: z.unknown(), head: z.unknown() }).nullish(),
  activity: z.object({ label: z.string(), tool: z.string().optional() }).nullish(),
  scrollTarget: z.object({ position: z.unknown(), select: z.boolean().optional() }).nullish(),
})
export type AwarenessState = z.infer<typeof AwarenessState>

/** The maximum size of a frame to `/collab` in bytes; a larger one closes the socket with 1009. */
export const FRAME_LIMIT = 16 * 1024 * 1024

/** The maximum size of an update sent to `POST /api/documents/:id/updates` in bytes. */
export const UPDATE_LIMIT = 64 * 1024 * 1024

/** The maximum size of a person's awareness state as JSON in bytes. */
export const AWARENESS_LIMIT = 4096

/**
 * The maximum size of a document's content: `pieces` are the structs that Yjs keeps of it (deleted ones too; text typed
 * in one go is one struct), `characters` the UTF-16 units of its text, `blocks` its elements, including cells and list
 * items. The server refuses an update that would exceed them (`tooLarge` with `documentFull`); editors stop before.
 * Pieces are bounded by memory: the server holds two copies of an open document, in which each piece takes 200 to 410
 * bytes. A browser on a small machine (two busy cores) opens such a document for writing within 5 s: 5 million
 * characters in 10,000 paragraphs in 2.4 s, a book of a million characters in 2.3 s, a table of 5,000 rows and 4
 * columns in 4.1 s.
 */
export const DOCUMENT_LIMITS = { pieces: 130_000, characters: 5_000_000, blocks: 60_000 } as const

/** The prefix of the reason of `closeCodes.tooLarge` when an update would take a document beyond `DOCUMENT_LIMITS`. */
export const documentFull = 'document_full'

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
