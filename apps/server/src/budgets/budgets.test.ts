import { text as readText } from 'node:stream/consumers'
import type { ModelProvider } from '@copydesk/agent'
import type { Budgets as BudgetSet } from '@copydesk/protocol'
import { createScriptedProvider } from '@copydesk/agent/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { executeRun } from '../agent/run-executor.ts'
import { latestMigrations } from '../store/migrations/0036-to-0051.ts'
import type { RunRow } from '../store/tables.ts'
import { asModel, openRunScene, type RunScene } from '../testing/run-scene.ts'
import { Budgets } from './budgets.ts'
import { reportUsage, usageAsCsv } from './usage-report.ts'
import { recordUsage } from './usage.ts'

let scene: RunScene
let budgets: Budgets
let document: string
let now = 0
const noon = Date.UTC(2026, 10, 24, 12)
const none = { tokens: null, cost: null }
const unlimited: BudgetSet = { run: none, person: none, agent: none, server: none }
const price = { inputPerMillion: 3, outputPerMillion: 15 }

beforeAll(async () => {
  scene = await openRunScene()
  document = await scene.create('Start here.')
  const { db } = scene.services.store
  budgets = new Budgets({ db, now: () => now, ceilings: { run: 10_000, person: 50_000 } })
})
afterAll(() => scene.dispose())
beforeEach(async () => {
  now = noon
  await scene.services.store.db.deleteFrom('usage_days').execute()
  await budgets.replace(unlimited)
})

function record(id: string, input: number, output: number, model = { name: 'm', price }): Promise<void> {
  const usage = { inputTokens: input, outputTokens: output }
  const { db } = scene.services.store
  return db.transaction().execute((trx) => recordUsage(trx, id, { rounds: 1, usage, model }, now))
}

const spentBy = async (run: RunRow) => (await budgets.usedUp(run))?.text

test('[BUDGET-1] a day counts what each answer adds, at its price, and keeps it when the runs are deleted', async () => {
  const { db } = scene.services.store
  const run = await scene.ask(document, 'write')
  await record(run.id, 1000, 100)
  await record(run.id, 1000, 100)
  now += 24 * 60 * 60_000
  await record(run.id, 3000, 200, { name: 'other', price })
  expect(await scene.services.runs.find(run.id)).toMatchObject({
    cost: 0.012,
    usage: { inputTokens: 3000, outputTokens: 200 },
  })
  await db.deleteFrom('runs').where('id', '=', run.id).execute()
  // Deleting a document doesn't reduce the used budget.
  expect(await budgets.ofPerson(scene.ana.id)).toMatchObject({ tokens: 2100, cost: 0.0075 })
  expect(await db.selectFrom('usage_days').selectAll().orderBy('day').execute()).toEqual([
    {
      day: '2026-11-24',
      person: scene.ana.id,
      agent: '',
      model: 'm',
      runs: 1,
      input_tokens: 1000,
      output_tokens: 100,
      cost: 4500,
    },
    {
      day: '2026-11-25',
      person: scene.ana.id,
      agent: '',
      model: 'other',
      runs: 0,
      input_tokens: 2000,
      output_tokens: 100,
      cost: 7500,
    },
  ])
  const report = await reportUsage(db, budgets, now, 30)
  expect(report).toMatchObject({
    from: '2026-10-27',
    to: '2026-11-25',
    total: { runs: 1, inputTokens: 3000, cost: 0.012 },
  })
  expect(report.people).toMatchObject([{ name: 'Ana', outputTokens: 200 }])
  expect(report.days.map(({ day, model }) => `${day} ${model}`)).toEqual(['2026-11-24 m', '2026-11-25 other'])
  const csv = await readText(usageAsCsv(db, now, 30))
  expect(csv).toContain(`"2026-11-24","${scene.ana.id}","Ana","","m",1,1000,100,0.0045\r\n`)
})

test('[BUDGET-2] each budget ends at its amount, in tokens and in money, and says whose it is', async () => {
  const { id: agent } = await scene.services.agents.create(
    { handle: 'editor', name: 'Editor', color: '#2f5d50' },
    scene.ana.id,
  )
  const run = await scene.ask(document, 'write', { agent })
  await record(run.id, 1000, 100)
  expect(await spentBy(run)).toBeUndefined()
  const limited: [Partial<BudgetSet>, string][] = [
    [{ run: { tokens: 1100, cost: null } }, 'It used all {0} tokens'],
    [{ run: { tokens: null, cost: 0.0045 } }, 'It used the budget of a run'],
    [{ person: { tokens: 1100, cost: null } }, "You have used today's {0} tokens"],
    [{ person: { tokens: null, cost: 0.0045 } }, "You have used today's budget"],
    [{ agent: { tokens: 1100, cost: null } }, "This agent has used today's {0} tokens"],
    [{ agent: { tokens: null, cost: 0.0045 } }, "This agent has used today's budget"],
    [{ server: { tokens: 1100, cost: null } }, "The agents of this server have used today's {0} tokens"],
    [{ server: { tokens: null, cost: 0.0045 } }, "The agents of this server have used today's budget"],
  ]
  for (const [budget, text] of limited) {
    await budgets.replace({ ...unlimited, ...budget })
    expect((await spentBy(run))?.key).toContain(text)
  }
  await budgets.replace({ ...unlimited, agent: { tokens: 5000, cost: null } })
  expect(await spentBy(run)).toBeUndefined()
  await scene.services.agents.change(agent, { dailyTokens: 1000 }, scene.ana.id)
  expect((await spentBy(run))?.key).toContain('This agent')
  expect((await budgets.ofPerson(scene.ana.id)).usedUp).toEqual({ person: false, server: false, agents: [agent] })
  expect(await spentBy({ ...run, agent: null })).toBeUndefined()
  await budgets.replace({ ...unlimited, run: { tokens: 1100, cost: null }, person: { tokens: 1100, cost: null } })
  expect((await spentBy({ ...run, continued: 1 }))?.key).toContain('You')
  expect((await budgets.ofPerson(scene.ana.id)).usedUp).toMatchObject({ person: true, server: false })
  now += 24 * 60 * 60_000
  expect(await spentBy({ ...run, continued: 1 })).toBeUndefined()
  expect((await budgets.ofPerson(scene.ana.id)).usedUp).toEqual({ person: false, server: false, agents: [] })
})

test('[BUDGET-7] a person has a budget of their own in place of that for everybody, under the same ceiling', async () => {
  const run = await scene.ask(document, 'write')
  await record(run.id, 1000, 100)
  await budgets.replace({ ...unlimited, person: { tokens: 1000, cost: null } })
  expect((await spentBy(run))?.key).toContain("You have used today's {0} tokens")
  await budgets.setOfPerson(scene.ana.id, { tokens: 5000, cost: 0.004 })
  expect(await budgets.ofPeople()).toEqual([{ id: scene.ana.id, name: 'Ana', tokens: 5000, cost: 0.004 }])
  expect((await spentBy(run))?.key).toContain("You have used today's budget of")
  expect((await budgets.ofPerson(scene.ana.id)).budget).toEqual({ tokens: 5000, cost: 0.004 })
  await budgets.setOfPerson(scene.ana.id, none)
  expect(await spentBy(run)).toBeUndefined()
  expect((await budgets.ofPerson(scene.ana.id)).budget).toEqual({ tokens: 50_000, cost: null })
  const above = budgets.setOfPerson(scene.ana.id, { tokens: 50_001, cost: null })
  await expect(above).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(budgets.setOfPerson('nobody', none)).rejects.toMatchObject({ code: 'not_found' })
  await budgets.setOfPerson(scene.ana.id, null)
  expect((await budgets.ofPerson(scene.ana.id)).budget.tokens).toBe(1000)
})

test('[BUDGET-3] no budget is above a ceiling of the environment, which applies without one', async () => {
  await expect(budgets.replace({ ...unlimited, run: { tokens: 10_001, cost: null } })).rejects.toThrow(
    'AGENT_RUN_TOKEN_LIMIT allows at most 10000 tokens',
  )
  expect(await budgets.list()).toEqual(unlimited)
  expect(await budgets.tokensOfRun({ id: 'r', invoked_by: scene.ana.id, agent: null, continued: 1 })).toBe(20_000)
  expect((await budgets.ofPerson(scene.ana.id)).budget).toEqual({ tokens: 50_000, cost: null })
})

test('[BUDGET-4] a run whose budget is used up under way ends by its closing call, and says which', async () => {
  const usage = { inputTokens: 600, outputTokens: 0 }
  const look = (id: string) => ({ calls: [{ id, name: 'read_document', arguments: {} }], usage })
  const model = createScriptedProvider([look('a'), look('b'), { text: ['Read twice.'], usage }])
  const used = await play(model, { person: { tokens: 1000, cost: null } })
  expect(model.requests.map(({ tools }) => tools.length > 0)).toEqual([true, true, false])
  expect(model.requests[2]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining('for today') })
  expect(used).toMatchObject({ status: 'limit_reached', answer: 'Read twice.', error: { code: 'budget_exceeded' } })
  expect(used?.error?.message).toContain("today's 1000 tokens")
  // No further round is started.
  expect(await play(createScriptedProvider([]), { person: { tokens: 1000, cost: null } })).toMatchObject({
    status: 'failed',
    error: { code: 'budget_exceeded' },
    rounds: 0,
  })
})

test('[BUDGET-4] runs at the same time exceed a budget by no more than the rounds that they have begun', async () => {
  const usage = { inputTokens: 100, outputTokens: 0 }
  const calls = Array.from({ length: 30 }, (_, at) => ({
    calls: [{ id: `c${at}`, name: 'read_document', arguments: { to: at } }],
    usage,
  }))
  const given = { person: { tokens: 1000, cost: null } }
  const runs = await Promise.all(Array.from({ length: 4 }, () => play(createScriptedProvider(calls), given)))
  expect(runs.map((run) => run?.status)).toEqual(Array.from({ length: 4 }, () => 'limit_reached'))
  expect(runs.map((run) => run?.error?.code)).toEqual(Array.from({ length: 4 }, () => 'budget_exceeded'))
  // Each run may finish a round and its final model call.
  expect((await budgets.ofPerson(scene.ana.id)).tokens).toBeLessThanOrEqual(1000 + 4 * 2 * 100)
})

async function play(model: ModelProvider, given: Partial<BudgetSet>) {
  now = Date.now()
  await budgets.replace({ ...unlimited, ...given })
  const run = await scene.ask(document, 'write', { status: 'running', epoch: 1, max_rounds: 40 })
  await executeRun(run, new AbortController(), {
    ...scene.deps,
    budgets,
    modelOf: () => Promise.resolve(asModel(model)),
  })
  return scene.services.runs.find(run.id)
}

test('[BUDGET-1] runs of earlier versions are counted on the day of their request', async () => {
  const { db } = scene.services.store
  await scene.ask(document, 'write', { input_tokens: 5, output_tokens: 2, cost: 7, created_at: Date.UTC(2025, 0, 1) })
  await db.schema.dropTable('usage_days').execute()
  await db.schema.dropTable('budgets').execute()
  await latestMigrations['0046_usage']?.up(db)
  const rows = await db.selectFrom('usage_days').selectAll().where('day', '=', '2025-01-01').execute()
  expect(rows).toMatchObject([{ person: scene.ana.id, runs: 1, input_tokens: 5, output_tokens: 2, cost: 7 }])
})
