import { describe, expect, test } from 'vitest'
import { createMemorySink } from '../../testing/memory-sink.ts'
import { createMemoryToolbox } from '../../testing/memory-toolbox.ts'
import { createScriptedProvider, type ScriptedReply } from '../../testing/scripted-provider.ts'
import { seededBelow } from '@copydesk/testing'
import type { AgentRunOptions, TranscriptMessage } from '../contract.ts'
import { runAgent } from './run-agent.ts'
import { shortenResult } from './shortening.ts'
import { fitWindow, tokensOf } from './window.ts'

const question: TranscriptMessage = { role: 'user', text: 'Find every mistake.' }

/** An answer with calls, and their results of these lengths. */
function answer(at: number, lengths: readonly number[]): TranscriptMessage[] {
  const calls = lengths.map((_, index) => ({ id: `c${at}.${index}`, name: 'read_document', arguments: { from: at } }))
  return [
    { role: 'assistant', text: '', toolCalls: calls, finish: 'tool_calls', provider: 'p', opaque: { at } },
    ...calls.map(({ id, name }, index): TranscriptMessage => {
      const text = `result ${id}\n`.padEnd(lengths[index] ?? 0, 'word ')
      return { role: 'tool', callId: id, name, text, isError: false }
    }),
  ]
}

function runOf(answers: number, length: number): TranscriptMessage[] {
  return [question, ...Array.from({ length: answers }, (_, at) => answer(at, [length])).flat()]
}

const kinds = (messages: readonly TranscriptMessage[]) => messages.map(({ role }) => role)
const textsOf = (messages: readonly TranscriptMessage[]) => messages.map((each) => each.text)

test('[LONG-1] results of earlier answers are shortened six at a time, the last ones are whole', () => {
  const window = { tokens: 1_000_000, fixed: 0, asked: 1 }
  const whole = (count: number) =>
    fitWindow(runOf(count, 5_000), window).messages.filter(({ role, text }) => role === 'tool' && text.length === 5_000)
  expect([6, 11, 12, 17, 18].map((count) => whole(count).length)).toEqual([6, 11, 6, 11, 6])
  const [before, after] = [13, 14].map((count) => fitWindow(runOf(count, 5_000), window).messages)
  expect(after?.slice(0, before?.length)).toEqual(before)
  const [short] = before!.filter(({ role }) => role === 'tool')
  expect(short?.text).toMatch(/^result c0\.0\nword .*\n\[4\d\d\d more characters of this result are left out here\./s)
  // Short results cost less than a note.
  expect(textsOf(fitWindow(runOf(14, 1_000), window).messages).join('')).not.toContain('left out')
})

test('[LONG-1] a cut closes the fences that it leaves open, from the inside', () => {
  const text = `<data-ab12 label="page">\n<data-ff label="x">\n${'words '.repeat(500)}\n</data-ff>\n</data-ab12>`
  expect(shortenResult(text, 200)).toMatch(/words\s*\n<\/data-ff>\n<\/data-ab12>\n\[\d+ more characters/)
  expect(shortenResult(`<data-ab12 label="page">\nhi\n</data-ab12>\n${'x'.repeat(900)}`, 200)).not.toMatch(
    /ab12>.*ab12>.*ab12>/s,
  )
  expect(shortenResult(`${'x'.repeat(99)}😀${'y'.repeat(99)}`, 100).isWellFormed()).toBe(true)
})

describe.each([1, 2, 3, 4])('with seed %i', (seed) => {
  test('[LONG-2] what is sent is never over the window, keeps answers with their results, and the question', () => {
    const below = seededBelow(seed)
    const transcript: TranscriptMessage[] = [{ role: 'user', text: 'Earlier. '.repeat(below(4_000)) }, question]
    const window = { tokens: 6_000 + below(24_000), fixed: 2_000, asked: 2 }
    for (let at = 0; at < 60; at++) {
      transcript.push(
        ...answer(
          at,
          Array.from({ length: 1 + below(4) }, () => below(9_000)),
        ),
      )
      const fitted = fitWindow(transcript, window)
      expect(fitWindow(structuredClone(transcript), window)).toEqual(fitted)
      for (const messages of [fitted.messages, fitted.summarise?.messages ?? []]) {
        expect(tokensOf(messages) + window.fixed).toBeLessThanOrEqual(window.tokens)
        expectPairs(messages)
      }
      expect(textsOf(fitted.messages)).toContain(question.text)
      expect(fitted.messages.at(-1)).toMatchObject({ role: 'tool' })
      if (!fitted.summarise) continue
      expect(transcript[fitted.summarise.end]?.role).toBe('assistant')
      transcript.push({ role: 'user', text: 'Summary.', summarises: fitted.summarise.end - window.asked })
      const next = fitWindow(transcript, window)
      expect(next.summarise).toBeUndefined()
      expect(textsOf(next.messages).filter((text) => text.includes('Summary.'))).toHaveLength(1)
      expectPairs(next.messages)
    }
  })
})

/** Each answer is unchanged and directly followed by the results of its calls. */
function expectPairs(messages: readonly TranscriptMessage[]): void {
  messages.forEach((message, at) => {
    if (message.role !== 'assistant') return
    const results = messages.slice(at + 1, at + 1 + message.toolCalls.length)
    expect(results.map((each) => each.role === 'tool' && each.callId)).toEqual(message.toolCalls.map(({ id }) => id))
    expect(message.opaque).toBeDefined()
  })
  const calls = messages.flatMap((each) => (each.role === 'assistant' ? each.toolCalls : []))
  expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(calls.length)
}

function setUp(replies: ScriptedReply[], more: Partial<AgentRunOptions> = {}) {
  const provider = createScriptedProvider(replies)
  const sink = createMemorySink()
  const options: AgentRunOptions = {
    provider,
    toolbox: createMemoryToolbox([]),
    system: '',
    transcript: runOf(8, 4_000),
    window: { tokens: 8_000, asked: 1 },
    maxRounds: 8,
    tokenLimit: 100_000,
    signal: new AbortController().signal,
    sink,
    wait: async () => undefined,
    random: () => 0.5,
    ...more,
  }
  return { provider, sink, run: () => runAgent(options) }
}
const usage = { inputTokens: 10, outputTokens: 5 }

test('[LONG-3] the model summarises the earlier part once; a resumed run uses the summary, and its tokens count', async () => {
  const first = setUp([
    { text: ['Read 0 to 5.'], usage },
    { text: ['All found.'], usage },
  ])
  expect(await first.run()).toMatchObject({ status: 'completed', answer: 'All found.', rounds: 1 })
  const [summarising, asking] = first.provider.requests
  expect(summarising?.tools).toEqual([])
  expect(summarising?.messages.at(-1)?.text).toContain('Write a summary for yourself')
  expect(asking?.messages[0]).toEqual(question)
  expect(asking?.messages[1]?.text).toMatch(/your own summary.*Read 0 to 5\./s)
  expect(kinds(asking!.messages.slice(2))).toEqual(kinds(runOf((asking!.messages.length - 2) / 2, 1).slice(1)))
  expect(asking?.earlierCalls).toContain('c0.0')
  const saved = first.sink.log.find((entry) => entry.kind === 'summary')
  expect(saved).toMatchObject({ usage, message: { text: 'Read 0 to 5.' } })

  const resumed = setUp([{ text: ['All found.'] }], { transcript: [...runOf(8, 4_000), saved!.message] })
  expect(await resumed.run()).toMatchObject({ status: 'completed' })
  expect(resumed.provider.requests).toHaveLength(1)
  expect(resumed.provider.requests[0]?.messages).toEqual(asking?.messages)
})

test('[LONG-3] a list of the calls takes the place of a summary that fails; a closing call makes none', async () => {
  const failure = { code: 'invalid_request' as const, message: 'no', retryable: false }
  const failed = setUp([{ failure }, { text: ['Done.'] }])
  expect(await failed.run()).toMatchObject({ status: 'completed' })
  expect(failed.provider.requests[1]?.messages[1]?.text).toContain('- read_document {"from":0}')
  const closing = setUp([{ text: ['Closed.'] }], { maxRounds: 0 })
  expect(await closing.run()).toMatchObject({ status: 'limit_reached', answer: 'Closed.' })
  expect(tokensOf(closing.provider.requests[0]!.messages)).toBeLessThanOrEqual(8_000)
})
