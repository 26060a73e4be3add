import { Message, Run } from '@copydesk/protocol'
import { roomTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import type { z } from 'zod'
import { createStore, type Store } from '../app/store.ts'

/** What a room document says, as plain values. Lists and their items keep their identity until they change. */
export type RoomSnapshot = { messages: readonly Message[]; runs: ReadonlyMap<string, Run> }

/** A room document that components and node views follow. */
export type RoomStore = Pick<Store<RoomSnapshot>, 'get' | 'subscribe'> & {
  /** The newest run that this mention started. */
  runOfMention(requestId: string): Run | undefined
  close(): void
}

/**
 * Follows a room document. Only what changed is read again; an item that doesn't fit the protocol (a newer server's) is
 * left out instead of breaking the page.
 */
export function createRoomStore(room: Y.Doc): RoomStore {
  const messages = room.getArray<unknown>(roomTypes.messages)
  const runs = room.getMap<unknown>(roomTypes.runs)
  const cache = new Map<unknown, Message | Run | undefined>()

  function read<T extends Message | Run>(item: unknown, shape: z.ZodType<T>): T | undefined {
    if (!cache.has(item)) cache.set(item, shape.safeParse(item instanceof Y.AbstractType ? item.toJSON() : item).data)
    return cache.get(item) as T | undefined
  }
  const readMessages = () => messages.toArray().flatMap((item) => read(item, Message) ?? [])
  const readRuns = () => {
    const found = [...runs.values()].flatMap((item) => read(item, Run) ?? [])
    return new Map(found.map((run) => [run.id, run]))
  }
  const store = createStore<RoomSnapshot>({ messages: readMessages(), runs: readRuns() })

  const forget = (events: readonly { target: Parented }[], root: Parented) => {
    for (const event of events) cache.delete(topLevelItem(event.target, root))
  }
  const onMessages = (events: readonly { target: Parented }[]) => {
    forget(events, messages)
    store.set({ ...store.get(), messages: readMessages() })
  }
  const onRuns = (events: readonly { target: Parented }[]) => {
    forget(events, runs)
    store.set({ ...store.get(), runs: readRuns() })
  }
  messages.observeDeep(onMessages)
  runs.observeDeep(onRuns)

  return {
    get: store.get,
    subscribe: store.subscribe,
    runOfMention: (requestId) => findMentionRun(store.get().runs.values(), requestId),
    close() {
      messages.unobserveDeep(onMessages)
      runs.unobserveDeep(onRuns)
    },
  }
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
