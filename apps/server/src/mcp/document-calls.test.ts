import { expect, test } from 'vitest'
import type { CallState } from '../runs/outside-runs.ts'
import { callInDocument } from './document-calls.ts'
import type { McpCaller, McpDeps } from './mcp-caller.ts'

const caller: McpCaller = {
  agent: { user: { id: 'ana', name: 'Ana' }, apiKey: null, name: 'Claude Code' },
  scope: 'comment',
  access: async () => 'comment',
}

/** Dependencies for a call that keeps this state until the wait for it ends. */
function depsWith(state: CallState, called: () => void): McpDeps {
  const outside = {
    async call() {
      called()
      return { run: 'a-run', call: 'a-call' }
    },
    settled: (_made: unknown, _document: string, signal: AbortSignal) =>
      state.kind === 'waiting'
        ? new Promise<CallState>((resolve) => signal.addEventListener('abort', () => resolve(state)))
        : Promise.resolve(state),
  }
  const deps = { outside, room: async () => ({ ok: true }), waitMs: 60 }
  return deps as unknown as McpDeps
}

async function callWith(state: CallState) {
  const seen = { called: 0, waited: 0 }
  const waiting = { signal: new AbortController().signal, onWaiting: () => void seen.waited++ }
  const deps = depsWith(state, () => void seen.called++)
  const answer = callInDocument('a-document', { tool: 'read_document', arguments: {} }, waiting, caller, deps)
  return { seen, answer }
}

test('[MCP-13] while a call waits its client hears of it, and then gets the id to ask again', async () => {
  const { seen, answer } = await callWith({ kind: 'waiting', isHeld: true, runWaits: true })
  expect((await answer).text).toContain('wait_for_result and call "a-call"')
  expect(seen.waited).toBeGreaterThan(0)
})

test('[MCP-14] a call that its run didn’t take before it ended is made again; one that it took is not', async () => {
  const untaken = await callWith({ kind: 'ended', status: 'completed', taken: false, error: undefined })
  await expect(untaken.answer).rejects.toMatchObject({ code: 'unavailable' })
  expect(untaken.seen.called).toBe(3)
  const taken = await callWith({ kind: 'ended', status: 'failed', taken: true, error: 'Something went wrong.' })
  expect(await taken.answer).toMatchObject({ isError: true, text: expect.stringContaining('read the document before') })
  expect(taken.seen.called).toBe(1)
})
