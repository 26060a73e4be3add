import { AGENT_MENTION } from '@copydesk/schema'
import { t } from '../i18n/translate.ts'
import type { KnownAgent, KnownPerson } from './people-directory.ts'

/** The target of a mention. */
export type MentionTarget = { id: string; label: string; kind: 'agent' | 'person' }

/** The agent that always exists. */
export const agentTarget: MentionTarget = { id: AGENT_MENTION, label: AGENT_MENTION, kind: 'agent' }

/** One item of a list of targets; `detail` is shown in small print. */
export type MentionItem = MentionTarget & { color: string; detail: string }

const listed = 50

/**
 * The targets that match the text typed after `@`: with `agents` the default agent first and then the given ones, then
 * people, by prefixes of the words of their names.
 */
export function findTargets(
  people: readonly KnownPerson[],
  query: string,
  agents?: readonly KnownAgent[],
): MentionItem[] {
  const everyone: MentionItem[] = [
    ...(agents ? [{ ...agentTarget, color: '', detail: t('writes with you') }] : []),
    ...(agents ?? []).map(({ id, handle, name, color, description }) => ({
      id,
      label: handle,
      kind: 'agent' as const,
      color,
      detail: description || name,
    })),
    ...people.map(({ id, name, color, here }) => ({
      id,
      label: name,
      kind: 'person' as const,
      color,
      detail: here ? t('here now') : '',
    })),
  ]
  const wanted = query.toLowerCase()
  return everyone.filter(({ label }) => fits(label.toLowerCase(), wanted)).slice(0, listed)
}

function fits(name: string, wanted: string): boolean {
  return name.startsWith(wanted) || name.split(/\s+/).some((word) => word.startsWith(wanted))
}

// An `@` begins a mention at the start of the text, after a space, or after an opening bracket or quote.
const atQuery = /(?:^|[\s("'“‘[])@([\p{L}\p{N}_.’'-]*(?: [\p{L}\p{N}_.’'-]+)?)$/u

/** The unfinished mention at `caret`, from its `@`; undefined without one. */
export function mentionQuery(text: string, caret: number): { from: number; query: string } | undefined {
  const found = atQuery.exec(text.slice(Math.max(0, caret - 100), caret))
  const query = found?.[1]
  return query === undefined ? undefined : { from: caret - query.length - 1, query }
}
