import type { AssistantMessage, ToolCall, ToolOutcome, ToolResultMessage, TranscriptMessage } from '../contract.ts'

/**
 * Where a conversation stands: `ask` the model next, first `execute` the calls that have no result yet, or it is
 * `complete` because the last word was a final answer.
 */
export type Standing =
  | { kind: 'ask' }
  | { kind: 'execute'; answer: AssistantMessage; calls: ToolCall[] }
  | { kind: 'complete'; answer: AssistantMessage }

/** Reads from a transcript how to go on with it, for a fresh run as well as for one that is resumed. */
export function findStanding(transcript: readonly TranscriptMessage[]): Standing {
  const index = transcript.findLastIndex((message) => message.role !== 'tool')
  const last = transcript[index]
  if (last?.role !== 'assistant') return { kind: 'ask' }
  if (last.toolCalls.length === 0) return { kind: 'complete', answer: last }
  const answered = answeredAfter(transcript, index)
  const calls = last.toolCalls.filter((call) => !answered.has(call.id))
  return calls.length > 0 ? { kind: 'execute', answer: last, calls } : { kind: 'ask' }
}

/**
 * Gives every call in older answers a result right behind them, because services refuse a conversation with a call left
 * open. A run that was stopped in mid-call leaves such.
 */
export function closeOpenCalls(transcript: readonly TranscriptMessage[]): TranscriptMessage[] {
  const closed: TranscriptMessage[] = []
  for (const [index, message] of transcript.entries()) {
    closed.push(message)
    const following = transcript[index + 1]
    const isLastOfItsAnswer = message.role !== 'user' && following?.role !== 'tool'
    if (!isLastOfItsAnswer) continue
    const start = transcript.findLastIndex((candidate, at) => at <= index && candidate.role !== 'tool')
    const answer = transcript[start]
    if (answer?.role !== 'assistant') continue
    const answered = answeredAfter(transcript, start)
    for (const call of answer.toolCalls) {
      if (answered.has(call.id)) continue
      closed.push(toResultMessage(call, { ok: false, text: 'Not executed: the run was stopped.', summary: '' }))
    }
  }
  return closed
}

/** The message that tells the model how a call went. */
export function toResultMessage(call: ToolCall, outcome: ToolOutcome): ToolResultMessage {
  return { role: 'tool', callId: call.id, name: call.name, text: outcome.text, isError: !outcome.ok }
}

function answeredAfter(transcript: readonly TranscriptMessage[], index: number): Set<string> {
  const answered = new Set<string>()
  for (let at = index + 1; at < transcript.length; at++) {
    const message = transcript[at]
    if (message?.role !== 'tool') break
    answered.add(message.callId)
  }
  return answered
}
