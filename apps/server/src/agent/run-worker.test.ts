import type { ModelEvent, ModelProvider } from '@copydesk/agent'
import { contentName } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { asModel, openRunScene, type RunScene } from '../testing/run-scene.ts'
import { RunWorker } from './run-worker.ts'

let scene: RunScene

beforeEach(async () => {
  scene = await openRunScene()
})
afterEach(() => scene.dispose())

/** A model that answers nothing until it is aborted. */
const patient: ModelProvider = {
  id: 'builtin',
  model: 'none',
  async *stream(_request, { signal }): AsyncGenerator<ModelEvent> {
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    yield {
      type: 'failed',
      failure: { code: 'aborted', message: 'Stopped.', retryable: false },
      usage: { inputTokens: 0, outputTokens: 0 },
    }
  },
}

type Running = { invoked_by: string; document: string }

function running(): Promise<Running[]> {
  return scene.deps.db.selectFrom('runs').select(['invoked_by', 'document']).where('status', '=', 'running').execute()
}

async function askAs(name: string, document: string): Promise<string> {
  const { people, runs } = scene.services
  const invokedBy = await people.create(name)
  await runs.startFromChat({
    document,
    instruction: 'write',
    invokedBy,
    credential: { access: 'write', apiKey: null },
    mode: 'edit',
  })
  return invokedBy.id
}

test('[RUN-19] neither a person nor a document takes all places: the next request of another is served at once', async () => {
  for (let index = 0; index < 6; index++) await scene.ask(await scene.create('text'), 'write')
  const busy = await scene.create('text')
  for (let index = 0; index < 3; index++) await askAs(`Guest ${index}`, busy)
  const ben = await askAs('Ben', await scene.create('text'))
  const worker = new RunWorker({ ...scene.deps, modelOf: () => Promise.resolve(asModel(patient)) })
  worker.start()
  await until(async () => (await running()).length === 8, 'all places are taken')
  const rows = await running()
  expect(rows.filter(({ invoked_by }) => invoked_by === scene.ana.id)).toHaveLength(4)
  expect(rows.filter(({ document }) => document === busy)).toHaveLength(3)
  expect(rows.filter(({ invoked_by }) => invoked_by === ben)).toHaveLength(1)
  await worker.close()
})

test('[RUN-19] six runs work in one document at once', async () => {
  const busy = await scene.create('text')
  for (let index = 0; index < 8; index++) await askAs(`Guest ${index}`, busy)
  const ben = await askAs('Ben', await scene.create('text'))
  const worker = new RunWorker({ ...scene.deps, modelOf: () => Promise.resolve(asModel(patient)) })
  worker.start()
  await until(async () => (await running()).some(({ invoked_by }) => invoked_by === ben), 'Ben is served')
  expect((await running()).filter(({ document }) => document === busy)).toHaveLength(6)
  await worker.close()
})

test('[RUN-20] of one person a hundred runs wait, and no more are started; others’ are', async () => {
  const document = await scene.create('text')
  const { runs, log, people } = scene.services
  for (let index = 0; index < 100; index++) await scene.ask(document, 'write')
  await expect(scene.ask(document, 'write')).rejects.toMatchObject({ code: 'rate_limited' })
  const ben = await people.create('Ben')
  const mention = async (requestId: string, actor: string): Promise<boolean> => {
    const also = [runs.mentionStatement(document, { requestId, instruction: 'write', context: undefined }, { actor })]
    const bytes = Y.encodeStateAsUpdate(new Y.Doc())
    await log.append({ name: contentName(document), bytes, actor, run: null, epoch: null, also })
    return (await runs.showMentionRun(document, requestId)) !== undefined
  }
  expect(await mention('of Ana', scene.ana.id)).toBe(false)
  expect(await mention('of Ben', ben.id)).toBe(true)
  const [first] = await runs.list(document, 1)
  await scene.deps.db
    .updateTable('runs')
    .set({ status: 'completed', ended_at: 1 })
    .where('invoked_by', '=', scene.ana.id)
    .where('id', '!=', first?.id ?? '')
    .execute()
  expect(await mention('of Ana', scene.ana.id)).toBe(true)
})
