import type { ModelRequest, TranscriptMessage, UserMessage } from '../contract.ts'
import { shortenResult, summaryText } from './shortening.ts'
import { completeResults } from './transcript.ts'

/**
 * The limits of a request: `tokens` in total, of which the system prompt, the tools and a closing instruction take
 * `fixed`. The first `asked` messages of the transcript are the conversation before the run and its question.
 */
export type Window = { tokens: number; fixed: number; asked: number }

/**
 * The messages to send. `summarise`: they are still too large, and a summary of `messages` should replace those before
 * the message `end` of the transcript; until then `messages` of the window is cut to fit.
 */
export type FittedWindow = {
  messages: TranscriptMessage[]
  summarise?: { end: number; messages: TranscriptMessage[] }
}

/**
 * The results of the last six to eleven answers are kept whole. The border moves in steps, so that caches stay valid.
 */
const wholeAnswers = 6
const answersAtOnce = 6
const longestOld = 1_200
const headOfOld = 600
/**
 * The share of the window that is kept whole when the rest is summarised: small enough that the next summary is far
 * away.
 */
const keptShare = 0.4
const summarisedShare = 0.2

/**
 * Chooses the messages to send by fixed rules: the same transcript always gives the same messages, so that a resumed
 * run sends the same requests, and each request begins like the previous one except when older results are shortened or
 * summarised. An answer is never separated from its results, and is sent in its provider's form.
 */
export function fitWindow(transcript: readonly TranscriptMessage[], window: Window): FittedWindow {
  const { asked, fixed } = window
  const summary = lastSummary(transcript, asked)
  const start = asked + (summary?.summarises ?? 0)
  const head: TranscriptMessage[] = transcript.slice(0, asked)
  if (summary) head.push({ role: 'user', text: summaryText(summary.text) })
  const messages = [...head, ...shortenOld(bodyFrom(transcript, start))]
  const room = window.tokens - fixed
  if (tokensOf(messages) <= room) return { messages }
  const end = borderOf(transcript, start, (room - tokensOf(head)) * keptShare)
  const fitted = squeeze(messages, asked, room)
  if (end === undefined) return { messages: fitted }
  const before = shortenOld(bodyFrom(transcript.slice(0, end), start))
  // A summary costs a call: it must make room for several answers.
  if (tokensOf(before) < room * summarisedShare) return { messages: fitted }
  return { messages: fitted, summarise: { end, messages: squeeze([...head, ...before], asked, room) } }
}

/** The tokens of the parts of a request that no rule shortens. */
export function fixedTokensOf({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
  const schemas = tools.map(({ name, description, inputSchema }) => [name, description, inputSchema.jsonSchema])
  return tokensIn(system) + tokensIn(JSON.stringify(schemas))
}

/** An upper estimate of the tokens of messages. */
export function tokensOf(messages: readonly TranscriptMessage[]): number {
  return messages.reduce((sum, message) => sum + perMessage + tokensIn(contentOf(message)), 0)
}

const perMessage = 10
const bytesPerToken = 3

// Three bytes per token: English has four or more, CJK characters of three bytes are about one token each.
function tokensIn(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / bytesPerToken)
}

// The same provider gets the opaque form, any other the plain one.
function contentOf(message: TranscriptMessage): string {
  if (message.role !== 'assistant') return message.text
  const plain = message.text + JSON.stringify(message.toolCalls)
  const opaque = message.opaque === undefined ? '' : JSON.stringify(message.opaque)
  return opaque.length > plain.length ? opaque : plain
}

function lastSummary(transcript: readonly TranscriptMessage[], asked: number): UserMessage | undefined {
  const found = transcript.slice(asked).findLast(isSummary)
  return found?.role === 'user' ? found : undefined
}

/** Whether a message is the summary of the run's messages before it. */
export function isSummary(message: TranscriptMessage): boolean {
  return message.role === 'user' && message.summarises !== undefined
}

function bodyFrom(transcript: readonly TranscriptMessage[], start: number): TranscriptMessage[] {
  return completeResults(transcript.slice(start).filter((message) => !isSummary(message)))
}

/** Shortens the long results of all answers but the last ones. */
function shortenOld(messages: readonly TranscriptMessage[]): TranscriptMessage[] {
  const count = messages.filter(({ role }) => role === 'assistant').length
  const old = Math.max(0, Math.floor((count - wholeAnswers) / answersAtOnce) * answersAtOnce)
  let answers = 0
  return messages.map((message) => {
    if (message.role === 'assistant') answers += 1
    return message.role === 'tool' && answers <= old && message.text.length > longestOld
      ? { ...message, text: shortenResult(message.text, headOfOld) }
      : message
  })
}

/**
 * The beginning of the kept part: the first answer from which on all messages have at most `kept` tokens, at least the
 * last answer; undefined if no message would precede it.
 */
function borderOf(transcript: readonly TranscriptMessage[], start: number, kept: number): number | undefined {
  let border: number | undefined
  for (let at = transcript.length - 1; at > start; at--) {
    if (transcript[at]?.role !== 'assistant') continue
    if (border !== undefined && tokensOf(shortenOld(bodyFrom(transcript, at))) > kept) break
    border = at
  }
  return border
}

/**
 * Shortens the longest texts until all messages fit, except the question, which is the last message before the answers.
 */
function squeeze(messages: readonly TranscriptMessage[], asked: number, room: number): TranscriptMessage[] {
  let squeezed = [...messages]
  for (let longest = 32_000; longest >= 500 && tokensOf(squeezed) > room; longest /= 2) {
    squeezed = squeezed.map((message, at) => {
      if (message.role === 'assistant' || at === asked - 1 || message.text.length <= longest) return message
      return { ...message, text: shortenResult(message.text, longest / 2) }
    })
  }
  return squeezed
}
