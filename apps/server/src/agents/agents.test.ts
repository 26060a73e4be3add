import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import type {
  Authorship,
  DocumentSummary,
  NamedAgent,
  PostedMessage,
  Run,
  Thread,
  VersionList,
} from '@copydesk/protocol'
import { contentTypes, roomName, roomTypes } from '@copydesk/schema'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as Y from 'yjs'
import { type AccountHolder, invite, signUp } from '../testing/test-accounts.ts'
import { changeFile } from '../testing/test-store.ts'
import { startTestServer, type TestEditor, type TestServer } from '../testing/test-server.ts'

let model: ModelServer
let server: TestServer
let ana: AccountHolder
let ben: AccountHolder

beforeAll(async () => {
  model = await createModelServer({ provider: 'openai', script: (request) => script(request) })
  server = await startTestServer({ ...model.environment, AUTH: 'accounts' })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
  ben = await signUp(server.url, await invite(ana), 'Ben')
})
afterAll(async () => {
  await server.dispose()
  await model.close()
})

let script: ModelScript = () => 'Done.'

const call = (name: string, given: Record<string, unknown>) => ({ chunks: [{ toolCall: { name, arguments: given } }] })
const color = '#0b6e4f'

async function make(handle: string, more: Record<string, unknown> = {}): Promise<NamedAgent> {
  const name = handle[0]?.toUpperCase() + handle.slice(1)
  const made = await ana.call<NamedAgent>('POST', '/api/agents', { handle, name, color, ...more })
  expect(made.status).toBe(201)
  onTestFinished(async () => void (await ana.call('DELETE', `/api/agents/${made.body.id}`)))
  return made.body
}

async function open(markdown: string): Promise<{ id: string; editor: TestEditor }> {
  const { id } = await server.create(ana, markdown)
  const editor = await server.join(ana.token, id)
  onTestFinished(() => editor.close())
  return { id, editor }
}

const fragmentOf = ({ doc }: Pick<TestEditor, 'doc'>): Y.XmlFragment => doc.getXmlFragment(contentTypes.fragment)

/** Writes a block with a sent mention of an agent. */
function mention(editor: TestEditor, agent: { id: string; handle: string }, text: string): string {
  const requestId = `${agent.handle}-${text}-${editor.doc.clientID}`
  const element = new Y.XmlElement('mention')
  const attributes = { id: agent.id, label: agent.handle, kind: 'agent', state: 'sent', requestId }
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  const block = new Y.XmlElement('paragraph')
  block.insert(0, [element, new Y.XmlText(` ${text}`)])
  fragmentOf(editor).push([block])
  return requestId
}

async function runsOf(document: string): Promise<Run[]> {
  const { body } = await ana.call<{ runs?: Run[] }>('GET', `/api/documents/${document}/runs`)
  return body.runs ?? []
}

/** The runs of a document when this number of them have ended, the oldest first. */
async function ended(document: string, count: number): Promise<Run[]> {
  const over = async () => (await runsOf(document)).filter(({ endedAt }) => endedAt !== undefined)
  await until(async () => (await over()).length >= count, `${count} runs in ${document} are over`)
  return (await runsOf(document)).toReversed()
}

async function threadsOf(document: string): Promise<Thread[]> {
  return (await ana.call<{ threads: Thread[] }>('GET', `/api/documents/${document}/threads`)).body.threads
}

test('[AGENT-1] [AGENT-2] a mention starts a run of the named agent: a peer with its name, colour, instructions, limits and authorship', async () => {
  const instructions = 'Shorten what you are shown. Keep numbers.'
  const limits = { mode: 'suggest', tools: ['edit_document'], maxRounds: 3, description: 'shortens' }
  const agent = await make('editor', { picture: '✂️', instructions, ...limits })
  const seen: unknown[] = []
  const { id, editor } = await open('The price is very low.')
  editor.provider.awareness?.on('change', () => seen.push(...(editor.provider.awareness?.getStates().values() ?? [])))
  script = ({ results }) =>
    results.length === 0 ? call('edit_document', { find: 'very low', replace: 'fair' }) : 'Cut.'
  const requestId = mention(editor, agent, 'shorten this')
  const [run] = await ended(id, 1)
  expect(run).toMatchObject({
    agent: { id: agent.id, handle: 'editor' },
    agentName: '✂️ Editor',
    trigger: { kind: 'mention', id: requestId },
    invokedBy: { id: ana.user.id },
    instruction: 'shorten this',
    mode: 'suggest',
    maxRounds: 3,
    status: 'completed',
  })
  const user = { id: agent.id, name: '✂️ Editor', color, kind: 'agent', runId: run?.id, invokedBy: ana.user.id }
  expect(seen).toContainEqual(expect.objectContaining({ user }))
  const asked = model.requests.at(-1)
  expect(asked?.tools).toEqual(['edit_document'])
  expect(asked?.system).toContain(instructions)
  const [thread] = await threadsOf(id)
  expect(thread?.comments[0]).toMatchObject({
    author: { id: agent.id, name: '✂️ Editor', kind: 'agent' },
    text: 'Cut.',
  })
  const { changes } = (await ana.call<{ changes: unknown[] }>('GET', `/api/documents/${id}/changes`)).body
  expect(changes).toMatchObject([{ author: { id: agent.id, name: '✂️ Editor', kind: 'agent' }, run: run?.id }])
  const { authors, runs } = (await ana.call<Authorship>('GET', `/api/documents/${id}/authorship`)).body
  expect(authors).toContainEqual({ id: agent.id, name: '✂️ Editor', color, kind: 'agent' })
  expect(runs).toMatchObject([{ agentName: '✂️ Editor' }])
  await until(async () => {
    const { body } = await ana.call<Partial<DocumentSummary>>('GET', `/api/documents/${id}`)
    return body.editedBy?.name === '✂️ Editor'
  }, 'the list of documents has its name')
  const { versions } = (await ana.call<VersionList>('GET', `/api/documents/${id}/versions`)).body
  const writers = versions.flatMap((version) => [version.author, ...version.writers])
  expect(writers).toContainEqual(expect.objectContaining({ id: agent.id, name: '✂️ Editor' }))
  expect(writers.map(({ name }) => name)).not.toContain('Agent')

  const people = () => ana.call<{ agents: unknown[] }>('GET', `/api/documents/${id}/people`)
  const here = { id: agent.id, handle: 'editor', name: '✂️ Editor', description: 'shortens', color }
  expect((await people()).body.agents).toEqual([{ ...here, isHere: true }])
  await ana.call('DELETE', `/api/agents/${agent.id}`)
  expect((await people()).body.agents).toEqual([{ ...here, isHere: false }])
  expect((await runsOf(id))[0]?.agentName).toBe('✂️ Editor')
})

test('[AGENT-3] [AGENT-5] chat and comments call agents by their handles, replies go on with the same agent, elsewhere a handle is plain text', async () => {
  const folder = (await ana.call<{ id: string }>('POST', '/api/folders', { name: 'Facts' })).body.id
  const agent = await make('facts', { folders: [folder] })
  const outside = await open('One.')
  const { id } = await open('One claim.')
  await ana.call('PATCH', `/api/documents/${id}`, { folder })
  script = ({ lastUser }) => `On: ${lastUser}`
  const post = (document: string, text: string) =>
    ana.call<PostedMessage>('POST', `/api/documents/${document}/messages`, { text })
  expect((await post(id, '@Facts, is this so?')).body).toMatchObject({
    message: { text: '@Facts, is this so?' },
    run: { agentName: 'Facts', instruction: 'is this so?' },
  })
  expect((await post(id, 'and now?')).body.run.agent).toBeUndefined()
  expect((await post(outside.id, '@facts, is this so?')).body.run).toMatchObject({ instruction: '@facts, is this so?' })
  const started = await ana.call<Thread>('POST', `/api/documents/${id}/threads`, {
    quote: 'claim',
    text: '@facts true?',
  })
  await ended(id, 3)
  await ana.call('POST', `/api/documents/${id}/threads/${started.body.id}/comments`, { text: 'And the rest?' })
  const runs = await ended(id, 4)
  expect(runs.map(({ agentName, instruction }) => [agentName, instruction])).toEqual([
    ['Facts', 'is this so?'],
    [undefined, 'and now?'],
    ['Facts', 'true?'],
    ['Facts', 'And the rest?'],
  ])
  expect((await threadsOf(id))[0]?.comments.map(({ author }) => author.name)).toEqual(['Ana', 'Facts', 'Ana', 'Facts'])

  mention(outside.editor, agent, 'here?')
  const unstarted = () => [...server.load(roomName(outside.id)).getMap<{ reason: string }>(roomTypes.mentions).values()]
  await until(() => unstarted().length === 1, 'the mention is used up')
  expect(unstarted()).toMatchObject([{ reason: 'unknown_agent' }])
  await ana.call('PATCH', `/api/agents/${agent.id}`, { enabled: false })
  expect((await post(id, '@facts again')).body.run.agent).toBeUndefined()
})

test('[AGENT-6] two agents that are told to call each other in the text, in comments and by triggers start no run', async () => {
  const both = {
    instructions: 'Always ask the other agent.',
    triggers: [{ kind: 'comment', folder: null, instruction: 'Answer it.' }],
  }
  const [left, right] = [await make('left', both), await make('right', both)]
  const { id, editor } = await open('Words.')
  script = ({ system, results }) => {
    const other = system.includes('"Left"') ? 'right' : 'left'
    if (results.length === 0) return call('edit_document', { find: 'Words.', replace: `Words. @${other} go on.` })
    if (results.length === 1) return call('add_comment', { find: 'Words', text: `@${other} what do you think?` })
    return `@${other} please answer.`
  }
  mention(editor, left, 'begin')
  const started = await ana.call<Thread>('POST', `/api/documents/${id}/threads`, { quote: 'Words', text: 'A comment.' })
  // One run by the mention; one of each agent by a person's comment.
  await ended(id, 3)
  await ana.call('POST', `/api/documents/${id}/threads/${started.body.id}/comments`, { text: 'Thanks, @right' })
  await ended(id, 4)
  await settled()
  const runs = (await runsOf(id)).toReversed()
  expect(runs.map(({ agentName, trigger }) => `${agentName} ${trigger.kind}`).toSorted()).toEqual([
    'Left comment',
    'Left mention',
    'Right comment',
    'Right comment',
  ])
  expect(runs.every(({ invokedBy }) => invokedBy.id === ana.user.id)).toBe(true)
  expect(right.triggers).toMatchObject([{ owner: ana.user.id, problem: null }])
})

/** Resolves when no event waits and no trigger has a run. */
async function settled(): Promise<void> {
  const left = () =>
    server.file.prepare('select count(*) as n from agent_events').get()?.['n'] === 0 &&
    server.file.prepare('select count(*) as n from agent_triggers where last_run is not null').get()?.['n'] === 0
  await until(left, 'the triggers have nothing to do')
}

test('[AGENT-7] [AGENT-12] two agents that rewrite one block at the same time: the second one gets `stale` and works on the new text', async () => {
  const [left, right] = [await make('left'), await make('right')]
  const { id, editor } = await open('The price is very low today.')
  const bothWrite = Promise.withResolvers<void>()
  let writing = 0
  const told: string[] = []
  script = async ({ system, results }) => {
    const name = system.includes('"Left"') ? 'Left' : 'Right'
    if (results.length === 0) {
      if (++writing === 2) bothWrite.resolve()
      await bothWrite.promise
      const given = { find: 'The price is very low today.', replace: `${name} says that the price is low.` }
      // Slowly, so that both calls are shown while their arguments arrive.
      return { chunks: [{ toolCall: { name: 'edit_document', arguments: given, everyMs: 20 } }] }
    }
    if (results.length > 1 || !results[0]?.includes('Error')) return 'Done.'
    told.push(...results)
    return call('edit_document', { find: 'says that', replace: 'also says that' })
  }
  mention(editor, left, 'rewrite it')
  mention(editor, right, 'rewrite it')
  const runs = await ended(id, 2)
  expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed'])
  const text = () => String(fragmentOf(editor).get(0))
  await until(() => text().includes('also'), 'the second edit is here')
  expect(text()).toMatch(/^<paragraph>(?:Left|Right) also says that the price is low\.<\/paragraph>$/)
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(/Meanwhile (?:Left|Right) changed \[0\]/)
})

test('[AGENT-8] [AGENT-9] an agent begins at a time, once, and at documents that come to its folder, with the rights of its operator', async () => {
  script = ({ lastUser }) => `On: ${lastUser}`
  const folder = (await ana.call<{ id: string }>('POST', '/api/folders', { name: 'Inbox' })).body.id
  const { id } = await open('Words.')
  const hidden = await server.create(ben, 'Ben’s own.')
  const schedule = { kind: 'schedule', document: id, cron: '0 9 1 1 *', zone: 'Europe/Berlin', instruction: 'Sum up.' }
  const arrival = { kind: 'document', folder, instruction: 'Give it a title.' }
  const agent = await make('clerk', { triggers: [schedule, { ...schedule, document: hidden.id }, arrival] })
  expect(agent.triggers[0]?.nextAt).toMatch(/-01-01T08:00:00.000Z$/)
  expect(
    (
      await ana.call('POST', '/api/agents', {
        handle: 'bad',
        name: 'B',
        color,
        triggers: [{ ...schedule, cron: '* * * * * *' }],
      })
    ).status,
  ).toBe(400)

  // Many scheduled times have passed since.
  await changeFile(server.file, 'update agent_triggers set next_at = 1 where agent = ?', agent.id)
  const [run] = await ended(id, 1)
  expect(run).toMatchObject({
    trigger: { kind: 'schedule' },
    agentName: 'Clerk',
    invokedBy: { id: ana.user.id },
    instruction: 'Sum up.',
    answer: 'On: Sum up.',
  })
  await settled()
  const shown = async () => {
    const { body } = await ana.call<{ agents: NamedAgent[] }>('GET', '/api/agents')
    return body.agents.find((each) => each.id === agent.id)
  }
  const [first, second] = (await shown())?.triggers ?? []
  expect(first).toMatchObject({ nextAt: agent.triggers[0]?.nextAt, problem: null })
  const problem = 'The operator who set this up may not call an agent in this document.'
  expect(second).toMatchObject({ lastAt: null, problem })
  expect(await runsOf(id)).toHaveLength(1)

  const arrived = await server.create(ana, 'New.')
  await ana.call('PATCH', `/api/documents/${arrived.id}`, { folder })
  const [welcomed] = await ended(arrived.id, 1)
  expect(welcomed).toMatchObject({ trigger: { kind: 'document' }, instruction: 'Give it a title.' })
  await ana.call('PATCH', `/api/documents/${arrived.id}`, { folder: null })
  await settled()
  expect(await runsOf(arrived.id)).toHaveLength(1)
})

test('[AGENT-10] a trigger whose run fails waits and says why; a switched-off agent begins nothing', async () => {
  script = () => ({ error: { status: 401, message: 'no such key' } })
  const comments = { kind: 'comment', folder: null, instruction: 'Answer.' }
  const agent = await make('broken', { triggers: [comments] })
  const { id } = await open('Words.')
  const comment = () => ana.call('POST', `/api/documents/${id}/threads`, { quote: 'Words', text: 'What now?' })
  await comment()
  await ended(id, 1)
  const row = () => server.file.prepare('select * from agent_triggers where agent = ?').get(agent.id)
  await until(() => row()?.['failures'] === 1, 'the failure is noted')
  expect(row()).toMatchObject({ problem: expect.stringContaining('key'), last_run: null })
  expect(Number(row()?.['next_at'])).toBeGreaterThan(Date.now() + 30_000)
  await comment()
  await ana.call('PATCH', `/api/agents/${agent.id}`, { enabled: false })
  expect(server.file.prepare('select count(*) as n from agent_events').get()).toEqual({ n: 0 })
  await comment()
  expect(await runsOf(id)).toHaveLength(1)
  expect(server.file.prepare('select count(*) as n from agent_events').get()).toEqual({ n: 0 })
})
