import { AwarenessState } from '@copydesk/protocol'
import type { Awareness } from 'y-protocols/awareness'
import { createStore, sameJson, type Store } from '../common/store.ts'
import { fallbackColorOf, safeColor } from '../ui/people/person-look.ts'
import { sentText } from '../i18n/translate.ts'

/** A user or agent that has the document open, listed once for any number of windows; `activity` only for agents. */
export type Presence = {
  key: string
  id: string
  name: string
  color: string
  kind: 'person' | 'agent'
  invokedBy?: string
  activity?: string
}

const KnownState = AwarenessState.pick({ user: true, activity: true })

/** The caller's own presence as it is published. */
export type LocalUser = { id: string; name: string; color: string; kind: 'person' }

/**
 * The presences: the caller first, then users, then agents, each in order of arrival. States that don't match the
 * protocol are omitted.
 */
export function readPresence(states: ReadonlyMap<number, unknown>, self: string): Presence[] {
  const found = new Map<string, Presence>()
  for (const state of states.values()) {
    const parsed = KnownState.safeParse(state)
    if (!parsed.success) continue
    const { user, activity } = parsed.data
    const key = keyOf(user)
    found.set(key, {
      key,
      id: user.id,
      name: user.name,
      color: safeColor(user.color),
      kind: user.kind,
      ...(user.kind === 'agent' ? { invokedBy: user.invokedBy } : {}),
      ...(user.kind === 'agent' && activity ? { activity: activityText(activity) } : {}),
    })
  }
  return inOrderFor([...found.values()], self)
}

/** An agent's activity from the `activity` of its awareness state, in the user's language; empty if unknown. */
export function activityText(activity: unknown): string {
  const { label = '', localizable } = AwarenessState.shape.activity.safeParse(activity).data ?? {}
  return sentText(label, localizable) ?? label
}

/**
 * The key of the presence that an awareness state belongs to; undefined for a state that doesn't match the protocol.
 */
export function presenceKey(state: unknown): string | undefined {
  const { user } = KnownState.safeParse(state).data ?? {}
  return user && keyOf(user)
}

function keyOf(user: AwarenessState['user']): string {
  return user.kind === 'agent' ? `agent:${user.runId}` : `person:${user.id}`
}

/** The presences, with the caller first. */
export function inOrderFor(here: readonly Presence[], self: string): Presence[] {
  return [...here].sort((a, b) => rank(a, self) - rank(b, self))
}

function rank(presence: Presence, self: string): number {
  if (presence.kind === 'agent') return 2
  return presence.id === self ? 0 : 1
}

/** The caller as the peers see them: as this page has published them, or the server's correction of that. */
export function ownUser(awareness: Awareness): Pick<LocalUser, 'name' | 'color'> | undefined {
  return KnownState.safeParse(awareness.getLocalState()).data?.user
}

/** The present users except for the caller; for the list of mentions. */
export function othersHere(awareness: Awareness, self: string): Presence[] {
  return readPresence(awareness.getStates(), self).filter(({ id, kind }) => kind === 'person' && id !== self)
}

/**
 * The colours of people who have visited a document of this page and of its agents, by their ids: also of those who
 * aren't present. The default agent's depends on the theme.
 */
export const visitorColors = createStore<ReadonlyMap<string, string>>(new Map([['agent', '']]))

/** The colour of a user: their chosen one if it is known, else one derived from the id. */
export function colorOfPerson(awareness: Awareness | null, person: string): string {
  for (const state of awareness?.getStates().values() ?? []) {
    const { user } = KnownState.safeParse(state).data ?? {}
    if (user?.id === person && user.kind === 'person') return safeColor(user.color)
  }
  return visitorColors.get().get(person) ?? fallbackColorOf(person)
}

/** The presences: users in order of arrival, then agents. */
export type PresenceStore = Pick<Store<readonly Presence[]>, 'get' | 'subscribe'> & { close(): void }

const gatheredForMs = 50

/**
 * Observes the presences, for all components that show them. With ten users whose carets move, an awareness changes
 * fifty times per second, but the presences rarely: they are read once per burst of events, and keep their identity
 * until a user comes or leaves, or an activity changes.
 */
export function createPresenceStore(awareness: Awareness | null): PresenceStore {
  const read = () => (awareness ? readPresence(awareness.getStates(), '') : [])
  const store = createStore<readonly Presence[]>(read(), sameJson)
  let timer: ReturnType<typeof setTimeout> | undefined
  const readSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      store.set(read())
    }, gatheredForMs)
  }
  awareness?.on('change', readSoon)
  return {
    get: store.get,
    subscribe: store.subscribe,
    close() {
      clearTimeout(timer)
      awareness?.off('change', readSoon)
    },
  }
}
