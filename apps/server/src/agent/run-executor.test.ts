import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { applyAwarenessUpdate, Awareness } from 'y-protocols/awareness'
import { connectRaw, until } from '@copydesk/testing'
import { openRunScene, type RunScene } from '../testing/run-scene.ts'
import { executeRun } from './run-executor.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

let scene: RunScene
let document: string

beforeEach(async () => {
  scene = await openRunScene()
  document = await scene.create('Start here.')
})
afterEach(() => scene.dispose())

const unusable = (): Promise<never> => Promise.reject(new Error('the store is busy'))

test('[RUN-12] a run whose transcript can not be read leaves no clock ticking', async () => {
  const run = await scene.ask(document, 'write', { status: 'running', epoch: 1 })
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const deps = { ...scene.deps, runs: scene.runsReading(unusable) }
  await expect(executeRun(run, new AbortController(), deps)).rejects.toThrow('the store is busy')
  expect(timers()).toBe(before)
})

/** Records the number of agents in a document as a browser sees it: every value it took, oldest first. */
async function watchAgents(): Promise<{ counts: () => number[]; close: () => void }> {
  const client = await connectRaw(scene.url, document)
  await client.authenticate(await scene.services.tokens.issue({ kind: 'person', id: scene.ana.id }))
  const awareness = new Awareness(new Y.Doc())
  awareness.setLocalState(null)
  const seen: number[] = []
  awareness.on('change', () => void seen.push(awareness.getStates().size))
  let applied = 0
  return {
    counts() {
      for (; applied < client.received.presence.length; applied++) {
        applyAwarenessUpdate(awareness, client.received.presence[applied]!, 'server')
      }
      return seen
    },
    close() {
      awareness.destroy()
      client.close()
    },
  }
}

test('[RUN-2] a worker that fails after it has joined leaves the document', async () => {
  const run = await scene.ask(document, 'write', { status: 'running', epoch: 1 })
  const agents = await watchAgents()
  const highlights = { clearFor: unusable } as unknown as RunWorkerDeps['highlights']
  await executeRun(run, new AbortController(), { ...scene.deps, highlights })
  expect((await scene.row(run.id)).status).toBe('failed')
  await until(() => agents.counts().includes(1) && agents.counts().at(-1) === 0, 'the agent has come and gone')
  agents.close()
})
