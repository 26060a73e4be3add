import type * as Y from 'yjs'
import type { ToolLimits } from '../limits.ts'
import type { LiveSelection } from './caret.ts'
import type { AuthorOf } from './coordinates.ts'
import type { ReviewHost } from './host.ts'

/** How a session's changes reach the document. */
export type SessionMode = 'edit' | 'suggest' | 'ask'

/**
 * What a session needs. The Y.Doc stays the host's: the session neither connects nor destroys it. `mode` and `canEdit`
 * are read at each call and may be getters.
 */
export type DocumentSessionOptions = {
  doc: Y.Doc
  /** The origin of the session's Yjs transactions. */
  origin: object
  readonly mode: SessionMode
  caller: { id: string; name: string }
  people: () => { name: string; kind: string }[]
  /** The live selection of the caller. */
  selection: () => LiveSelection | undefined
  readonly canEdit: boolean
  /** What `coordinates()` gave in an earlier session of the same run, in whatever process. */
  coordinates?: unknown
  limits?: Partial<ToolLimits>
  /** Names who writes under a Yjs client id, for the hint of `stale`. */
  authorOf?: AuthorOf
  /**
   * Whether the caller has named this address, see `createNamedAddresses`; without it every address counts as named.
   */
  isNamed?: (address: string) => boolean
  /** Threads, authors of changes, highlights, images; without it the tools that need them answer `not_configured`. */
  host?: ReviewHost
  /** Makes an id for a suggested change: short, random, safe in HTML attributes. */
  createId?: () => string
  /**
   * Whether the session's work may be taken up by another one: then the document keeps which calls were applied. True
   * by default.
   */
  isTakenUp?: boolean
  /** Whether a suggested change is this run's own, made before it was taken up again. */
  isOwnChange?: (id: string) => boolean
}

/**
 * Names one tool call; the receipt of what it changed is kept under `callId`. `approved` says that a person has
 * approved this very call, which mode `ask` asks for.
 */
export type ToolCallContext = { callId: string; approved?: boolean }
