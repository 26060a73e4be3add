import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRunScene, type RunScene } from '../testing/run-scene.ts'
import { AgentStarter } from './agent-starter.ts'

let scene: RunScene
let clock = Date.now()

beforeAll(async () => {
  scene = await openRunScene()
})
afterAll(() => scene.dispose())

const db = () => scene.services.store.db
const start = () => {
  const onError = (error: unknown) => expect(error).toBeUndefined()
  return new AgentStarter({ ...scene.services, db: db(), now: () => clock, onError })
}
const runsOf = (agent: string) =>
  db().selectFrom('runs').selectAll().where('agent', '=', agent).orderBy('created_at').execute()
const triggerOf = (agent: string) =>
  db().selectFrom('agent_triggers').selectAll().where('agent', '=', agent).executeTakeFirstOrThrow()
const isOver = (agent: string) =>
  db().updateTable('runs').set({ status: 'completed', ended_at: clock }).where('agent', '=', agent).execute()

async function make(handle: string, document: string | null): Promise<string> {
  const given = { id: handle, instruction: 'Look.' }
  const trigger =
    document === null
      ? { ...given, kind: 'comment' as const, folder: null }
      : { ...given, kind: 'schedule' as const, document, cron: '0 * * * *', zone: 'UTC' }
  const agent = { handle, name: handle, color: '#2f5d50', triggers: [trigger] }
  return (await scene.services.agents.create(agent, scene.ana.id)).id
}

test('[AGENT-8] two processes start one run for a due time, and one for many times that have passed', async () => {
  const agent = await make('hourly', await scene.create('Words.'))
  clock += 5 * 3_600_000
  const [one, other] = [start(), start()]
  await Promise.all([one.startDue(), other.startDue()])
  expect(await runsOf(agent)).toHaveLength(1)
  const { next_at: next } = await triggerOf(agent)
  expect(next).toBeGreaterThan(clock)
  expect(next).toBeLessThanOrEqual(clock + 3_600_000)
  await isOver(agent)
  await one.startDue()
  expect(await runsOf(agent)).toHaveLength(1)
})

test('[AGENT-10] the reason of a failed run is shown, and can be translated', async () => {
  clock = Date.now()
  const agent = await make('slow', await scene.create('Words.'))
  clock += 5 * 3_600_000
  await start().startDue()
  const reason = { key: 'The run took longer than {0} seconds and was ended.', values: [60] }
  const message = 'The run took longer than 60 seconds and was ended.'
  const error = JSON.stringify({ code: 'timeout', message, localizable: reason })
  await db().updateTable('runs').set({ status: 'failed', ended_at: clock, error }).where('agent', '=', agent).execute()
  await start().startDue()
  const agents = await scene.services.agents.list()
  expect(agents.find(({ id }) => id === agent)?.triggers).toMatchObject([{ problem: message, localizable: reason }])
})

test('[AGENT-10] a trigger has one run at a time, sixty runs an hour, and a hundred events', async () => {
  clock = Date.now()
  const document = await scene.create('Words.')
  const agent = await make('commenter', null)
  const comment = { id: 'first', author: { id: scene.ana.id, name: 'Ana', kind: 'person' as const }, text: 'So?' }
  await scene.services.threads.start(document, 'thread', { quote: 'Words.' }, comment)
  const columns = 'document, thread, position, author_id, author_name, author_kind, text, created_at'
  await sql`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 150)
    insert into comments (id, ${sql.raw(columns)})
    select 'more-' || n, ${sql.raw(columns.replace('position', 'position + n'))} from comments, numbers where id = 'first'
  `.execute(db())
  const waiting = async () => (await db().selectFrom('agent_events').select('seq').execute()).length
  expect(await waiting()).toBe(100)

  const starter = start()
  for (let look = 0; look < 3; look++) await starter.startDue()
  expect(await runsOf(agent)).toHaveLength(1)
  await isOver(agent)
  await starter.startDue()
  const [first, second] = await runsOf(agent)
  expect([first?.trigger_id, second?.trigger_id]).toEqual(['first', 'more-1'])
  expect(second).toMatchObject({
    trigger_kind: 'comment',
    context: 'Ana: So?',
    instruction: 'Look.',
    invoked_by: scene.ana.id,
  })
  expect(await waiting()).toBe(98)

  for (let many = 0; many < 58; many++) await scene.ask(document, '@commenter again')
  await isOver(agent)
  await starter.startDue()
  expect(await runsOf(agent)).toHaveLength(60)
  expect((await triggerOf(agent)).problem).toContain('60 runs in the last hour')
  clock += 3_700_000
  await starter.startDue()
  expect(await runsOf(agent)).toHaveLength(61)
  expect((await triggerOf(agent)).problem).toBeNull()
})
