import { AwarenessState } from '@copydesk/protocol'
import type { Awareness } from 'y-protocols/awareness'
import { colorOfId, safeColor } from '../ui/person-look.ts'

/** Somebody who has the document open, once however many windows they have; `activity` only for agents. */
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

/** A person's presence as the caller announces it. */
export type LocalUser = { id: string; name: string; color: string; kind: 'person' }

/**
 * Who is here, the caller first, then people, then agents, each in order of arrival. States that don't fit the protocol
 * are left out.
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
      ...(user.kind === 'agent' && activity ? { activity: activity.label } : {}),
    })
  }
  return inOrderFor([...found.values()], self)
}

/** The key of the presence that an awareness state belongs to; undefined for a state that doesn't fit the protocol. */
export function presenceKey(state: unknown): string | undefined {
  const { user } = KnownState.safeParse(state).data ?? {}
  return user && keyOf(user)
}

function keyOf(user: AwarenessState['user']): string {
  return user.kind === 'agent' ? `agent:${user.runId}` : `person:${user.id}`
}

/** Those who are here, with the caller first. */
export function inOrderFor(here: readonly Presence[], self: string): Presence[] {
  return [...here].sort((a, b) => rank(a, self) - rank(b, self))
}

function rank(presence: Presence, self: string): number {
  if (presence.kind === 'agent') return 2
  return presence.id === self ? 0 : 1
}

/** What the caller is called to the others: what this page has announced, or what the server has made of it. */
export function ownName(awareness: Awareness): string | undefined {
  return KnownState.safeParse(awareness.getLocalState()).data?.user.name
}

/** The people who are here besides the caller; for the list of whom one can mention. */
export function othersHere(awareness: Awareness, self: string): Presence[] {
  return readPresence(awareness.getStates(), self).filter(({ id, kind }) => kind === 'person' && id !== self)
}

/** The colour of a person: the one that they have chosen if they are here, else one that is always the same for them. */
export function colorOfPerson(awareness: Awareness | null, person: string): string {
  for (const state of awareness?.getStates().values() ?? []) {
    const { user } = KnownState.safeParse(state).data ?? {}
    if (user?.id === person && user.kind === 'person') return safeColor(user.color)
  }
  return colorOfId(person)
}
