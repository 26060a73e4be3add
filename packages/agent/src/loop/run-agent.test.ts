import { describe, expect, test } from 'vitest'
import { createMemorySink } from '../../testing/memory-sink.ts'
import type { SinkEntry } from '../../testing/memory-sink.ts'
import { createMemoryToolbox } from '../../testing/memory-toolbox.ts'
import { createScriptedProvider } from '../../testing/scripted-provider.ts'
import type { ScriptedReply } from '../../testing/scripted-provider.ts'
import type { AgentOutcome, AgentRunOptions, AssistantMessage, ToolCall, TranscriptMessage } from '../contract.ts'
import { runAgent } from './run-agent.ts'

const question: TranscriptMessage = { role: 'user', text: 'Fix teh.' }

function call(id: string, name = 'read_document', args: Record<string, unknown> = {}): ToolCall {
  return { id, name, arguments: args }
}

function edit(id: string, find: string, replace: string): ToolCall {
  return call(id, 'edit_document', { find, replace })
}

function setUp(replies: ScriptedReply[], more: Partial<AgentRunOptions> = {}, observe?: (entry: SinkEntry) => void) {
  const provider = createScriptedProvider(replies)
  const toolbox = createMemoryToolbox(['teh cat', 'a dog'])
  const sink = createMemorySink(observe)
  const waits: number[] = []
  const options: AgentRunOptions = {
    provider,
    toolbox,
    system: 'You edit.',
    transcript: [question],
    maxRounds: 8,
    tokenLimit: 100_000,
    signal: new AbortController().signal,
    sink,
    wait: async (ms) => void waits.push(ms),
    random: () => 0.5,
    ...more,
  }
  return { provider, toolbox, sink, waits, options, run: (): Promise<AgentOutcome> => runAgent(options) }
}

/** The log in short: the saved entries in order. */
function shortLog(log: readonly SinkEntry[]): string[] {
  return log.flatMap((entry) => {
    if (entry.kind === 'answer') return [`answer ${entry.progress.rounds}`]
    if (entry.kind === 'event') return entry.event.type === 'text' ? [] : [entry.event.type]
    return 'call' in entry ? [`${entry.kind} ${entry.call.id}`] : [entry.kind]
  })
}

describe('runAgent: the way through', () => {
  test('answers in words without a tool', async () => {
    const { run, sink } = setUp([{ text: ['Hel', 'lo.'], usage: { inputTokens: 10, outputTokens: 2 } }])
    expect(await run()).toEqual({
      status: 'completed',
      answer: 'Hello.',
      rounds: 1,
      usage: { inputTokens: 10, outputTokens: 2 },
    })
    expect(shortLog(sink.log)).toEqual(['round-started', 'answer 1'])
  })

  test('executes all calls of an answer in order, saving each result before the next starts', async () => {
    const { run, sink, provider, toolbox } = setUp([
      { text: ['Looking.'], calls: [edit('c1', 'teh', 'the'), edit('c2', 'a dog', 'two dogs')] },
      { text: ['- teh → the'] },
    ])
    expect(await run()).toMatchObject({ status: 'completed', answer: '- teh → the', rounds: 2 })
    expect(toolbox.blocks).toEqual(['the cat', 'two dogs'])
    expect(shortLog(sink.log).filter((line) => !line.startsWith('tool-call'))).toEqual([
      'round-started',
      'answer 1',
      'started c1',
      'finished c1',
      'started c2',
      'finished c2',
      'round-started',
      'answer 2',
    ])
    expect(provider.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool'])
  })

  test('usage is a total over the run and what was used before', async () => {
    const usage = { inputTokens: 10, outputTokens: 1 }
    const { run } = setUp(
      [
        { calls: [call('c1')], usage },
        { text: ['Done.'], usage },
      ],
      { progress: { rounds: 2, usage } },
    )
    expect(await run()).toMatchObject({ rounds: 4, usage: { inputTokens: 30, outputTokens: 3 } })
  })

  test('silence after tools is an answer, silence to a question is asked again', async () => {
    const { run, waits } = setUp([{ text: [] }, { text: ['Ok.'], calls: [call('c1')] }, { text: [] }])
    expect(await run()).toMatchObject({ status: 'completed', answer: 'Ok.', rounds: 2 })
    expect(waits).toHaveLength(1)
  })
})

test('runAgent executes a call under a name that the toolbox accepts besides those of its definitions', async () => {
  const { run, toolbox } = setUp([{ calls: [call('c1', 'readDocument')] }, { text: ['Read.'] }])
  Object.assign(toolbox, { accepts: (name: string) => name === 'readDocument' })
  expect(await run()).toMatchObject({ status: 'completed', answer: 'Read.' })
  expect(toolbox.calls).toMatchObject([{ name: 'readDocument' }])
})

describe('runAgent: calls that can not be executed', () => {
  test.each<[string, ToolCall, AssistantMessage['finish'], RegExp]>([
    [
      'malformed arguments',
      { ...call('c1'), malformed: '{"find" "x"' },
      'tool_calls',
      /^invalid_input: .*\{"find" "x"/,
    ],
    [
      'an unknown tool',
      call('c1', 'fly'),
      'tool_calls',
      /^unknown_tool: .*read_document, search_document, edit_document/,
    ],
    ['a call that was cut off', edit('c1', 'teh', 'th'), 'length', /^invalid_input: .*cut off/],
  ])('%s goes back to the model as an error', async (_, wrong, finish, text) => {
    const { run, toolbox, provider } = setUp([{ calls: [wrong], finish }, { text: ['Sorry.'] }])
    expect(await run()).toMatchObject({ status: 'completed', answer: 'Sorry.' })
    expect(toolbox.calls).toEqual([])
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      isError: true,
      text: expect.stringMatching(text),
    })
  })

  test('three identical calls with identical results end the run', async () => {
    const again = (id: string): ScriptedReply => ({ calls: [edit(id, 'unicorn', 'horse')] })
    const { run, sink, provider } = setUp([again('c1'), again('c2'), again('c3'), again('c4')])
    const outcome = await run()
    expect(outcome).toMatchObject({ status: 'limit_reached', rounds: 3 })
    expect(outcome.answer).toMatch(/three times/)
    expect(provider.requests).toHaveLength(3)
    expect(sink.log.at(-1)).toMatchObject({ kind: 'answer', message: { text: outcome.answer, toolCalls: [] } })
  })

  test('two calls that alternate without anything new end it too, progress does not', async () => {
    const alternating = Array.from({ length: 8 }, (_, index): ScriptedReply => ({
      calls: [call(`c${index}`, index % 2 ? 'read_document' : 'get_document_info')],
    }))
    expect((await setUp(alternating).run()).answer).toMatch(/three times/)
    const working = Array.from({ length: 4 }, (_, index): ScriptedReply => {
      return { calls: [call(`r${index}`, 'get_document_info'), edit(`e${index}`, 'a', `a${index}`)] }
    })
    expect(await setUp([...working, { text: ['Done.'] }]).run()).toMatchObject({ status: 'completed', rounds: 5 })
  })
})

describe('runAgent: limits', () => {
  test('after the last round it is asked once more, without tools', async () => {
    const { run, provider, sink } = setUp(
      [{ calls: [edit('c1', 'teh', 'the')] }, { calls: [call('c2')] }, { text: ['Left: dogs.'] }],
      { maxRounds: 2 },
    )
    expect(await run()).toMatchObject({ status: 'limit_reached', answer: 'Left: dogs.', rounds: 2 })
    expect(provider.requests.map((request) => request.tools.length > 0)).toEqual([true, true, false])
    expect(provider.requests[2]?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('what is left'),
    })
    expect(sink.log.at(-1)).toMatchObject({ kind: 'answer', message: { closes: true }, progress: { rounds: 2 } })
  })

  test('finished in the last round is completed', async () => {
    const { run } = setUp([{ calls: [call('c1')] }, { text: ['Done.'] }], { maxRounds: 2 })
    expect(await run()).toMatchObject({ status: 'completed', answer: 'Done.', rounds: 2 })
  })

  test('the token limit ends a run like the limit of rounds', async () => {
    const usage = { inputTokens: 60, outputTokens: 50 }
    const { run } = setUp([{ calls: [call('c1')], usage }, { text: ['Left: all.'] }], { tokenLimit: 100 })
    expect(await run()).toMatchObject({ status: 'limit_reached', answer: 'Left: all.', rounds: 1 })
  })

  test('a limit is a limit even if the closing call fails, or calls tools', async () => {
    const failure = { code: 'unauthorized' as const, message: 'no', retryable: false }
    const failed = await setUp([{ calls: [call('c1')] }, { failure }], { maxRounds: 1 }).run()
    expect(failed).toMatchObject({ status: 'limit_reached', answer: expect.stringMatching(/I stopped here/) })
    const calling = setUp([{ calls: [call('c1')] }, { text: ['Bye.'], calls: [call('c2')] }], { maxRounds: 1 })
    expect(await calling.run()).toMatchObject({ status: 'limit_reached', answer: 'Bye.' })
    expect(calling.toolbox.calls).toHaveLength(1)
  })
})

describe('runAgent: trouble with the model', () => {
  const busy = { code: 'overloaded' as const, message: 'Overloaded', retryable: true }

  test('tries again after a while, takes back what was streamed, and counts what it cost', async () => {
    const usage = { inputTokens: 5, outputTokens: 1 }
    const { run, sink, waits } = setUp([
      { text: ['Half an ans'], failure: busy, usage },
      { failure: { ...busy, retryAfterMs: 7_000 }, usage },
      { text: ['Whole.'], usage },
    ])
    expect(await run()).toEqual({
      status: 'completed',
      answer: 'Whole.',
      rounds: 1,
      usage: { inputTokens: 15, outputTokens: 3 },
    })
    expect(waits).toEqual([750, 7_000])
    expect(shortLog(sink.log)).toEqual(['round-started', 'text-discarded', 'retrying', 'retrying', 'answer 1'])
  })

  test('gives up after three attempts, with what the service said', async () => {
    const { run, provider } = setUp(
      Array.from({ length: 5 }, () => ({ failure: { ...busy, retryAfterMs: 3_600_000 } })),
    )
    expect(await run()).toMatchObject({
      status: 'failed',
      answer: '',
      error: { code: 'overloaded', message: 'Overloaded' },
    })
    expect(provider.requests).toHaveLength(3)
  })

  test('retry-after is honoured up to a minute', async () => {
    const { run, waits } = setUp([{ failure: { ...busy, retryAfterMs: 3_600_000 } }, { text: ['Ok.'] }])
    await run()
    expect(waits).toEqual([60_000])
  })

  test('does not repeat what can not get better', async () => {
    const { run, provider } = setUp([{ failure: { code: 'unauthorized', message: 'bad key', retryable: false } }])
    expect(await run()).toMatchObject({ status: 'failed', error: { code: 'unauthorized' } })
    expect(provider.requests).toHaveLength(1)
  })

  test('a provider that throws or just ends is a failure like others', async () => {
    expect(await setUp([{ throws: new Error('bug') }]).run()).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_response' },
    })
    expect(await setUp([{ text: ['a'], ends: true }, { text: ['b'] }]).run()).toMatchObject({
      status: 'completed',
      answer: 'b',
    })
  })

  test('a model that refuses tools answers in words', async () => {
    const refusal = { code: 'tools_unsupported' as const, message: 'no tools', retryable: false }
    const { run, provider, sink } = setUp([{ failure: refusal }, { text: ['Write the instead of teh.'] }])
    expect(await run()).toMatchObject({ status: 'completed', answer: 'Write the instead of teh.' })
    expect(shortLog(sink.log)).toContain('tools-refused')
    expect(provider.requests[1]).toMatchObject({ tools: [], system: expect.stringContaining('No tools are available') })
  })

  test('what a model calls while it refuses is not executed', async () => {
    const { run, toolbox } = setUp([{ calls: [call('c1')], finish: 'refused' }])
    expect((await run()).answer).toMatch(/declined/)
    expect(toolbox.calls).toEqual([])
  })

  test('a refusal without words gets some, and a cut answer says so', async () => {
    expect((await setUp([{ finish: 'refused' }]).run()).answer).toMatch(/declined/)
    expect((await setUp([{ text: ['A long'], finish: 'length' }]).run()).answer).toMatch(
      /^A long\n\n\(The answer was cut off/,
    )
  })
})

describe('runAgent: stopping', () => {
  test('in mid-stream: at once, keeping what was said', async () => {
    const controller = new AbortController()
    const stopAtText = (entry: SinkEntry): void => {
      if (entry.kind === 'event' && entry.event.type === 'text') controller.abort()
    }
    const { run, sink } = setUp([{ text: ['I was saying'], hangs: true }], { signal: controller.signal }, stopAtText)
    expect(await run()).toMatchObject({ status: 'stopped', answer: 'I was saying', rounds: 0 })
    expect(shortLog(sink.log)).toEqual(['round-started'])
  })

  test('in mid-call: the call has no result, and the next does not start', async () => {
    const controller = new AbortController()
    const { run, options, sink } = setUp([{ text: ['Looking.'], calls: [call('c1'), call('c2')] }], {
      signal: controller.signal,
    })
    options.toolbox = {
      definitions: options.toolbox.definitions,
      execute: () => {
        controller.abort()
        return new Promise(() => undefined)
      },
    }
    expect(await run()).toMatchObject({ status: 'stopped', answer: 'Looking.', rounds: 1 })
    expect(shortLog(sink.log).slice(-2)).toEqual(['answer 1', 'started c1'])
  })

  test('while waiting for another attempt, and before anything', async () => {
    const controller = new AbortController()
    const failure = { code: 'rate_limited' as const, message: 'slow down', retryable: true }
    const wait = () => {
      controller.abort()
      return new Promise<void>(() => undefined)
    }
    expect(await setUp([{ failure }], { signal: controller.signal, wait }).run()).toMatchObject({ status: 'stopped' })
    const { run, provider } = setUp([{ text: ['x'] }], { signal: AbortSignal.abort() })
    expect(await run()).toMatchObject({ status: 'stopped', rounds: 0 })
    expect(provider.requests).toEqual([])
  })
})

describe('runAgent: resuming', () => {
  const answer: AssistantMessage = {
    role: 'assistant',
    text: 'On it.',
    toolCalls: [edit('c1', 'teh', 'the'), edit('c2', 'a dog', 'dogs')],
    finish: 'tool_calls',
    provider: 'scripted',
  }
  const result: TranscriptMessage = {
    role: 'tool',
    callId: 'c1',
    name: 'edit_document',
    text: 'changed',
    isError: false,
  }
  const progress = { rounds: 1, usage: { inputTokens: 1, outputTokens: 1 } }

  test('executes the calls that have no result, and only those, before it asks', async () => {
    const { run, toolbox, provider } = setUp([{ text: ['Done.'] }], {
      transcript: [question, answer, result],
      progress,
    })
    expect(await run()).toMatchObject({ status: 'completed', answer: 'Done.', rounds: 2 })
    expect(toolbox.calls.map(({ id }) => id)).toEqual(['c2'])
    expect(provider.requests[0]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool'])
  })

  test('a final answer needs no call of the model', async () => {
    const final: AssistantMessage = { ...answer, text: 'Done.', toolCalls: [], finish: 'stop' }
    const { run, provider } = setUp([], { transcript: [question, final], progress })
    expect(await run()).toMatchObject({ status: 'completed', answer: 'Done.', rounds: 1 })
    expect(provider.requests).toEqual([])
  })

  test('a run that had reached its limit before it was interrupted still has', async () => {
    const closing: AssistantMessage = { ...answer, text: 'Left: dogs.', toolCalls: [], finish: 'stop', closes: true }
    const second: TranscriptMessage = { ...result, callId: 'c2' }
    const { run } = setUp([], { transcript: [question, answer, result, second, closing], progress, maxRounds: 1 })
    expect(await run()).toMatchObject({ status: 'limit_reached', answer: 'Left: dogs.', rounds: 1 })
  })

  test('executes the missing calls of the last round and then closes', async () => {
    const { run, toolbox } = setUp([{ text: ['Left: nothing.'] }], {
      transcript: [question, answer],
      progress,
      maxRounds: 1,
    })
    expect(await run()).toMatchObject({ status: 'limit_reached', answer: 'Left: nothing.', rounds: 1 })
    expect(toolbox.calls).toHaveLength(2)
  })

  test('calls that an earlier, stopped run left open are closed for the model', async () => {
    const { run, provider } = setUp([{ text: ['Hello again.'] }], {
      transcript: [question, answer, result, { role: 'user', text: 'And now?' }],
    })
    await run()
    expect(provider.requests[0]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { callId: 'c1' },
      { callId: 'c2', isError: true },
      { text: 'And now?' },
    ])
  })
})
