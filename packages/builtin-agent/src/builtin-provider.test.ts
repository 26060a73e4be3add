import { fenceAsData, type TranscriptMessage } from '@copydesk/agent'
import { createMemoryToolbox, defineMemoryTool } from '@copydesk/agent/testing'
import { describeProvider, requestWith } from '@copydesk/agent/testing/provider-contract'
import { describe, expect, test } from 'vitest'
import { createBuiltinProvider } from './builtin-provider.ts'
import { playCommand } from '../testing/play-command.ts'

const none = { inputTokens: 0, outputTokens: 0 }

describeProvider('builtin', async (scenario) => {
  const provider = createBuiltinProvider()
  const ask = (text: string) => requestWith([{ role: 'user', text }])
  switch (scenario) {
    case 'text':
    case 'hanging':
      return { provider, request: ask('help'), expected: { text: /built-in agent/, usage: none } }
    case 'one-call': {
      const calls = [{ name: 'search_document', arguments: { query: 'teh', matchCase: true } }]
      return { provider, request: ask('replace teh with the'), expected: { calls, usage: none } }
    }
    case 'two-calls':
    case 'results': {
      const call = { id: 'c1', name: 'search_document', arguments: { query: 'teh', matchCase: true } }
      const request = requestWith([
        { role: 'user', text: 'replace teh with the' },
        { role: 'assistant', text: '', toolCalls: [call], finish: 'tool_calls', provider: 'builtin' },
        { role: 'tool', callId: 'c1', name: call.name, text: '2 matches\n[0] teh cat, teh dog', isError: false },
      ])
      const calls = [2, 1].map((occurrence) => {
        return { name: 'edit_document', arguments: { find: 'teh', replace: 'the', occurrence } }
      })
      return {
        provider,
        request,
        expected: { calls, text: /^- teh → the\n- Not changed: several places$/, usage: none },
      }
    }
  }
})

const sample = () => ['# Notes', 'teh cat saw teh dog near Tehran.', 'We recieve very good news.', 'The end: teh.']

describe('builtin: changes', () => {
  test.each([
    ['replace teh with the', '- teh → the (3×)'],
    ['@agent please replace “teh” with “the” everywhere!', '- teh → the (3×)'],
    ["Hey @agent, could you change 'teh' to 'the' in the whole document?", '- teh → the (3×)'],
    ['use «the» instead of «teh»', '- teh → the (3×)'],
    ['teh -> the', '- teh → the (3×)'],
    ['Fix the typo "teh" → "the".', '- teh → the (3×)'],
    ['replace all occurrences of the word teh by the', '- teh → the (3×)'],
  ])('%s', async (instruction, answer) => {
    const toolbox = createMemoryToolbox(sample(), { wrap: (text) => fenceAsData('result', text) })
    const outcome = await playCommand(instruction, toolbox)
    expect(outcome).toMatchObject({ status: 'completed', answer })
    expect(toolbox.blocks[1]).toBe('the cat saw the dog near Tehran.')
    expect(toolbox.blocks[3]).toBe('The end: the.')
  })

  test.each([
    ['replace the first teh with the', 1, 'the cat saw teh dog near Tehran.'],
    ['replace the last teh with it', 3, 'The end: it.'],
    ['replace teh with tehteh', 1, 'tehteh cat saw tehteh dog near Tehran.'],
    ['delete "very "', 2, 'We recieve good news.'],
    ['remove the word news', 2, 'We recieve very good .'],
    ['delete cat', 1, 'teh saw teh dog near Tehran.'],
    ['make "good news" bold', 2, 'We recieve very **good news**.'],
    ['italicise very', 2, 'We recieve *very* good news.'],
    ['please make recieve strikethrough', 2, 'We ~~recieve~~ very good news.'],
    ['format "The end: teh." as inline code', 3, '`The end: teh.`'],
    ['make "The end: teh." a heading level 3', 3, '### The end: teh.'],
    ['replace Notes with Remarks', 0, '# Remarks'],
    ['add "Bye." at the end', 4, 'Bye.'],
    ['insert "Intro" at the beginning of the document', 0, 'Intro'],
    ['add "Middle" before "We recieve"', 2, 'Middle '],
    ['insert "Middle" after the word good', 3, ' Middle'],
    ['append: See you', 4, 'See you'],
    ['add a heading "Plan" level 3 at the end', 4, '### Plan'],
    ['add a list item "milk"', 4, '- milk'],
  ])('%s', async (instruction, block, text) => {
    const toolbox = createMemoryToolbox(sample())
    const outcome = await playCommand(instruction, toolbox)
    expect(outcome.status).toBe('completed')
    expect(toolbox.blocks[block]).toBe(text)
    expect(outcome.answer).toMatch(/^- /)
  })

  test('"this" is what the person has selected', async () => {
    const system = `Mode: edit.\n\n${fenceAsData('selection', 'good news')}`
    const toolbox = createMemoryToolbox(sample(), { selection: 'good news' })
    await playCommand('make this bold', toolbox, system)
    expect(toolbox.blocks[2]).toBe('We recieve very **good news**.')
  })

  test.each([
    'make this bold',
    'delete the last paragraph',
    'write a poem about cats',
    'add a summary at the top',
    'fix the typos',
    'replace unicorn with horse and pony',
    'dance',
  ])('%s: changes nothing and says why', async (instruction) => {
    const toolbox = createMemoryToolbox(sample())
    const outcome = await playCommand(instruction, toolbox)
    expect(outcome.status).toBe('completed')
    expect(outcome.answer).not.toBe('')
    expect(toolbox.calls).toEqual([])
  })

  test('what is not there is not changed', async () => {
    const toolbox = createMemoryToolbox(sample())
    const outcome = await playCommand('replace unicorn with horse', toolbox)
    expect(outcome.answer).toContain('did not find “unicorn”')
    expect(toolbox.blocks).toEqual(sample())
  })

  test('an edit that fails is told as such', async () => {
    const toolbox = createMemoryToolbox(sample())
    const execute = toolbox.execute.bind(toolbox)
    toolbox.execute = async (call, options) =>
      call.name === 'edit_document'
        ? { ok: false, text: 'denied: you may only comment', summary: '' }
        : execute(call, options)
    const outcome = await playCommand('replace teh with the', toolbox)
    expect(outcome.answer).toBe('- Not changed: you may only comment (3×)')
  })
})

describe('builtin: questions', () => {
  test.each([
    ['how many words are there?', 'The document has 16 words.'],
    ['word count', 'The document has 16 words.'],
    ['outline', '4 blocks, 16 words, 1 heading\n- Notes'],
    ['summarise this document please', '4 blocks, 16 words, 1 heading\n- Notes'],
    ['how often does teh occur?', '“teh” occurs 4 times.'],
    ['find good', '“good” occurs 1 time:\n- “We recieve very good news.”'],
    ['where is "unicorn"?', '“unicorn” does not occur in the document.'],
  ])('%s', async (instruction, answer) => {
    const outcome = await playCommand(instruction, createMemoryToolbox(sample()))
    expect(outcome).toMatchObject({ status: 'completed', answer })
  })

  test('a comment is promised only where a tool for it is offered', async () => {
    const outcome = await playCommand('comment on "very": a typo?', createMemoryToolbox(sample()))
    expect(outcome.answer).toContain('no tool for comments')
  })

  test.each(['help', 'what can you do?', '@agent', 'hello'])(
    '[CHAT-7] %s: help says once what it is, and leaves variables to operators',
    async (instruction) => {
      const { answer } = await playCommand(instruction, createMemoryToolbox(sample()))
      expect(answer.match(/built-in agent|without a model/g)).toEqual(['built-in agent', 'without a model'])
      expect(answer).not.toMatch(/[A-Z]_[A-Z]/)
    },
  )

  test('the same question gets the same answer', async () => {
    const ask = () => playCommand('replace teh with the', createMemoryToolbox(sample()))
    expect(await ask()).toEqual(await ask())
  })

  test('whatever is said and whatever the tools answer, a run ends', async () => {
    const garbage = [
      '',
      '0',
      'matches',
      '5 matches',
      '[0] ',
      '…and 40 more',
      '1 section.\n\n=== Section 0: teh ===\nx',
      '2 comment threads:\n\nThread t, open, in block [1]: "teh"\nAna (comment c):\n> teh\nThread u',
      '1 suggested change:\n- c: deletion in block [1] by Ana (person): removes "teh"',
      'ambiguous: x',
      '[3] teh\n[1] teh\n2 more',
    ]
    const phrases = [
      'teh -> teh',
      'outline',
      'replace "" with ""',
      '" "',
      '->',
      'add : at end',
      'find [0]',
      'replace teh with the everywhere',
      'make teh bold',
      'make teh a heading',
      'delete the section teh',
      'comment on teh: why',
      'what comments are there',
      'resolve all comments',
      'reply to the comment: yes',
      'suggest replacing teh with the',
      'what suggestions are there',
      'accept all suggestions',
      'highlight teh',
    ]
    const offered = [
      ['read_document', 'search_document', 'get_document', 'get_document_info', 'read_selection', 'edit_document'],
      ['insert_text', 'replace_text', 'apply_formatting', 'update_section', 'read_changes', 'read_comments'],
      ['add_comment', 'reply_to_comment', 'resolve_comment', 'suggest_replacement', 'suggest_insertion'],
      ['suggest_deletion', 'decide_change', 'highlight_text', 'scroll_to'],
    ].flat()
    for (const instruction of phrases) {
      for (const text of garbage) {
        const toolbox = createMemoryToolbox([], { offered })
        toolbox.execute = async () => ({ ok: !text.startsWith('amb'), text, summary: '' })
        const outcome = await playCommand(instruction, toolbox)
        expect(outcome.rounds).toBeLessThan(8)
        expect(outcome.answer).not.toBe('')
      }
    }
  })
})

describe('builtin: a run that continues', () => {
  const tools = ['read_document', 'search_document', 'edit_document'].map(defineMemoryTool)
  const call = { id: 'c1', name: 'search_document', arguments: { query: 'teh', matchCase: true } }
  const before = [
    { role: 'user', text: 'replace teh with the' },
    { role: 'assistant', text: '', toolCalls: [call], finish: 'tool_calls', provider: 'builtin' },
    { role: 'tool', callId: 'c1', name: call.name, text: '1 match\n> [0] teh cat', isError: false },
    { role: 'assistant', text: 'So far.', toolCalls: [], finish: 'stop', provider: 'builtin', closes: true },
  ] as const

  async function nextCalls(messages: TranscriptMessage[]): Promise<string[]> {
    const calls: string[] = []
    const { signal } = new AbortController()
    for await (const event of createBuiltinProvider().stream({ system: '', messages, tools }, { signal })) {
      if (event.type === 'done') calls.push(...event.message.toolCalls.map(({ name }) => name))
    }
    return calls
  }

  test('"Go on." after a limit is no command of its own', async () => {
    expect(
      await nextCalls([
        ...before.map((each) => structuredClone(each)),
        { role: 'user', text: 'Go on.' },
      ] as TranscriptMessage[]),
    ).toEqual(['edit_document'])
  })

  test('"Go on." that a person says later is', async () => {
    const done = { ...before[3], closes: undefined }
    const messages = [...before.slice(0, 3), done, { role: 'user', text: 'Go on.' }] as TranscriptMessage[]
    expect(await nextCalls(messages)).toEqual([])
  })
})
