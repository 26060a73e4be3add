import { BroadcastChannel } from 'node:worker_threads'

/**
 * A notification from one part of the server to all others, in any thread. Signals only tell the receiver to look: the
 * store is the source of truth, and a receiver that missed one catches up with the next.
 */
export type Signal =
  /** A row was added to a log. `author` is set for rows that the server wrote itself. */
  | { kind: 'log'; name: string; seq: number; update: Uint8Array; author?: { actor: string; run?: string } }
  | { kind: 'run-queued'; run: string }
  | { kind: 'run-stop'; run: string }
  /** An agent of another program called a tool in its run. */
  | { kind: 'run-called'; run: string }
  /** A file changed in a project folder that contains files with shown proposals, see `WatchedFolders`. */
  | { kind: 'files-changed' }
  /** These people have new notifications. */
  | { kind: 'notified'; people: readonly string[] }
  /**
   * The name, sessions, keys or rights of a person changed, or the rights of everyone in a document. Receivers check
   * again the access of connections and requests that they admitted.
   */
  | { kind: 'rights'; person?: string; document?: string }
  /** An event that is not in the room, for listeners at `GET …/events`; `data` is plain JSON. */
  | { kind: 'event'; document: string; event: 'doc_update'; data: Record<string, unknown> }

/** Whether a `rights` signal may affect person `whom` in document `where`. */
export function concerns(
  { person, document }: Extract<Signal, { kind: 'rights' }>,
  whom: string,
  where: string,
): boolean {
  return (person === undefined || person === whom) && (document === undefined || document === where)
}

/** Publishes signals to all parts of the server, including the publisher's own listeners. */
export interface Signals {
  publish(signal: Signal): void
  subscribe(listener: (signal: Signal) => void): () => void
  close(): void
}

/** Signals over a BroadcastChannel between the threads of one process that use the same channel name. */
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
