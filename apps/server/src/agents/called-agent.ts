import { handleWord } from '@copydesk/protocol'
import { AGENT_MENTION } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import type { AgentRow, Tables } from '../store/tables.ts'
import { findCallableAgents } from './agent-rows.ts'

/** An agent that a text calls: a named agent, or the default agent if `agent` is absent. */
export type CalledAgent = { handle: string; agent?: AgentRow }

const anyHandle = /(?<![\p{L}\p{N}_@.+-])@[a-z][a-z0-9-]*/iu

/** Whether a text may call an agent: it contains an `@` before a word that could be a handle. */
export function mayCallAgent(text: string): boolean {
  return anyHandle.test(text)
}

/** The first agent that a text calls among those of the document; an unknown handle is plain text. */
export async function findCalled(db: Kysely<Tables>, document: string, text: string): Promise<CalledAgent | undefined> {
  if (!mayCallAgent(text)) return undefined
  const all: CalledAgent[] = (await findCallableAgents(db, document)).map((agent) => ({ handle: agent.handle, agent }))
  const found = [{ handle: AGENT_MENTION }, ...all].flatMap((called) => {
    const at = text.search(new RegExp(handleWord(called.handle), 'u'))
    return at < 0 ? [] : [{ called, at }]
  })
  return found.toSorted((a, b) => a.at - b.at)[0]?.called
}

/**
 * The request in a text that calls an agent: the text without the handle, or the whole text if nothing else remains.
 */
export function instructionOf(text: string, handle: string): string {
  const rest = text
    .replace(new RegExp(`(?:,\\s*)?${handleWord(handle)}`, 'gu'), ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/ ([,.;:?!])/g, '$1')
    .replace(/^[\s,:;–—-]+/, '')
    .trim()
  return rest === '' ? text : rest
}
