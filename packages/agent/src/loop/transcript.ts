import type { AssistantMessage, ToolCall, ToolOutcome, ToolResultMessage, TranscriptMessage } from '../contract.ts'

/**
 * The next step of a conversation: `ask` the model, `execute` the calls that have no result yet, or `complete` because
 * the last message is a final answer.
 */
export type NextStep =
  | { kind: 'ask' }
  | { kind: 'execute'; answer: AssistantMessage; calls: ToolCall[] }
  | { kind: 'complete'; answer: AssistantMessage }

/** Derives the next step from a transcript, for a new run as well as for a resumed one. */
export function findNextStep(transcript: readonly TranscriptMessage[]): NextStep {
  const index = transcript.findLastIndex((message) => message.role !== 'tool')
  const last = transcript[index]
  if (last?.role !== 'assistant') return { kind: 'ask' }
  if (last.toolCalls.length === 0) return { kind: 'complete', answer: last }
  const answered = resultsAfter(transcript, index)
  const calls = last.toolCalls.filter((call) => !answered.has(call.id))
  return calls.length > 0 ? { kind: 'execute', answer: last, calls } : { kind: 'ask' }
}

/**
 * The conversation in the form that services accept: each answer is directly followed by one result for each of its
 * calls, in the order of the calls, independent of the order in which the results arrived (a call that waited for
 * approval comes last). A call without a result, as in a run that was stopped during the call, gets an error.
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

/** The message with the result of a call for the model. */
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
