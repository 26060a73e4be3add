import { z } from 'zod'
import { User } from './people.ts'

/**
 * Codes with which the server closes a `/collab` socket. After those below 4400 a client should connect again; after
 * the others it should not before something has changed.
 */
export const closeCodes = {
  /** The server restarts or hands the document over; come back. */
  serviceRestart: 1012,
  /** The server could not store an edit or lost its copy of the document; come back, nothing acknowledged is lost. */
  resync: 4205,
  /** No valid session. */
  unauthenticated: 4401,
  /** No such document, or not for this person. */
  forbidden: 4403,
  /** Whoever holds this connection may not open the document any more. */
  revoked: 4410,
  /** A frame that can't be read, or an update that can't be applied. */
  invalidFrame: 4400,
  /**
   * A frame or state above the limits of docs/protocol.md, or an update that would take a document beyond its own
   * (`documentFull`).
   */
  tooLarge: 4413,
  /** An update with something that can stand nowhere in a document. */
  schemaRefused: 4422,
  /** An update under a Yjs client id that somebody else has written under. */
  foreignClient: 4423,
  /** Too many sockets of one account, or too much of what it sent was refused; come back after a while. */
  tooMany: 4429,
  /** Written by an agent run that has since been taken over by another worker. */
  staleRun: 4409,
} as const

/** Reasons with which a document is refused after its token was sent (`permission-denied` on the wire). */
export const deniedReasons = {
  unauthenticated: 'unauthenticated',
  notFound: 'not_found',
  invalidName: 'invalid_document_name',
  schemaOutdated: 'schema_outdated',
  /** This connection has as many documents open as it may; another connection, or closing one, makes room. */
  tooManyDocuments: 'too_many_documents',
} as const

/** Awareness `user` of a person. The server stamps it; what a client claims is corrected. */
export const PersonPresence = User.extend({ kind: z.literal('person') })
/** Awareness `user` of an agent's run. */
export const AgentPresence = User.extend({ kind: z.literal('agent'), runId: z.string(), invokedBy: z.string() })

/**
 * An awareness state as peers see it. `activity` and `scrollTarget` only for agents; the latter is a Yjs relative
 * position as JSON.
 */
export const AwarenessState = z.object({
  user: z.discriminatedUnion('kind', [PersonPresence, AgentPresence]),
  cursor: z.object({ anchor: z.unknown(), head: z.unknown() }).nullish(),
  activity: z.object({ label: z.string(), tool: z.string().optional() }).nullish(),
  scrollTarget: z.object({ position: z.unknown(), select: z.boolean().optional() }).nullish(),
})
export type AwarenessState = z.infer<typeof AwarenessState>

/** The most bytes that a frame to `/collab` may have; a larger one closes the socket with 1009. */
export const FRAME_LIMIT = 16 * 1024 * 1024

/** The most bytes that an update sent to `POST /api/documents/:id/updates` may have. */
export const UPDATE_LIMIT = 64 * 1024 * 1024

/** The most bytes that a person's awareness state may take as JSON. */
export const AWARENESS_LIMIT = 4096

/**
 * How large a document's content may become: `pieces` are the structs that Yjs keeps of it (deleted ones too, a stretch
 * that was typed at once is one), `characters` the UTF-16 units of its text, `blocks` its elements, cells and list
 * items too. The server refuses an update that would take it beyond (`tooLarge` with `documentFull`), editors stop
 * before. Pieces are bounded by memory: the server holds two copies of an open document, in which each takes 200 to
 * 410 bytes. A browser on a small machine (two busy cores) opens such a document for writing within 5 s: 5 million
 * characters in 10,000 paragraphs in 2.4 s, a book of a million characters in 2.3 s, a table of 5,000 rows and 4
 * columns in 4.1 s.
 */
export const DOCUMENT_LIMITS = { pieces: 160_000, characters: 5_000_000, blocks: 60_000 } as const

/** How the reason of `closeCodes.tooLarge` begins when an update would take a document beyond `DOCUMENT_LIMITS`. */
export const documentFull = 'document_full'

/**
 * The most that an update, and what it makes of a document, may have; docs/protocol.md lists them. `structs` and
 * `deletedRanges` of an update as Yjs encodes it, with `values` of attributes in it; `clientIds` that are new to the
 * document; `text` of one item in UTF-16 units; `steps` that Yjs takes to find the places of an update's items among
 * what others put there at once.
 */
export const UPDATE_LIMITS = {
  structs: 150_000,
  values: 1_000_000,
  deletedRanges: 100_000,
  clientIds: 100,
  text: 1_000_000,
  steps: 200_000,
} as const

/**
 * The most of what a document may have besides its size: client ids that have written in it, `steps` in all (see
 * `UPDATE_LIMITS`), children of one node, and items that the text of one block is made of.
 */
export const STRUCTURE_LIMITS = { clientIds: 20_000, steps: 5_000_000, children: 30_000, textItems: 20_000 } as const
