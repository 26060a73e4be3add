import { DatabaseSync } from 'node:sqlite'
import { join as joinPath } from 'node:path'
import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import type { Run } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { blockTexts, ended, join, signIn, type TestPeer, type TestPerson } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'

type Scenario = {
  server: Copydesk
  ana: TestPerson
  peer: TestPeer
  document: string
  run: string
  requests: () => number
}

const edit = (find: string, replace: string) => ({ toolCall: { name: 'edit_document', arguments: { find, replace } } })
const twoEdits: ModelScript = ({ results }) =>
  results.length === 0 ? { chunks: [edit('teh', 'the'), edit('dog', 'hound')] } : 'Done.'

/** A run in mode `ask` with two calls that wait, in a server that can be killed. */
async function withWaitingRun(
  play: (scenario: Scenario) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const model = await createModelServer({ provider: 'openai', script: twoEdits })
  const server = await startCopydesk({ ...model.environment, ...env })
  try {
    const ana = await signIn(server.url, 'Ana')
    const { id: document } = await ana.create({ markdown: 'teh cat and a dog' })
    const peer = await join(server.url, ana.token, document)
    const path = `/api/documents/${document}/messages`
    const { run } = (await ana.call<{ run: Run }>('POST', path, { text: 'fix it', mode: 'ask' })).body
    await until(async () => (await ana.run(document, run.id)).status === 'awaiting_approval', 'the run waits')
    await play({ server, ana, peer, document, run: run.id, requests: () => model.requests.length })
    peer.close()
  } finally {
    await server.dispose()
    await model.close()
  }
}

const shownRun = (peer: TestPeer, run: string): Run | undefined => peer.runs().find(({ id }) => id === run)
const statusOf = (peer: TestPeer, run: string) => shownRun(peer, run)?.status
const stepsOf = (peer: TestPeer, run: string) => shownRun(peer, run)?.steps ?? []

async function approve({ ana, document, run }: Scenario, index: number) {
  const { steps } = await ana.run(document, run)
  return ana.call<Run>('POST', `/api/documents/${document}/runs/${run}/approvals/${steps[index]?.id}`, {
    decision: 'approve',
  })
}

test('[APP-14] killed while it waits and again between two decisions, a run continues where it was', async () => {
  await withWaitingRun(async (scenario) => {
    await scenario.server.restart()
    expect((await approve(scenario, 1)).body).toMatchObject({ status: 'awaiting_approval' })
    await scenario.server.restart()
    expect(await scenario.ana.run(scenario.document, scenario.run)).toMatchObject({
      status: 'awaiting_approval',
      rounds: 1,
    })
    await approve(scenario, 0)
    expect(await ended(scenario.peer, scenario.run)).toMatchObject({ status: 'completed', answer: 'Done.', rounds: 2 })
    expect(await scenario.ana.markdown(scenario.document)).toBe('the cat and a hound\n')
    // The model's first answer was stored, so it is requested only once.
    expect(scenario.requests()).toBe(2)
  })
})

const moments: Record<string, (scenario: Scenario) => boolean> = {
  'at once': () => true,
  'when the run is taken up': ({ peer, run }) => statusOf(peer, run) === 'running',
  'when the first edit is seen': ({ peer }) => blockTexts(peer.fragment)[0]?.startsWith('the') === true,
  'when the first step is done': ({ peer, run }) => stepsOf(peer, run)[0]?.status === 'ok',
}

test.each(Object.entries(moments))(
  '[APP-14] killed %s after the last decision, no call is applied twice',
  async (_, is) => {
    await withWaitingRun(async (scenario) => {
      await approve(scenario, 0)
      await approve(scenario, 1)
      await until(() => is(scenario), 'the moment has come')
      await scenario.server.restart()
      expect(await ended(scenario.peer, scenario.run)).toMatchObject({ status: 'completed', answer: 'Done.' })
      expect(await scenario.ana.markdown(scenario.document)).toBe('the cat and a hound\n')
    })
  },
)

test("[APP-15] the time that workers used counts over all of them; waiting for people doesn't", async () => {
  await withWaitingRun(
    async (scenario) => {
      const file = new DatabaseSync(joinPath(scenario.server.dataDir, 'copydesk.sqlite'))
      const { used_ms: used } = file.prepare('SELECT used_ms FROM runs').get() as { used_ms: number }
      expect(used).toBeGreaterThan(0)
      expect(used).toBeLessThan(20_000)
      file.exec('UPDATE runs SET used_ms = 20000')
      file.close()
      await approve(scenario, 0)
      await approve(scenario, 1)
      const done = await ended(scenario.peer, scenario.run)
      expect(done).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
      expect(done.rounds).toBe(1)
    },
    { AGENT_RUN_TIMEOUT_MS: '20000' },
  )
})
