import type { ModelEvent, TranscriptMessage } from '@copydesk/agent'
import { expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { createOutsideAgent } from './outside-agent.ts'

const tools = [{ name: 'read_document', description: '', inputSchema: { jsonSchema: {}, openapi: {} } }]

async function withStore(play: (opened: TestStore) => Promise<void>): Promise<void> {
  const opened = await openTestStore()
  try {
    await play(opened)
  } finally {
    await opened.dispose()
  }
}

/** Inserts the rows of a run's calls, without a row of the run. */
function put({ file }: TestStore, ...calls: [tool: string, input: unknown][]): void {
  file.exec('PRAGMA foreign_keys = OFF')
  for (const [position, [tool, input]] of calls.entries()) {
    file
      .prepare('INSERT INTO run_calls (run, position, id, tool, arguments, at) VALUES (?, ?, ?, ?, ?, 0)')
      .run('a-run', position, `call-${position}`, tool, JSON.stringify(input))
  }
}

async function answerTo({ store, signals }: TestStore, messages: TranscriptMessage[], idleMs?: number) {
  const agent = createOutsideAgent(
    { id: 'a-run' },
    { db: store.db, signals, ...(idleMs === undefined ? {} : { idleMs }) },
  )
  const { signal } = new AbortController()
  const events: ModelEvent[] = []
  for await (const event of agent.stream({ system: '', messages, tools }, { signal })) events.push(event)
  const [event] = events
  return event?.type === 'done' ? event.message : undefined
}

test('[MCP-14] the calls that have come meanwhile are one answer, in order; leaving ends the run after them', async () => {
  await withStore(async (opened) => {
    put(
      opened,
      ['read_document', {}],
      ['search_document', { query: 'x' }],
      ['close_document', { summary: 'All read.' }],
    )
    const first = await answerTo(opened, [])
    expect(first?.toolCalls).toEqual([
      { id: 'call-0', name: 'read_document', arguments: {} },
      { id: 'call-1', name: 'search_document', arguments: { query: 'x' } },
    ])
    const last = await answerTo(opened, first ? [first] : [])
    expect(last).toMatchObject({ text: 'All read.', toolCalls: [], finish: 'stop' })
  })
})

test('[MCP-14] an agent without calls leaves after a while', async () => {
  await withStore(async (opened) => {
    expect(await answerTo(opened, [], 1)).toMatchObject({
      text: expect.stringContaining('no call came'),
      toolCalls: [],
    })
  })
})

test('[MCP-14] after a hundred calls a run ends, and what follows is a new one', async () => {
  await withStore(async (opened) => {
    const calls = Array.from({ length: 100 }, (_, index) => ({ id: `call-${index}`, name: 'x', arguments: {} }))
    const answer = {
      role: 'assistant' as const,
      text: '',
      toolCalls: calls,
      finish: 'tool_calls' as const,
      provider: 'mcp',
    }
    expect(await answerTo(opened, [answer])).toMatchObject({
      text: expect.stringContaining('100 calls'),
      toolCalls: [],
    })
  })
})
