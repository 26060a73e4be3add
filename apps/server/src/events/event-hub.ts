import { roomName } from '@copydesk/schema'
import * as Y from 'yjs'
import type { Signal, Signals } from '../common/signals.ts'
import type { UpdateLog } from '../store/log/update-log.ts'
import { RoomWatch, type ServerEvent } from './room-watch.ts'

export type EventHubDeps = {
  log: Pick<UpdateLog, 'load' | 'rowsAfter'>
  signals: Pick<Signals, 'subscribe'>
  /** Called when a room could not be read; its listeners have been ended. */
  onError: (error: unknown) => void
}

/** A subscriber to the events of a document. After `end` no more events follow. */
export type EventListener = { event(event: ServerEvent): void; end(): void }

type Watched = { listeners: Set<EventListener>; watch: RoomWatch | undefined; seq: number; working: Promise<void> }

/**
 * Distributes the events of documents to listeners: changes of the room, derived from its log rows written by any
 * thread or process, and published `event` signals. Documents without listeners cost nothing.
 */
export class EventHub {
  readonly #deps: EventHubDeps
  readonly #documents = new Map<string, Watched>()
  readonly #unsubscribe: () => void
  #closed = false

  constructor(deps: EventHubDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.signals.subscribe((signal) => this.#receive(signal))
  }

  /**
   * Subscribes a listener. Resolves, with the function that unsubscribes, when all later events will reach the
   * listener. A listener to an unreadable room is ended.
   */
  async listen(document: string, listener: EventListener): Promise<() => void> {
    const watched = this.#documents.get(document) ?? this.#start(document)
    watched.listeners.add(listener)
    await watched.working
    if (this.#closed || !watched.listeners.has(listener)) listener.end()
    return () => this.#removeListener(document, watched, listener)
  }

  /** Ends all listeners. May be called twice. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#unsubscribe()
    for (const document of this.#documents.keys()) this.#drop(document)
  }

  #start(document: string): Watched {
    const watched: Watched = { listeners: new Set(), watch: undefined, seq: 0, working: Promise.resolve() }
    this.#documents.set(document, watched)
    this.#enqueue(document, watched, () => this.#open(document, watched))
    return watched
  }

  #receive(signal: Signal): void {
    if (signal.kind === 'event') {
      const watched = this.#documents.get(signal.document)
      if (watched) notifyListeners(watched, { event: signal.event, data: signal.data })
    }
    if (signal.kind !== 'log' || this.#documents.size === 0) return
    for (const [document, watched] of this.#documents) {
      if (roomName(document) === signal.name) {
        this.#enqueue(document, watched, () => this.#follow(document, watched, signal.seq, signal.update))
      }
    }
  }

  async #open(document: string, watched: Watched): Promise<void> {
    const loaded = await this.#deps.log.load(roomName(document))
    if (!loaded) throw new Error(`no room of ${document}`)
    watched.seq = loaded.seq
    watched.watch = new RoomWatch(Y.encodeStateAsUpdate(loaded.doc), (event) => notifyListeners(watched, event))
    loaded.doc.destroy()
  }

  async #follow(document: string, watched: Watched, seq: number, update: Uint8Array): Promise<void> {
    if (seq <= watched.seq) return
    const rows =
      seq === watched.seq + 1
        ? [{ seq, bytes: update }]
        : await this.#deps.log.rowsAfter(roomName(document), watched.seq)
    for (const row of rows) {
      watched.watch?.apply(row.bytes)
      watched.seq = row.seq
    }
  }

  /** Runs tasks of a document sequentially. If one fails, the listeners are ended and have to subscribe again. */
  #enqueue(document: string, watched: Watched, work: () => Promise<void>): void {
    watched.working = watched.working
      .then(() => (this.#documents.get(document) === watched ? work() : undefined))
      .catch((error: unknown) => {
        this.#deps.onError(error)
        if (this.#documents.get(document) === watched) this.#drop(document)
      })
  }

  #removeListener(document: string, watched: Watched, listener: EventListener): void {
    watched.listeners.delete(listener)
    if (watched.listeners.size === 0 && this.#documents.get(document) === watched) this.#drop(document)
  }

  #drop(document: string): void {
    const watched = this.#documents.get(document)
    this.#documents.delete(document)
    watched?.watch?.close()
    for (const listener of watched?.listeners ?? []) listener.end()
    watched?.listeners.clear()
  }
}

function notifyListeners({ listeners }: Watched, event: ServerEvent): void {
  for (const listener of listeners) listener.event(event)
}
