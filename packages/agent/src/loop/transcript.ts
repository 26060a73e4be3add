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
  const answered = resultsAfter(transcript, index)
  const calls = last.toolCalls.filter((call) => !answered.has(call.id))
  return calls.length > 0 ? { kind: 'execute', answer: last, calls } : { kind: 'ask' }
}

/**
 * The conversation as services take it: right behind each answer stand the results of its calls, one each, in the
 * order of the calls, whatever the order in which they came (a call that waited for a person comes last). A call that
 * was left open, as by a run that was stopped in mid-call, gets an error.
 */
export function completeResults(transcript: readonly TranscriptMessage[]): TranscriptMessage[] {
  const complete: TranscriptMessage[] = []
  for (const [index, message] of transcript.entries()) {
    if (message.role === 'tool') continue
    complete.push(message)
    if (message.role !== 'assistant') continue
    const results = resultsAfter(transcript, index)
    for (const call of message.toolCalls) {
      const notExecuted = { ok: false, text: 'Not executed: the run was stopped.', summary: '' }
      complete.push(results.get(call.id) ?? toResultMessage(call, notExecuted))
    }
  }
  return complete
}

/** The message that tells the model how a call went. */
export function toResultMessage(call: ToolCall, outcome: ToolOutcome): ToolResultMessage {
  return { role: 'tool', callId: call.id, name: call.name, text: outcome.text, isError: !outcome.ok }
}

function resultsAfter(transcript: readonly TranscriptMessage[], index: number): Map<string, ToolResultMessage> {
  const results = new Map<string, ToolResultMessage>()
  for (let at = index + 1; at < transcript.length; at++) {
    const message = transcript[at]
    if (message?.role !== 'tool') break
    results.set(message.callId, message)
  }
  return results
}
