import { roomTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { createVerbatimDoc } from '../store/updates/verbatim-doc.ts'

/** An event for listening programs; `data` is plain JSON. */
export type ServerEvent = { event: 'run' | 'message' | 'thread' | 'doc_update'; data: unknown }

type ChangedEntries = { runs: Set<string>; threads: Set<string>; messages: Set<Y.Map<unknown>> }

const streamingEveryMs = 250

/**
 * A copy of a room that emits the changes of each update: every new or changed run, message and thread as a whole. A
 * streaming message is emitted about every 250 ms.
 */
export class RoomWatch {
  readonly #doc: Y.Doc
  readonly #emit: (event: ServerEvent) => void
  #changed: ChangedEntries = noChanges()
  readonly #streaming = new Set<Y.Map<unknown>>()
  #timer: NodeJS.Timeout | undefined

  constructor(state: Uint8Array, emit: (event: ServerEvent) => void) {
    this.#doc = createVerbatimDoc()
    this.#emit = emit
    Y.applyUpdate(this.#doc, state)
    this.#doc.getMap(roomTypes.runs).observeDeep((events) => noteKeys(events, this.#changed.runs))
    this.#doc.getMap(roomTypes.threads).observeDeep((events) => noteKeys(events, this.#changed.threads))
    this.#doc.getArray<Y.Map<unknown>>(roomTypes.messages).observeDeep((events) => this.#noteMessages(events))
  }

  apply(update: Uint8Array): void {
    Y.applyUpdate(this.#doc, update)
    const { runs, threads, messages } = this.#changed
    this.#changed = noChanges()
    for (const id of runs) this.#emitValue('run', this.#doc.getMap(roomTypes.runs).get(id))
    for (const id of threads) this.#emitValue('thread', this.#doc.getMap(roomTypes.threads).get(id))
    for (const message of messages) {
      if (message.get('status') === 'streaming') this.#emitMessageLater(message)
      else this.#emitMessage(message)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#doc.destroy()
  }

  #noteMessages(events: readonly Y.YEvent<Y.AbstractType<unknown>>[]): void {
    const messages = this.#doc.getArray<Y.Map<unknown>>(roomTypes.messages)
    for (const event of events) {
      const [index] = event.path
      if (typeof index === 'number') this.#changed.messages.add(messages.get(index))
      else for (const item of event.changes.added) addMaps(item, this.#changed.messages)
    }
  }

  #emitMessage(message: Y.Map<unknown>): void {
    this.#streaming.delete(message)
    this.#emitValue('message', message)
  }

  #emitMessageLater(message: Y.Map<unknown>): void {
    this.#streaming.add(message)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const waiting of this.#streaming) this.#emitMessage(waiting)
    }, streamingEveryMs)
  }

  /** Deletions emit nothing: only outdated or unfinished entries are deleted from the room. */
  #emitValue(event: ServerEvent['event'], value: unknown): void {
    if (value instanceof Y.Map) {
      if (value._item?.deleted !== true) this.#emit({ event, data: value.toJSON() })
    } else if (value !== undefined) {
      this.#emit({ event, data: value })
    }
  }
}

function noChanges(): ChangedEntries {
  return { runs: new Set(), threads: new Set(), messages: new Set() }
}

function noteKeys(events: readonly Y.YEvent<Y.AbstractType<unknown>>[], keys: Set<string>): void {
  for (const event of events) {
    const [key] = event.path
    if (typeof key === 'string') keys.add(key)
    else for (const changed of event.changes.keys.keys()) keys.add(changed)
  }
}

function addMaps(item: Y.Item, maps: Set<Y.Map<unknown>>): void {
  for (const value of item.content.getContent() as unknown[]) {
    if (value instanceof Y.Map) maps.add(value as Y.Map<unknown>)
  }
}
