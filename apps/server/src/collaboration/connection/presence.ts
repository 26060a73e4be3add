import type { Connection, Document } from '@hocuspocus/server'
import { AWARENESS_LIMIT, type User } from '@copydesk/protocol'
import { applyAwarenessUpdate, type Awareness, removeAwarenessStates } from 'y-protocols/awareness'
import { type AwarenessEntry, AwarenessLimitError, readAwareness, writeAwareness } from './awareness-frames.ts'
import type { Caller } from '../../auth/callers.ts'
import { agentIdentity } from '../../common/identity.ts'
import { isRelativePosition } from '../../common/relative-position.ts'

/** The `user` field of an awareness state. The server writes it and ignores the client's value. */
export type Identity = (User & { kind: 'person' }) | (User & { kind: 'agent'; runId: string; invokedBy: string })

export function identityOf(caller: Caller): Identity {
  if (caller.kind === 'person') return { ...caller.user, kind: 'person' }
  const { run, invokedBy, agent = agentIdentity } = caller
  return { ...agent, kind: 'agent', runId: run, invokedBy: invokedBy.id }
}

/** Fields that a client may set in addition to `user`, which the server sets. */
const ownFields = { person: ['cursor'], agent: ['cursor', 'activity', 'scrollTarget'] } as const

const presencesByDocument = new WeakMap<Document, Map<number, Presence>>()

/**
 * The presence of one connection in one document. It represents one awareness client id, the first id of the client
 * that no other connection has, with the identity given by the server. Entries for other ids are ignored. A user who
 * reconnects before the server has detected the dead connection takes over that connection's id.
 */
export class Presence {
  readonly #document: Document
  readonly #connection: Connection
  #identity: Identity
  #clientId: number | undefined
  #clockOffset = 0

  constructor(document: Document, connection: Connection, identity: Identity) {
    this.#document = document
    this.#connection = connection
    this.#identity = identity
  }

  /**
   * Applies the entry for the client itself from an awareness frame.
   * @throws if the frame is malformed or the state exceeds `AWARENESS_LIMIT` bytes.
   */
  receive(update: Uint8Array): void {
    for (const entry of readAwareness(update)) {
      if (this.#isOwn(entry)) this.#apply(entry)
    }
  }

  /** Changes the identity. Peers see it immediately, without waiting for the client's next awareness update. */
  setIdentity(identity: Identity): void {
    if (identity.name === this.#identity.name && identity.color === this.#identity.color) return
    this.#identity = identity
    const clientId = this.#clientId
    const state = clientId === undefined ? undefined : this.#awareness.getStates().get(clientId)
    const clock = clientId === undefined ? undefined : this.#awareness.meta.get(clientId)?.clock
    if (clientId === undefined || state === undefined || clock === undefined) return
    this.#show({ clientId, clock: clock + 1, state: { ...state, user: identity } })
    // Awareness updates that the client sends meanwhile have the clock that was just used.
    this.#clockOffset += 1
  }

  /** Removes the presence of this connection. May be called twice. */
  close(): void {
    if (this.#clientId !== undefined && this.#presencesByClient.get(this.#clientId) === this)
      this.#presencesByClient.delete(this.#clientId)
  }

  #isOwn({ clientId, clock, state }: AwarenessEntry): boolean {
    if (clientId === this.#clientId) return true
    if (state === null) return false
    const holder = this.#presencesByClient.get(clientId)
    const isTaken = this.#awareness.getStates().has(clientId)
    if (isTaken && !(holder && isSame(holder.#identity, this.#identity))) return false
    if (holder) holder.#releaseClientId(clientId)
    // A provider that creates a new Y.Doc on the same connection gets a new id; the old id is removed.
    this.#removeState()
    this.#clientId = clientId
    this.#presencesByClient.set(clientId, this)
    // Hocuspocus registers only ids that are new to it; an unregistered id would remain after the connection has
    // closed.
    this.#document.getClients(this.#connection).add(clientId)
    // After a reconnect peers have already seen this clock: they would ignore this state and the following states.
    this.#clockOffset = Math.max(0, (this.#awareness.meta.get(clientId)?.clock ?? -1) + 1 - clock)
    return true
  }

  #releaseClientId(clientId: number): void {
    this.#document.getClients(this.#connection).delete(clientId)
    this.#clientId = undefined
  }

  #apply({ clientId, clock, state, bytes }: AwarenessEntry): void {
    if (state === null) return this.#removeState()
    if (bytes > AWARENESS_LIMIT) throw new AwarenessLimitError(`an awareness state of ${bytes} bytes`)
    const stamped: Record<string, unknown> = { user: this.#identity }
    for (const field of ownFields[this.#identity.kind]) {
      const value = state[field]
      if (typeof value === 'object') stamped[field] = isDisplayable(field, value) ? value : null
    }
    this.#show({ clientId, clock: clock + this.#clockOffset, state: stamped })
  }

  #show(entry: Omit<AwarenessEntry, 'bytes'>): void {
    const origin = { source: 'connection', connection: this.#connection }
    applyAwarenessUpdate(this.#awareness, writeAwareness(entry), origin)
  }

  #removeState(): void {
    if (this.#clientId === undefined) return
    const origin = { source: 'connection', connection: this.#connection }
    removeAwarenessStates(this.#awareness, [this.#clientId], origin)
    this.close()
    this.#clientId = undefined
  }

  get #awareness(): Awareness {
    return this.#document.awareness
  }

  get #presencesByClient(): Map<number, Presence> {
    const known = presencesByDocument.get(this.#document) ?? new Map<number, Presence>()
    presencesByDocument.set(this.#document, known)
    return known
  }
}

function isSame(a: Identity, b: Identity): boolean {
  return a.id === b.id && (a.kind === 'agent' ? b.kind === 'agent' && a.runId === b.runId : b.kind === 'person')
}

/** Whether peers can display this value: an editor that gets a position that Yjs can't resolve stops working. */
function isDisplayable(field: 'cursor' | 'activity' | 'scrollTarget', value: object | null): boolean {
  if (value === null || field === 'activity') return true
  const { anchor, head, position }: { anchor?: unknown; head?: unknown; position?: unknown } = value
  return field === 'cursor' ? isRelativePosition(anchor) && isRelativePosition(head) : isRelativePosition(position)
}
