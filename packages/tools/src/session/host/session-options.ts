import type * as Y from 'yjs'
import type { ToolLimits } from '../../common/limits.ts'
import type { LiveSelection } from './caret.ts'
import type { AuthorOf } from '../numbers/coordinates.ts'
import type { ReviewHost } from './host.ts'

/** The effect of a session's changes on the document. */
export type SessionMode = 'edit' | 'suggest' | 'ask'

/**
 * The options of a session. The host owns the Y.Doc: the session neither connects nor destroys it. `mode` and `canEdit`
 * are read at each call and may be getters.
 */
export type DocumentSessionOptions = {
  doc: Y.Doc
  /** The origin of the session's Yjs transactions. */
  origin: object
  readonly mode: SessionMode
  caller: { id: string; name: string }
  people: () => { name: string; kind: string }[]
  selection: () => LiveSelection | undefined
  /** The carets of others who are typing now, with their names; none by default. */
  typing?: () => readonly { name: string; caret: LiveSelection }[]
  readonly canEdit: boolean
  /**
   * The `requestId` of the mention that started the run. A search that names no block skips the request, because it
   * repeats the searched words: the text from its mention on or, if there is none after the mention, its whole text
   * block.
   */
  request?: string
  /** The result of `coordinates()` of an earlier session of the same run, in any process. */
  coordinates?: unknown
  limits?: Partial<ToolLimits>
  /** Returns the person who writes under a Yjs client id, for the hint of `stale`. */
  authorOf?: AuthorOf
  /**
   * Whether the caller has written this address, see `createNamedAddresses`; without this function every address counts
   * as written.
   */
  isNamed?: (address: string) => boolean
  /**
   * Whether this text may be sent to a search service without a person's approval; without this function every text
   * may. See `createSpelledOut`.
   */
  maySearch?: (query: string) => boolean
  /**
   * Threads, authors of changes, highlights, images, the web; without it, tools that need it fail as `not_configured`.
   */
  host?: ReviewHost
  /** Creates an id for a suggested change: short, random, safe in HTML attributes. */
  createId?: () => string
  /**
   * Whether another session may resume this session's work: then the document stores receipts of applied calls. True by
   * default.
   */
  isResumed?: boolean
  /** Whether a suggested change is this run's own, made before the run was resumed. */
  isOwnChange?: (id: string) => boolean
}

/**
 * Identifies one tool call; its receipt is stored under `callId`. `approved` says that a person has approved this call,
 * which mode `ask` requires. `mustAsk`: if the call sends data out, it always needs approval.
 */
export type ToolCallContext = { callId: string; approved?: boolean; mustAsk?: boolean }
