import * as Y from 'yjs'
import type { ToolLimits } from '../common/limits.ts'
import type { LiveSelection } from '../session/host/caret.ts'
import { createDocumentSession, type DocumentSession } from '../session/document-session.ts'
import type { HostAuthor } from '../session/host/host.ts'
import type { SessionMode } from '../session/host/session-options.ts'
import { createHeadlessHost } from './headless-host.ts'

/** Options of a headless session besides the document; the defaults suit a script. */
export type HeadlessSessionOptions = {
  doc: Y.Doc
  /** The room document, for comments and authors of changes; a new empty one by default. */
  room?: Y.Doc
  /** `edit` by default. */
  mode?: SessionMode
  /** The author of changes, comments and decisions; an agent named Agent by default. */
  caller?: HostAuthor
  selection?: () => LiveSelection | undefined
  /** The carets of others who are typing now, with their names; none by default. */
  typing?: () => readonly { name: string; caret: LiveSelection }[]
  limits?: Partial<ToolLimits>
  coordinates?: unknown
  now?: () => Date
  /** Creates ids for suggested changes; random ones by default. */
  createId?: () => string
}

/**
 * Opens a session on a Y.Doc, so that `executeToolCall` works without a server: in a script, a test, or a client that
 * has only the document. Reviewing tools write to the room document. Close it when done; the caller keeps ownership of
 * both Y.Docs.
 */
export function openHeadlessSession(options: HeadlessSessionOptions): DocumentSession {
  const { doc } = options
  const room = options.room ?? new Y.Doc()
  const caller = options.caller ?? { id: 'agent', name: 'Agent', kind: 'agent' }
  const origin = {}
  const host = createHeadlessHost({ doc, room, author: caller, now: options.now ?? (() => new Date()) }, origin)
  const session = createDocumentSession({
    doc,
    origin,
    mode: options.mode ?? 'edit',
    caller: { id: caller.id, name: caller.name },
    people: () => [],
    selection: options.selection ?? (() => undefined),
    canEdit: true,
    isResumed: false,
    host,
    isOwnChange: (id) => host.authorOfChange(id)?.id === caller.id,
    ...(options.typing ? { typing: options.typing } : {}),
    ...(options.createId ? { createId: options.createId } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.coordinates === undefined ? {} : { coordinates: options.coordinates }),
  })
  return {
    ...session,
    close() {
      session.close()
      host.close()
    },
  }
}
