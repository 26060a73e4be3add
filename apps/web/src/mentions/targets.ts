import { AGENT_MENTION } from '@copydesk/schema'
import type { KnownPerson } from './people-directory.ts'

/** Whom a mention can name. */
export type MentionTarget = { id: string; label: string; kind: 'agent' | 'person' }

/** The agent that always exists. */
export const agentTarget: MentionTarget = { id: AGENT_MENTION, label: AGENT_MENTION, kind: 'agent' }

/** One line of a list to choose from; `detail` says more about it in small print. */
export type MentionItem = MentionTarget & { color: string; detail: string }

const listed = 50

/** Who fits what was typed after `@`: the agent first, if it can be meant, then people, by the beginnings of their names' words. */
export function findTargets(people: readonly KnownPerson[], query: string, agent?: MentionTarget): MentionItem[] {
  const everyone: MentionItem[] = [
    ...(agent ? [{ ...agent, color: '', detail: 'writes with you' }] : []),
    ...people.map(({ id, name, color, here }) => ({
      id,
      label: name,
      kind: 'person' as const,
      color,
      detail: here ? 'here now' : '',
    })),
  ]
  const wanted = query.toLowerCase()
  return everyone.filter(({ label }) => fits(label.toLowerCase(), wanted)).slice(0, listed)
}

function fits(name: string, wanted: string): boolean {
  return name.startsWith(wanted) || name.split(/\s+/).some((word) => word.startsWith(wanted))
}

// What stands before an `@` that begins a mention: nothing, a space or an opening bracket or quote.
const atQuery = /(?:^|[\s("'“‘[])@([\p{L}\p{N}_.’'-]*(?: [\p{L}\p{N}_.’'-]+)?)$/u

/** The beginning of a mention that is being typed at `caret`, from its `@`; undefined where none is. */
export function mentionQuery(text: string, caret: number): { from: number; query: string } | undefined {
  const found = atQuery.exec(text.slice(Math.max(0, caret - 100), caret))
  const query = found?.[1]
  return query === undefined ? undefined : { from: caret - query.length - 1, query }
}
