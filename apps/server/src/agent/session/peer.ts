import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { AwarenessState, closeCodes } from '@copydesk/protocol'
import { SCHEMA_VERSION } from '@copydesk/schema'
import { inEnglish, type Localizable } from '@copydesk/tools'
import * as Y from 'yjs'
import { agentIdentity } from '../../common/identity.ts'
import { createVerbatimDoc } from '../../store/updates/verbatim-doc.ts'
import { whenDocument } from './when-document.ts'

/**
 * The reason why a run's execution was aborted from outside. After `shutdown` and `refused` (the server rejects this
 * worker's peer: another worker has claimed the run, or the server can't check right now) the run stays unchanged.
 * After `broken` (the server can't read the peer's data) and `revoked` (the caller lost the right to call the agent, or
 * the key has ended) the run fails.
 */
export type AbortReason = 'stop' | 'timeout' | 'shutdown' | 'refused' | 'revoked' | 'broken'

/** The time limit for flushing a peer's updates, in milliseconds. */
export const flushWithinMs = 2000

const unreadable: ReadonlySet<number> = new Set([
  closeCodes.invalidFrame,
  closeCodes.tooLarge,
  closeCodes.schemaRefused,
  closeCodes.foreignClient,
])

/** A user or agent whom the peer sees in the document's awareness. */
export type PresentPeer = { id: string; name: string; kind: 'person' | 'agent' }

/** The agent in a document: a remote peer with its own Y.Doc, connection and awareness state. */
export type Peer = {
  readonly doc: Y.Doc
  /** Shows the agent's current activity in awareness. */
  showActivity(activity: Localizable, tool?: string): void
  /** Shows the agent's caret: two relative positions as JSON, as in the awareness of editors. */
  showCursor(cursor: { anchor: unknown; head: unknown }): void
  /**
   * Requests the caller's view to scroll to a relative position (as JSON); `select`: whether to select the content
   * there.
   */
  showScrollTarget(target: { position: unknown; select: boolean }): void
  present(): PresentPeer[]
  /** The carets of people, except one, that have just moved: they are typing. */
  typing(except: string): { name: string; caret: { anchor: Y.RelativePosition; head: Y.RelativePosition } }[]
  /** The name of the user or agent who writes under a Yjs client id, also after they have left. */
  nameOf(client: number): string | undefined
  /** The current caret or selection of this user. */
  selectionOf(person: string): { anchor: Y.RelativePosition; head: Y.RelativePosition } | undefined
  /** Resolves when all writes are on the server's disk; rejects when `signal` is aborted. */
  flushed(signal: AbortSignal): Promise<void>
  /** Resolves when the replica fulfils `condition`; rejects when `signal` is aborted. */
  waitForState(condition: (doc: Y.Doc) => boolean, signal: AbortSignal): Promise<void>
  /** Leaves the document after `lingerMs`, visibly to other clients. A later call can only shorten the time. */
  close(lingerMs?: number): void
}

type PeerOptions = {
  collabUrl: string
  token: string
  document: string
  /** Aborted with an `AbortReason` when the server ends the connection permanently. */
  controller: AbortController
}

/**
 * Joins a document over `/collab` and waits until it is fully synchronized.
 * @throws if the server refuses the token, or when the `controller` aborts.
 */
export async function openPeer(options: PeerOptions): Promise<Peer> {
  const socket = new HocuspocusProviderWebsocket({
    url: `${options.collabUrl}?document=${options.document}&schemaVersion=${SCHEMA_VERSION}`,
    delay: 200,
    minDelay: 200,
    maxDelay: 2000,
  })
  // Browsers delete redundant formatting; the agent must write nothing except its edits.
  const doc = createVerbatimDoc()
  const provider = new HocuspocusProvider({
    websocketProvider: socket,
    name: options.document,
    document: doc,
    token: options.token,
  })
  let closed = false
  const close = (lingerMs = 0): void => {
    if (lingerMs > 0) return void setTimeout(close, lingerMs).unref()
    if (closed) return
    closed = true
    provider.destroy()
    socket.destroy()
    doc.destroy()
  }
  const abort = (reason: AbortReason): void => options.controller.abort(reason)
  provider.on('authenticationFailed', () => abort('refused'))
  socket.on('close', ({ event }: { event: { code?: number } }) => {
    if (event.code === closeCodes.staleRun) abort('refused')
    if (event.code === closeCodes.revoked) abort('revoked')
    if (event.code !== undefined && unreadable.has(event.code)) abort('broken')
  })
  provider.setAwarenessField('user', { ...agentIdentity, kind: 'agent' })
  provider.attach()
  try {
    await when(provider, () => provider.synced, options.controller.signal)
  } catch (error) {
    close()
    throw error
  }
  return {
    ...presenceOf(provider),
    doc,
    close,
    flushed: (signal) => when(provider, () => provider.synced && !provider.hasUnsyncedChanges, signal),
    waitForState: (condition, signal) => whenDocument(doc, () => condition(doc), signal),
  }
}

function presenceOf(
  provider: HocuspocusProvider,
): Pick<Peer, 'showActivity' | 'showCursor' | 'showScrollTarget' | 'present' | 'selectionOf' | 'typing' | 'nameOf'> {
  const states = (): { clientId: number; state: AwarenessState }[] =>
    [...(provider.awareness?.getStates() ?? [])].flatMap(([clientId, state]) => {
      const parsed = AwarenessState.safeParse(state)
      return parsed.success && clientId !== provider.document.clientID ? [{ clientId, state: parsed.data }] : []
    })
  const names = followNames(provider)
  const moved = followCarets(provider, () => performance.now())
  return {
    nameOf: (client) => names.get(client),
    typing: (except) =>
      states().flatMap(({ clientId, state: { user, cursor } }) => {
        const caret = cursor && readCursor(cursor)
        const isOther = user.kind === 'person' && user.id !== except
        return caret && isOther && moved(clientId) ? [{ name: user.name, caret }] : []
      }),
    showActivity: (activity, tool) =>
      provider.setAwarenessField('activity', {
        label: inEnglish(activity),
        localizable: activity,
        ...(tool ? { tool } : {}),
      }),
    showCursor: (cursor) => provider.setAwarenessField('cursor', cursor),
    showScrollTarget: (target) => provider.setAwarenessField('scrollTarget', target),
    present: () => states().map(({ state: { user } }) => ({ id: user.id, name: user.name, kind: user.kind })),
    selectionOf(person) {
      for (const { state } of states()) {
        if (state.user.id === person && state.user.kind === 'person' && state.cursor) return readCursor(state.cursor)
      }
      return undefined
    },
  }
}

const namesAtMost = 10_000

/** The names in the awareness of others, by client id; names are kept after their clients have left. */
function followNames({ awareness, document }: HocuspocusProvider): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  const note = (clientIds: Iterable<number>): void => {
    for (const clientId of clientIds) {
      const parsed = AwarenessState.safeParse(awareness?.getStates().get(clientId))
      if (!parsed.success || clientId === document.clientID || names.size >= namesAtMost) continue
      names.set(clientId, parsed.data.user.name)
    }
  }
  note(awareness?.getStates().keys() ?? [])
  awareness?.on('change', ({ added, updated }: { added: number[]; updated: number[] }) => note([...added, ...updated]))
  return names
}

const typingMs = 5_000

/**
 * Follows the carets of others. The returned function returns whether the caret of a client has moved within the last
 * five seconds, as it does with each typed character.
 */
function followCarets(provider: HocuspocusProvider, elapsed: () => number): (clientId: number) => boolean {
  const seen = new Map<number, { cursor: string; at: number }>()
  provider.awareness?.on('change', ({ updated, removed }: { updated: number[]; removed: number[] }) => {
    for (const clientId of removed) seen.delete(clientId)
    for (const clientId of updated) {
      const cursor = JSON.stringify(provider.awareness?.getStates().get(clientId)?.['cursor'] ?? null)
      if (seen.get(clientId)?.cursor !== cursor) seen.set(clientId, { cursor, at: elapsed() })
    }
  })
  return (clientId) => elapsed() - (seen.get(clientId)?.at ?? -typingMs) < typingMs
}

function readCursor(cursor: { anchor: unknown; head: unknown }) {
  try {
    return {
      anchor: Y.createRelativePositionFromJSON(cursor.anchor),
      head: Y.createRelativePositionFromJSON(cursor.head),
    }
  } catch {
    return undefined
  }
}

/** Waits until `condition` holds, checking it at each provider event that may change it. */
function when(provider: HocuspocusProvider, condition: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      provider.off('synced', check)
      provider.off('unsyncedChanges', check)
      signal.removeEventListener('abort', check)
    }
    const check = (): void => {
      if (signal.aborted) {
        finish()
        reject(new DOMException('the run was ended', 'AbortError'))
      } else if (condition()) {
        finish()
        resolve()
      }
    }
    provider.on('synced', check)
    provider.on('unsyncedChanges', check)
    signal.addEventListener('abort', check)
    check()
  })
}
