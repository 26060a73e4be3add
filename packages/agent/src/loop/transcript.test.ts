import { expect, test } from 'vitest'
import type { TranscriptMessage } from '../contract.ts'
import { completeResults, findNextStep } from './transcript.ts'

const ids = ['a', 'b', 'c']
const answer: TranscriptMessage = {
  role: 'assistant',
  text: '',
  toolCalls: ids.map((id) => ({ id, name: 'edit_document', arguments: {} })),
  finish: 'tool_calls',
  provider: 'scripted',
}
const result = (callId: string): TranscriptMessage => {
  return { role: 'tool', callId, name: 'edit_document', text: `result ${callId}`, isError: false }
}

/** Every order of every subset of the three calls: the results that may be stored when a run is resumed. */
function arrangements(rest: readonly string[]): string[][] {
  return [[], ...rest.flatMap((id) => arrangements(rest.filter((other) => other !== id)).map((more) => [id, ...more]))]
}

test.each(arrangements(ids).map((stored) => [stored.join(' then ') || 'nothing', stored] as const))(
  'stored results: %s',
  (_, stored) => {
    const transcript = [answer, ...stored.map(result)]
    const next = findNextStep(transcript)
    const missing = ids.filter((id) => !stored.includes(id))
    expect(next.kind === 'execute' ? next.calls.map(({ id }) => id) : []).toEqual(missing)
    const complete = completeResults([...transcript, { role: 'user', text: 'And now?' }])
    expect(complete.map((message) => (message.role === 'tool' ? message.callId : message.role))).toEqual([
      'assistant',
      'a',
      'b',
      'c',
      'user',
    ])
    expect(complete.flatMap((message) => (message.role === 'tool' && message.isError ? [message.callId] : []))).toEqual(
      missing,
    )
  },
)
