import type { Awareness } from 'y-protocols/awareness'
import { fetchPeople } from '../api/notifications.ts'
import { createStore } from '../common/store.ts'
import { othersHere, visitorColors } from '../collaboration/presence.ts'

/** A person who can be mentioned in a document. */
export type KnownPerson = { id: string; name: string; color: string; here: boolean }

/** A named agent that can be called in the document. */
export type KnownAgent = { id: string; handle: string; name: string; color: string; description: string }

/** The people who can be mentioned in a document, kept for the lifetime of the page. */
export type PeopleDirectory = {
  /** Present people first, then by their last visit; without the caller. */
  people(): readonly KnownPerson[]
  /**
   * Refetches the document's visitors and agents and their colours, unless that was done in the last ten seconds. After
   * a failure the former list is kept.
   */
  refresh(): Promise<void>
  /** The named agents that can be called in the document. */
  agents(): readonly KnownAgent[]
  /** Calls `listener` when people or agents may have changed; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
  /** Sets the caller and the awareness to read; returns a function that ends that. */
  enter(awareness: Awareness | null, self: string): () => void
  /** Records a choice from a list: of several people with this name, a text refers to the chosen one. */
  choose(person: { id: string; name: string }): void
  /** The ids of the people whom a text names as `@name`. */
  mentionedIn(text: string): string[]
}

type Person = { id: string; name: string; color: string }
type Fetched = { people: readonly Person[]; agents?: readonly (KnownAgent & { isHere: boolean })[] | undefined }
type Viewer = { awareness: Awareness | null; self: string }

const freshMs = 10_000
const directories = new Map<string, PeopleDirectory>()

/** The directory of a document, the same object at every call. */
export function directoryOf(document: string): PeopleDirectory {
  const known = directories.get(document)
  if (known) return known
  const directory = createDirectory(() => fetchPeople(document), Date.now)
  directories.set(document, directory)
  return directory
}

/** Creates an empty directory that reads people with `fetch`; `now` is the clock in milliseconds. */
export function createDirectory(fetch: () => Promise<Fetched>, now: () => number): PeopleDirectory {
  let known: readonly Person[] = []
  let agents: readonly (KnownAgent & { isHere: boolean })[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let viewer: Viewer = { awareness: null, self: '' }
  const chosen = new Map<string, string>()
  const changes = createStore(0)
  const notify = () => changes.set(changes.get() + 1)

  const people = (): KnownPerson[] => {
    const { awareness, self } = viewer
    const here = awareness ? othersHere(awareness, self) : []
    const ids = new Set([self, ...here.map(({ id }) => id)])
    return [
      ...here.map(({ id, name, color }) => ({ id, name, color, here: true })),
      ...known.filter(({ id }) => !ids.has(id)).map(({ id, name, color }) => ({ id, name, color, here: false })),
    ]
  }
  return {
    people,
    async refresh() {
      if (now() - readAt < freshMs) return
      readAt = now()
      const fetched = await fetch().catch(() => undefined)
      known = fetched?.people ?? known
      agents = fetched?.agents ?? agents
      const colors = [...known, ...agents].map(({ id, color }) => [id, color] as const)
      visitorColors.set(new Map([...visitorColors.get(), ...colors]))
      notify()
    },
    agents: () => agents.filter(({ isHere }) => isHere),
    subscribe: changes.subscribe,
    enter(awareness, self) {
      const entered = { awareness, self }
      viewer = entered
      // People who leave can still be mentioned.
      const meet = () => {
        const met = awareness ? othersHere(awareness, self) : []
        const isNew = met.filter(({ id }) => !known.some((person) => person.id === id))
        if (isNew.length > 0) known = [...isNew, ...known]
      }
      const onChange = ({ added, removed }: { added: readonly number[]; removed: readonly number[] }) => {
        if (added.length > 0) meet()
        if (added.length + removed.length > 0) notify()
      }
      meet()
      awareness?.on('change', onChange)
      return () => {
        awareness?.off('change', onChange)
        if (viewer === entered) viewer = { awareness: null, self }
      }
    },
    choose: ({ id, name }) => void chosen.set(name, id),
    mentionedIn(text) {
      const byName = new Map<string, string>()
      for (const { id, name } of people()) {
        if (text.includes(`@${name}`) && (!byName.has(name) || chosen.get(name) === id)) byName.set(name, id)
      }
      return [...byName.values()]
    },
  }
}
