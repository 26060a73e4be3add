import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestStore } from '../testing/test-store.ts'
import { OutsideRuns } from './outside-runs.ts'
import { RunStore } from './run-store.ts'

const ana = { id: 'ana', name: 'Ana' }
const agent = { user: ana, apiKey: 'a-key', name: 'Claude Code' }
const read = { tool: 'read_document', arguments: {} }

/** Runs of outside agents without a worker that executes them, and a function that creates documents. */
async function withRuns(
  play: (scene: {
    outside: OutsideRuns
    place: () => Promise<{ document: string; access: 'write'; mode: 'edit' }>
    stop: (run: string) => Promise<unknown>
  }) => Promise<void>,
): Promise<void> {
  const opened = await openTestStore()
  const { store, writer, documents, notifications, signals, clock } = opened
  const deps = { db: store.db, writer, now: () => clock.now, createId: randomUUID }
  const runs = new RunStore({ ...deps, notifications, maxRounds: sql.lit(8) })
  try {
    await play({
      outside: new OutsideRuns({ ...deps, runs, signals }),
      place: async () => ({ document: (await documents.create('ana', {})).id, access: 'write', mode: 'edit' }),
      stop: (run) => store.db.updateTable('runs').set({ stop_requested: 1 }).where('id', '=', run).execute(),
    })
  } finally {
    await opened.dispose()
  }
}

test('[MCP-2] a stop holds from the moment at which it is asked for, before the run has ended', async () => {
  await withRuns(async ({ outside, place, stop }) => {
    const here = await place()
    const { run } = await outside.call(agent, here, read)
    expect((await outside.call(agent, here, read)).run).toBe(run)
    await stop(run)
    await expect(outside.call(agent, here, read)).rejects.toMatchObject({ code: 'conflict' })
    expect((await outside.call(agent, here, { ...read, begins: true })).run).not.toBe(run)
  })
})

test('[MCP-4] the calls that wait in a run, the size of one, and what a person’s keys have open are limited', async () => {
  await withRuns(async ({ outside, place }) => {
    const here = await place()
    for (let made = 0; made < 20; made++) await outside.call(agent, here, read)
    await expect(outside.call(agent, here, read)).rejects.toMatchObject({ code: 'rate_limited' })
    const large = { tool: 'insert_text', arguments: { content: 'x'.repeat(400_000) } }
    await expect(outside.call(agent, await place(), large)).rejects.toMatchObject({ code: 'too_large' })
    for (let made = 1; made < 8; made++) await outside.call(agent, await place(), read)
    await expect(outside.call(agent, await place(), read)).rejects.toMatchObject({ code: 'rate_limited' })
    const second = { ...agent, apiKey: 'another-key' }
    for (let made = 0; made < 8; made++) await outside.call(second, await place(), read)
    const third = { ...agent, apiKey: 'a-third-key' }
    await expect(outside.call(third, await place(), read)).rejects.toMatchObject({ code: 'rate_limited' })
    const bens = { ...agent, user: { id: 'ben', name: 'Ben' } }
    await outside.call(bens, await place(), read)
  })
})
