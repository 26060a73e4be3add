import { createModelServer, type ModelScript, type ModelServer, type WireName } from '@copydesk/agent/testing'
import type { Run } from '@copydesk/protocol'
import { afterEach, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { blockTexts, ended, join, signIn, type TestPeer, type TestPerson, textIn } from '../support/client.ts'

const content = '\n\nA paragraph that grows while everybody watches it.\n\n- first item\n- second item\n\nThe very end.'
const insertion = { position: { type: 'relative', anchor: 'Start here.', placement: 'after' }, content }
const final = [
  'Title',
  'Start here.',
  'A paragraph that grows while everybody watches it.',
  'first itemsecond item',
  'The very end.',
  'Below.',
]

type Scenario = {
  server: Copydesk
  model: ModelServer
  ana: TestPerson
  id: string
  watcher: TestPeer
  /** Every text that the watcher has received since the request. */
  shown: Set<string>
  release: () => void
  run: Run
}

const scenarios: Scenario[] = []

afterEach(async () => {
  for (const { server, model, watcher } of scenarios.splice(0)) {
    watcher.close()
    await server.dispose()
    await model.close()
  }
})

/** A run whose first call stops in the middle of its text, which all clients then see. */
async function startStalledCall(provider: WireName, after = 0.7, everyMs = 15): Promise<Scenario> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const script: ModelScript = ({ results }) => {
    if (results.length > 0) return 'Written.'
    const call = { name: 'insert_text', arguments: insertion, everyMs, hold: { after, until: released } }
    return { chunks: [{ toolCall: call }] }
  }
  const model = await createModelServer({ provider, script })
  const server = await startCopydesk(model.environment)
  const ana = await signIn(server.url, 'Ana')
  const { id } = await ana.create({ markdown: '# Title\n\nStart here.\n\nBelow.' })
  const watcher = await join(server.url, ana.token, id)
  const shown = new Set<string>()
  watcher.fragment.observeDeep(() => shown.add(blockTexts(watcher.fragment).join('|')))
  const { run } = await ana.ask(id, 'write something there')
  const scenario: Scenario = { server, model, ana, id, watcher, shown, release, run }
  scenarios.push(scenario)
  await until(() => blockTexts(watcher.fragment).some((text) => text.startsWith('A paragraph that')), 'text shows')
  return scenario
}

test.each<WireName>(['anthropic', 'openai'])(
  '[STREAM-1] %s: the text grows for everybody while the model writes it',
  async (provider) => {
    const { watcher, shown, release, run } = await startStalledCall(provider, 0.65, 60)
    expect(blockTexts(watcher.fragment)).not.toEqual(final)
    expect(watcher.runs()[0]).toMatchObject({ status: 'running', steps: [] })
    release()
    expect(await ended(watcher, run.id)).toMatchObject({
      status: 'completed',
      steps: [{ tool: 'insert_text', status: 'ok' }],
    })
    await until(() => watcher.doc.getMap('receipts').size === 0, 'the receipts are gone')
    expect(blockTexts(watcher.fragment)).toEqual(final)
    expect(shown.size).toBeGreaterThan(4)
  },
)

test('[STREAM-2] text typed into the growing text is kept', async () => {
  const { watcher, release, run } = await startStalledCall('anthropic')
  textIn(watcher.fragment, 2).insert(11, ' (mine)')
  await watcher.saved()
  release()
  await ended(watcher, run.id)
  const expected = final.map((text) => text.replace('A paragraph', 'A paragraph (mine)'))
  await until(() => blockTexts(watcher.fragment).join() === expected.join(), 'text and typing are there')
})

test('[STREAM-3] Stop takes back what has been shown', async () => {
  const { ana, id, watcher, run } = await startStalledCall('anthropic')
  await ana.call('POST', `/api/documents/${id}/runs/${run.id}/stop`)
  expect(await ended(watcher, run.id)).toMatchObject({ status: 'stopped' })
  await until(() => watcher.doc.getMap('receipts').size === 0, 'the receipts are gone')
  expect(blockTexts(watcher.fragment)).toEqual(['Title', 'Start here.', 'Below.'])
  expect(await ana.markdown(id)).toBe('# Title\n\nStart here.\n\nBelow.\n')
})

test('[STREAM-4] after a kill in the middle the text is taken back and written once', async () => {
  const { server, watcher, release, run } = await startStalledCall('anthropic')
  textIn(watcher.fragment, 1).insert(0, 'Please: ')
  await watcher.saved()
  await server.kill()
  release()
  await server.restart()
  expect(await ended(watcher, run.id)).toMatchObject({ status: 'completed' })
  const expected = final.map((text) => text.replace('Start here.', 'Please: Start here.'))
  await until(() => blockTexts(watcher.fragment).join() === expected.join(), 'the text is there once')
  await until(() => watcher.doc.getMap('receipts').size === 0, 'the receipts are gone')
})
