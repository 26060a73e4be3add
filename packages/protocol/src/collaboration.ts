import { z } from 'zod'
import { Localizable } from './localizable.ts'
import { User } from './people/people.ts'

/**
 * Codes with which the server closes a `/collab` socket. After a code below 4400 a client should reconnect; after the
 * others it should not until the cause is resolved.
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

/** Awareness `user` of a person. The server overwrites a client's own claim. */
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
  activity: z.object({ label: z.string(), localizable: Localizable.optional(), tool: z.string().optional() }).nullish(),
  scrollTarget: z.object({ position: z.unknown(), select: z.boolean().optional() }).nullish(),
})
export type AwarenessState = z.infer<typeof AwarenessState>

/** The prefix of the reason of `closeCodes.tooLarge` when an update would take a document beyond `DOCUMENT_LIMITS`. */
export const documentFull = 'document_full'
