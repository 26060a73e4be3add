import type { Connection, Document } from '@hocuspocus/server'
import { AWARENESS_LIMIT, type User } from '@copydesk/protocol'
import { applyAwarenessUpdate, type Awareness, removeAwarenessStates } from 'y-protocols/awareness'
import { type AwarenessEntry, AwarenessLimitError, readAwareness, writeAwareness } from './awareness-frames.ts'
import { isRelativePosition } from './relative-position.ts'

/** What the server writes into the `user` field of an awareness state, whatever the client claims. */
export type Identity = (User & { kind: 'person' }) | (User & { kind: 'agent'; runId: string; invokedBy: string })

/** Fields that a client may set beside `user`, which the server sets. */
const ownFields = { person: ['cursor'], agent: ['cursor', 'activity', 'scrollTarget'] } as const

const speakers = new WeakMap<Document, Map<number, Presence>>()

/**
 * One connection's presence in one document. It speaks for one awareness client id, the first it uses that nobody else
 * has, with the identity that the server gave it; entries about others are ignored. Who comes back before the server has
 * noticed that their line was dead takes their id over from it.
 */
export class Presence {
  readonly #document: Document
  readonly #connection: Connection
  #identity: Identity
  #clientId: number | undefined
  #ahead = 0

  constructor(document: Document, connection: Connection, identity: Identity) {
    this.#document = document
    this.#connection = connection
    this.#identity = identity
  }

  /**
   * Applies what a client's awareness frame says about itself.
   * @throws if the frame is malformed or the state exceeds `AWARENESS_LIMIT` bytes.
   */
  receive(update: Uint8Array): void {
    for (const entry of readAwareness(update)) {
      if (this.#isOwn(entry)) this.#apply(entry)
    }
  }

  /** Who it speaks for is called otherwise from now on: others see it at once, not only when the client moves next. */
  setIdentity(identity: Identity): void {
    if (identity.name === this.#identity.name && identity.color === this.#identity.color) return
    this.#identity = identity
    const clientId = this.#clientId
    const state = clientId === undefined ? undefined : this.#awareness.getStates().get(clientId)
    const clock = clientId === undefined ? undefined : this.#awareness.meta.get(clientId)?.clock
    if (clientId === undefined || state === undefined || clock === undefined) return
    this.#show({ clientId, clock: clock + 1, state: { ...state, user: identity } })
    // What the client has sent meanwhile has the clock that was just used.
    this.#ahead += 1
  }

  /** The connection speaks for nobody any more. May be called twice. */
  close(): void {
    if (this.#clientId !== undefined && this.#speakers.get(this.#clientId) === this)
      this.#speakers.delete(this.#clientId)
  }

  #isOwn({ clientId, clock, state }: AwarenessEntry): boolean {
    if (clientId === this.#clientId) return true
    if (state === null) return false
    const speaker = this.#speakers.get(clientId)
    const isTaken = this.#awareness.getStates().has(clientId)
    if (isTaken && !(speaker && isSame(speaker.#identity, this.#identity))) return false
    if (speaker) speaker.#handOver(clientId)
    // A provider that makes a new Y.Doc on the same connection gets a new id; the old one has left.
    this.#leave()
    this.#clientId = clientId
    this.#speakers.set(clientId, this)
    // Hocuspocus notes only ids that it has never seen, and what it hasn't noted would stay when the connection goes.
    this.#document.getClients(this.#connection).add(clientId)
    // After a reconnect the clock is one that peers have seen already: they would ignore this state, and those that follow.
    this.#ahead = Math.max(0, (this.#awareness.meta.get(clientId)?.clock ?? -1) + 1 - clock)
    return true
  }

  #handOver(clientId: number): void {
    this.#document.getClients(this.#connection).delete(clientId)
    this.#clientId = undefined
  }

  #apply({ clientId, clock, state, bytes }: AwarenessEntry): void {
    if (state === null) return this.#leave()
    if (bytes > AWARENESS_LIMIT) throw new AwarenessLimitError(`an awareness state of ${bytes} bytes`)
    const stamped: Record<string, unknown> = { user: this.#identity }
    for (const field of ownFields[this.#identity.kind]) {
      const value = state[field]
      if (typeof value === 'object') stamped[field] = isSound(field, value) ? value : null
    }
    this.#show({ clientId, clock: clock + this.#ahead, state: stamped })
  }

  #show(entry: Omit<AwarenessEntry, 'bytes'>): void {
    const origin = { source: 'connection', connection: this.#connection }
    applyAwarenessUpdate(this.#awareness, writeAwareness(entry), origin)
  }

  #leave(): void {
    if (this.#clientId === undefined) return
    const origin = { source: 'connection', connection: this.#connection }
    removeAwarenessStates(this.#awareness, [this.#clientId], origin)
    this.close()
    this.#clientId = undefined
  }

  get #awareness(): Awareness {
    return this.#document.awareness
  }

  get #speakers(): Map<number, Presence> {
    const known = speakers.get(this.#document) ?? new Map<number, Presence>()
    speakers.set(this.#document, known)
    return known
  }
}

function isSame(a: Identity, b: Identity): boolean {
  return a.id === b.id && (a.kind === 'agent' ? b.kind === 'agent' && a.runId === b.runId : b.kind === 'person')
}

/** Whether peers can show this: an editor that is given a position which Yjs can't resolve stops working. */
function isSound(field: 'cursor' | 'activity' | 'scrollTarget', value: object | null): boolean {
  if (value === null || field === 'activity') return true
  const { anchor, head, position }: { anchor?: unknown; head?: unknown; position?: unknown } = value
  return field === 'cursor' ? isRelativePosition(anchor) && isRelativePosition(head) : isRelativePosition(position)
}
