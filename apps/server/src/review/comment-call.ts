import { AGENT_WORD } from '@copydesk/protocol'
import type { CommentRow } from '../store/tables.ts'

const word = new RegExp(AGENT_WORD, 'u')
const wordAndComma = new RegExp(`(?:,\\s*)?${AGENT_WORD}`, 'gu')

/** Whether a comment's text calls the agent with the word `@agent`. */
export function namesAgent(text: string): boolean {
  return word.test(text)
}

/**
 * The request in a comment that calls the agent: its text without `@agent`, or the whole text if it contains nothing
 * else.
 */
export function instructionOf(text: string): string {
  const rest = text
    .replace(wordAndComma, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/ ([,.;:?!])/g, '$1')
    .replace(/^[\s,:;–—-]+/, '')
    .trim()
  return rest === '' ? text : rest
}

/** The run whose answer is the newest comment of a thread, if it is; its caller continues without `@agent`. */
export function answeredRun(comments: readonly CommentRow[]): string | undefined {
  const last = comments.at(-1)
  return last?.author_kind === 'agent' ? (last.run ?? undefined) : undefined
}
