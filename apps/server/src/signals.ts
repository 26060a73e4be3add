import { BroadcastChannel } from 'node:worker_threads'

/**
 * What one part of the server tells the others, wherever they run. Signals only say "look": all truth is in the store,
 * and whoever missed one finds out at the next.
 */
export type Signal =
  /** A row was added; with `author` it is one that the server has written itself. */
  | { kind: 'log'; name: string; seq: number; update: Uint8Array; author?: { actor: string; run?: string } }
  | { kind: 'run-queued'; run: string }
  | { kind: 'run-stop'; run: string }
  /** These people have new notifications. */
  | { kind: 'notified'; people: readonly string[] }
  /**
   * Somebody's name, sessions, keys or rights have changed, or those of everybody in a document: whoever let them in
   * looks again.
   */
  | { kind: 'rights'; person?: string; document?: string }
  /** Something that isn't in the room and goes to whoever listens at `GET …/events`; `data` is plain JSON. */
  | { kind: 'event'; document: string; event: 'doc_update'; data: Record<string, unknown> }

/** Whether a change of rights may be one of this person's in this document. */
export function concerns(
  { person, document }: Extract<Signal, { kind: 'rights' }>,
  whom: string,
  where: string,
): boolean {
  return (person === undefined || person === whom) && (document === undefined || document === where)
}

/** Sends signals to all parts of the server, the sender's own listeners included. */
export interface Signals {
  publish(signal: Signal): void
  subscribe(listener: (signal: Signal) => void): () => void
  close(): void
}

/** Signals between the threads of one process that use the same channel name. */
export function createThreadSignals(channelName: string): Signals {
  const listeners = new Set<(signal: Signal) => void>()
  const channel = new BroadcastChannel(channelName)
  const deliver = (signal: Signal): void => {
    for (const listener of listeners) listener(signal)
  }
  channel.onmessage = (event) => deliver((event as { data: Signal }).data)
  channel.unref()
  return {
    publish(signal) {
      deliver(signal)
      channel.postMessage(signal)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      listeners.clear()
      channel.close()
    },
  }
}
