import type { ToolCall, TranscriptMessage } from '../contract.ts'
import { isSummary } from './window.ts'

const repetitionLimit = 3

/**
 * Detects a model that repeats itself: `isRepeating` is true once the same call has had the same result three times
 * without other calls or results in between. Two calls that alternate are detected too.
 */
export type RepetitionGuard = {
  note(call: ToolCall, result: { text: string; isError: boolean }): void
  isRepeating(): boolean
}

/**
 * Starts with the calls that the current run has already made, so that stopping and resuming doesn't reset the count.
 */
export function createRepetitionGuard(transcript: readonly TranscriptMessage[]): RepetitionGuard {
  const known = new Set<string>()
  const counts = new Map<string, number>()
  let repeating = false

  const note: RepetitionGuard['note'] = (call, result) => {
    const key = JSON.stringify([call.name, call.malformed ?? sortKeys(call.arguments), result.isError, result.text])
    if (!known.has(key)) counts.clear()
    known.add(key)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count >= repetitionLimit) repeating = true
  }

  const calls = new Map<string, ToolCall>()
  const begin = transcript.findLastIndex((message) => message.role === 'user' && !isSummary(message)) + 1
  for (const message of transcript.slice(begin)) {
    if (message.role === 'assistant') for (const call of message.toolCalls) calls.set(call.id, call)
    const call = message.role === 'tool' ? calls.get(message.callId) : undefined
    if (call && message.role === 'tool') note(call, message)
  }
  return { note, isRepeating: () => repeating }
}

// Models write the same arguments in varying order.
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, sortKeys(inner)])
}
