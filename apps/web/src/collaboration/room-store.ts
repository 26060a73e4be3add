import {
  AgentMode,
  ChangeRecord,
  DocumentFont,
  Highlight,
  Message,
  Run,
  Thread,
  UnstartedMention,
} from '@copydesk/protocol'
import { roomTypes } from '@copydesk/schema/names'
import * as Y from 'yjs'
import type { z } from 'zod'
import { createStore, type Store } from '../common/store.ts'

/**
 * The contents of a room document, as plain values by their ids. Lists and their items keep their identity until they
 * change.
 */
export type RoomSnapshot = {
  messages: readonly Message[]
  runs: ReadonlyMap<string, Run>
  threads: ReadonlyMap<string, Thread>
  changes: ReadonlyMap<string, ChangeRecord>
  highlights: ReadonlyMap<string, Highlight>
  /** Mentions that were sent and start no run, by their request ids. */
  unstarted: ReadonlyMap<string, UnstartedMention>
  settings: { agentMode?: AgentMode; editorsShare?: boolean; font?: DocumentFont }
}

/** A room document as a store for components and node views. */
export type RoomStore = Pick<Store<RoomSnapshot>, 'get' | 'subscribe'> & {
  /** The newest run that this mention started. */
  runOfMention(requestId: string): Run | undefined
  close(): void
}

type Item = { id: string }

/**
 * Observes a room document. Only changed parts are read again; an item that doesn't match the protocol (a newer
 * server's) is omitted instead of breaking the page.
 */
export function createRoomStore(room: Y.Doc): RoomStore {
  const parts = {
    messages: followList(room.getArray<unknown>(roomTypes.messages), Message),
    runs: followMap(room.getMap<unknown>(roomTypes.runs), Run),
    threads: followMap(room.getMap<unknown>(roomTypes.threads), Thread),
    changes: followMap(room.getMap<unknown>(roomTypes.changes), ChangeRecord),
    highlights: followMap(room.getMap<unknown>(roomTypes.highlights), Highlight),
    unstarted: followMap(room.getMap<unknown>(roomTypes.mentions), UnstartedMention),
  }
  const { messages, runs, threads, changes, highlights, unstarted } = parts
  const settings = room.getMap<unknown>(roomTypes.settings)
  const onSettings = () => put({ settings: readSettings(settings) })
  const store = createStore<RoomSnapshot>({
    messages: messages.read(),
    runs: runs.read(),
    threads: threads.read(),
    changes: changes.read(),
    highlights: highlights.read(),
    unstarted: unstarted.read(),
    settings: readSettings(settings),
  })
  const put = (change: Partial<RoomSnapshot>) => store.set({ ...store.get(), ...change })
  settings.observe(onSettings)
  const stops = [
    () => settings.unobserve(onSettings),
    messages.observe(() => put({ messages: messages.read() })),
    runs.observe(() => put({ runs: runs.read() })),
    threads.observe(() => put({ threads: threads.read() })),
    changes.observe(() => put({ changes: changes.read() })),
    highlights.observe(() => put({ highlights: highlights.read() })),
    unstarted.observe(() => put({ unstarted: unstarted.read() })),
  ]
  return {
    get: store.get,
    subscribe: store.subscribe,
    runOfMention: (requestId) => findMentionRun(store.get().runs.values(), requestId),
    close() {
      for (const stop of stops) stop()
    },
  }
}

function readSettings(settings: Y.Map<unknown>): RoomSnapshot['settings'] {
  const mode = AgentMode.safeParse(settings.get('agentMode'))
  const editorsShare = settings.get('editorsShare')
  const font = DocumentFont.safeParse(settings.get('font'))
  return {
    ...(mode.success ? { agentMode: mode.data } : {}),
    ...(typeof editorsShare === 'boolean' ? { editorsShare } : {}),
    ...(font.success ? { font: font.data } : {}),
  }
}

function followList<T extends Item>(list: Y.Array<unknown>, shape: z.ZodType<T>) {
  const { read, observe } = follow(list, shape)
  return { observe, read: (): readonly T[] => list.toArray().flatMap((item) => read(item) ?? []) }
}

function followMap<T extends Item>(map: Y.Map<unknown>, shape: z.ZodType<T>) {
  const { read, observe } = follow(map, shape)
  const readAll = (): ReadonlyMap<string, T> => {
    const found = [...map.values()].flatMap((item) => read(item) ?? [])
    return new Map(found.map((item) => [item.id, item]))
  }
  return { observe, read: readAll }
}

type Observed = {
  observeDeep(listener: (events: readonly { target: Parented }[]) => void): void
  unobserveDeep(listener: (events: readonly { target: Parented }[]) => void): void
}

function follow<T extends Item>(root: Observed & Parented, shape: z.ZodType<T>) {
  const cache = new WeakMap<object, T | undefined>()
  const read = (item: unknown): T | undefined => {
    if (typeof item !== 'object' || item === null) return undefined
    if (!cache.has(item)) cache.set(item, shape.safeParse(item instanceof Y.AbstractType ? item.toJSON() : item).data)
    return cache.get(item)
  }
  const observe = (listener: () => void): (() => void) => {
    const onEvents = (events: readonly { target: Parented }[]) => {
      for (const { target } of events) cache.delete(topLevelItem(target, root))
      listener()
    }
    root.observeDeep(onEvents)
    return () => root.unobserveDeep(onEvents)
  }
  return { read, observe }
}

function findMentionRun(runs: Iterable<Run>, requestId: string): Run | undefined {
  let newest: Run | undefined
  for (const run of runs) {
    if (run.trigger.kind !== 'mention' || run.trigger.id !== requestId) continue
    if (newest === undefined || run.createdAt > newest.createdAt) newest = run
  }
  return newest
}

type Parented = { parent: Parented | null }

function topLevelItem(target: Parented, root: Parented): Parented {
  let item = target
  while (item.parent !== null && item.parent !== root && item !== root) item = item.parent
  return item
}
