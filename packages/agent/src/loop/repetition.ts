import type { ToolCall, TranscriptMessage } from '../contract.ts'

const repetitionLimit = 3

/**
 * Notices a model that goes round in circles: `isStuck` is true once the same call has had the same result three times
 * with nothing new in between. Two calls that alternate are noticed too.
 */
export type RepetitionGuard = {
  note(call: ToolCall, result: { text: string; isError: boolean }): void
  isStuck(): boolean
}

/** Starts with what the present run has already done, so that stopping and resuming doesn't start the count anew. */
export function createRepetitionGuard(transcript: readonly TranscriptMessage[]): RepetitionGuard {
  const known = new Set<string>()
  const counts = new Map<string, number>()
  let stuck = false

  const note: RepetitionGuard['note'] = (call, result) => {
    const key = JSON.stringify([call.name, call.malformed ?? sortKeys(call.arguments), result.isError, result.text])
    if (!known.has(key)) counts.clear()
    known.add(key)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count >= repetitionLimit) stuck = true
  }

  const calls = new Map<string, ToolCall>()
  const begin = transcript.findLastIndex((message) => message.role === 'user') + 1
  for (const message of transcript.slice(begin)) {
    if (message.role === 'assistant') for (const call of message.toolCalls) calls.set(call.id, call)
    const call = message.role === 'tool' ? calls.get(message.callId) : undefined
    if (call && message.role === 'tool') note(call, message)
  }
  return { note, isStuck: () => stuck }
}

// Models write the same arguments in changing order.
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, sortKeys(inner)])
}
