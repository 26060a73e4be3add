import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import type { Change, CreatedKey, NewShareLink, PostedMessage, Run, Thread } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { type ApiCaller, callApi } from '../testing/call-api.ts'
import { type AuthenticatedActor, linkPath, openRoleScene, type RoleScene } from '../testing/role-scene.ts'
import { changeFile } from '../testing/test-store.ts'

// Not on the public internet: only a call that tries to fetch it is refused with this reason.
const image = 'http://127.0.0.1:5999/cat.png'
const call = (name: string, input: Record<string, unknown>) => ({ toolCall: { name, arguments: input } })
const edit = call('edit_document', { find: 'Some text', replace: 'Other words' })

/** Releases the model's answer; the model waits if the question says so. */
let releaseAnswer: () => void = () => undefined
let [holds, seen] = [0, 0]

async function held(): Promise<void> {
  await until(() => holds > seen, 'the model is asked')
  seen = holds
}

/** A model that tries every tool that needs write access. */
const play: ModelScript = async ({ results, lastUser }) => {
  if (results.length > 0) return 'Done.'
  if (lastUser.includes('wait')) {
    await new Promise<void>((resolve) => {
      releaseAnswer = resolve
      holds++
    })
  }
  if (lastUser.includes('only edit')) return { chunks: [edit] }
  return {
    chunks: [
      call('insert_image', { sectionIndex: 0, imageUrl: image, imageDescription: 'A cat' }),
      call('insert_text', { position: { type: 'absolute', location: 'end' }, content: `![A cat](${image})` }),
      call('decide_change', { all: true, decision: 'accept' }),
      edit,
    ],
  }
}

let model: ModelServer
let scene: RoleScene

beforeAll(async () => {
  model = await createModelServer({ provider: 'openai', script: play })
  scene = await openRoleScene(model.environment)
})
afterEach(async () => {
  releaseAnswer()
  await scene.as('owner')('POST', '/changes', { decision: 'reject' })
})
afterAll(async () => {
  await scene.dispose()
  await model.close()
})

type Key = { id: string; call: ApiCaller; token: string }

async function makeKey(scope: string, owner: AuthenticatedActor = 'owner'): Promise<Key> {
  const { status, body } = await scene.as(owner)<CreatedKey>('POST', '/api/auth/keys', { name: scope, scope, days: 1 })
  expect(status).toBe(201)
  return { id: body.id, token: body.key, call: callApi(scene.server.url, body.key, scene.document) }
}

async function ask(as: ApiCaller, text: string, mode = 'edit'): Promise<string> {
  const { status, body } = await as<PostedMessage>('POST', '/messages', { text, mode })
  expect(status, JSON.stringify(body)).toBe(202)
  return body.run.id
}

const runOf = async (id: string): Promise<Run> => (await scene.as('owner')<Run>('GET', `/runs/${id}`)).body

async function settled(id: string, withinMs?: number): Promise<Run> {
  const isSettled = ({ status }: Run): boolean => status !== 'queued' && status !== 'running'
  await until(async () => isSettled(await runOf(id)), 'the run waits or is over', withinMs)
  return runOf(id)
}

/** The final status of each tool's calls. */
function outcomes({ steps }: Run): Record<string, string> {
  return Object.fromEntries(steps.map(({ tool, status }) => [tool, status]))
}

function offered(): string[] {
  return [...(model.requests.at(-1)?.tools ?? [])]
}

async function plain(): Promise<string> {
  const headers = { authorization: `Bearer ${scene.tokens.owner}` }
  return (await fetch(`${scene.server.url}/api/documents/${scene.document}/export`, { headers })).text()
}

async function rejectAll(): Promise<void> {
  await scene.as('owner')<Change[]>('POST', '/changes', { decision: 'reject' })
}

const withImage = `Take ${image}`
const isLimited = { insert_image: 'error', insert_text: 'error', decide_change: 'error', edit_document: 'ok' }

test('[RUN-21] a run of a key for comments suggests, asks no other server for anything and decides nothing', async () => {
  const key = await makeKey('comment')
  const before = await plain()
  const run = await settled(await ask(key.call, withImage))
  expect([run.status, run.mode, outcomes(run)]).toEqual(['completed', 'suggest', isLimited])
  expect(run.steps.find(({ tool }) => tool === 'insert_image')).not.toMatchObject({
    error: { message: expect.stringContaining('public') },
  })
  expect(offered()).not.toContain('decide_change')
  expect(await plain()).toBe(before)
})

test('[RUN-21] so does one that it calls by a comment, or by a reply to the agent', async () => {
  const key = await makeKey('comment')
  const before = await plain()
  const { body: thread } = await key.call<Thread>('POST', '/threads', {
    quote: 'Some text',
    text: `@agent ${withImage}`,
  })
  const first = await settled(thread.comments[0]?.run ?? '')
  expect([first.mode, outcomes(first)]).toEqual(['suggest', isLimited])
  await rejectAll()
  const { body: replied } = await key.call<Thread>('POST', `/threads/${thread.id}/comments`, { text: withImage })
  const second = await settled(replied.comments.at(-1)?.run ?? '')
  expect([second.mode, outcomes(second)]).toEqual(['suggest', isLimited])
  expect(await plain()).toBe(before)
})

test('[RUN-21] a commenter can’t name an address either', async () => {
  const run = await settled(await ask(scene.as('commenter'), withImage))
  expect(outcomes(run)).toEqual(isLimited)
})

test('[RUN-21] an address that an editor names is fetched, also by a key with write scope', async () => {
  const key = await makeKey('write')
  for (const as of [scene.as('owner'), key.call]) {
    const run = await settled(await ask(as, withImage, 'suggest'))
    // The server tries to fetch the image, which isn't on the public internet.
    expect(run.steps.find(({ tool }) => tool === 'insert_image')?.error?.message).toContain('public internet')
    await rejectAll()
  }
})

test('[RUN-21] it stays so when its owner continues it, and another key can’t', async () => {
  const [key, other] = [await makeKey('comment'), await makeKey('write')]
  const id = await ask(key.call, `wait: ${withImage}`)
  await held()
  await scene.as('owner')('POST', `/runs/${id}/stop`)
  releaseAnswer()
  await settled(id)
  // Simulates a failure of the model's provider.
  await changeFile(scene.server.file, "UPDATE runs SET status = 'failed' WHERE id = ?", id)
  const refused = await other.call('POST', `/runs/${id}/continue`)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
  expect((await scene.as('owner')('POST', `/runs/${id}/continue`)).status).toBe(200)
  await held()
  releaseAnswer()
  const run = await settled(id)
  expect(outcomes(run)).toEqual(isLimited)
})

test('[RUN-21] a key continues no run that a person has started', async () => {
  const key = await makeKey('comment')
  const id = await ask(scene.as('owner'), 'only edit', 'suggest')
  await settled(id)
  await changeFile(scene.server.file, "UPDATE runs SET status = 'failed' WHERE id = ?", id)
  expect((await key.call('POST', `/runs/${id}/continue`)).status).toBe(403)
  expect((await scene.as('owner')('POST', `/runs/${id}/continue`)).status).toBe(200)
  await settled(id)
})

test('[RUN-21] a run that was started with a lower role keeps it when its caller gets a higher one', async () => {
  const id = await ask(scene.as('commenter'), 'wait, then go on')
  await held()
  await scene.give('commenter', 'editor')
  releaseAnswer()
  expect(outcomes(await settled(id))).toEqual(isLimited)
  await scene.give('commenter', 'commenter')
})

const takeAway = (key: Key) => scene.as('owner')('DELETE', `/api/auth/keys/${key.id}`)
const letExpire = async (key: Key) => {
  await changeFile(scene.server.file, 'UPDATE api_keys SET expires_at = ? WHERE id = ?', Date.now() + 100, key.id)
  // Any account change makes the server compute the next expiry again.
  await scene.as('owner')('PATCH', '/api/auth/account', { name: 'owner' })
}
const isOver = { status: 'failed', error: { code: 'forbidden' } }
const withinMs = 1000

test.each([
  ['taken away', takeAway],
  ['expires', letExpire],
])(
  '[RUN-22] when its key is %s a run ends within a second, whether it works, is queued or waits for approval',
  async (_, end) => {
    const key = await makeKey('write')
    const waiting = await ask(key.call, 'only edit', 'ask')
    expect((await settled(waiting)).status).toBe('awaiting_approval')
    const going = await ask(key.call, 'wait')
    await held()
    const queued = await ask(key.call, 'only edit')
    expect((await runOf(queued)).status).toBe('queued')
    const before = await plain()
    await end(key)
    for (const id of [waiting, going, queued]) {
      await until(async () => (await runOf(id)).endedAt !== undefined, 'the run is over', withinMs)
      expect(await runOf(id)).toMatchObject(isOver)
    }
    const step = (await runOf(waiting)).steps[0]
    const decision = await scene.as('owner')('POST', `/runs/${waiting}/approvals/${step?.id}`, { decision: 'approve' })
    expect(decision.status).toBe(409)
    releaseAnswer()
    expect(await plain()).toBe(before)
    // The run also can't be continued.
    expect((await scene.as('owner')('POST', `/runs/${going}/continue`)).status).toBe(403)
  },
)

test('[RUN-22] a run that waits ends within a second when the link is revoked by which its caller came', async () => {
  const { body: link } = await scene.as('owner')<NewShareLink>('POST', '/links', { role: 'editor' })
  expect((await scene.as('stranger')('POST', linkPath(link.url))).status).toBe(200)
  const id = await ask(scene.as('stranger'), 'only edit', 'ask')
  expect((await settled(id)).status).toBe('awaiting_approval')
  await scene.as('owner')('DELETE', `/links/${link.id}`)
  await until(async () => (await runOf(id)).endedAt !== undefined, 'the run is over', withinMs)
  expect(await runOf(id)).toMatchObject(isOver)
})

test('[RUN-22] a run that waits ends within a second when its caller’s account is closed', async () => {
  const id = await ask(scene.as('editor'), 'only edit', 'ask')
  expect((await settled(id)).status).toBe('awaiting_approval')
  const set = (active: boolean) => scene.as('operator')('PATCH', `/api/auth/people/${scene.ids.editor}`, { active })
  expect((await set(false)).status).toBe(200)
  await until(async () => (await runOf(id)).endedAt !== undefined, 'the run is over', withinMs)
  expect(await runOf(id)).toMatchObject(isOver)
})

test('[RUN-21] [RUN-22] a mention that was sent over a socket with a key starts a run of that key', async () => {
  const key = await makeKey('write')
  const editor = await scene.server.join(key.token, scene.document)
  const [block, mention, words] = [new Y.XmlElement('paragraph'), new Y.XmlElement('mention'), new Y.XmlText()]
  const attributes = { id: 'agent', label: 'agent', kind: 'agent', requestId: 'by-key', state: 'sent' }
  for (const [name, value] of Object.entries(attributes)) mention.setAttribute(name, value)
  words.insert(0, ' wait')
  block.insert(0, [mention, words])
  editor.doc.getXmlFragment(contentTypes.fragment).push([block])
  await editor.saved()
  editor.close()
  await held()
  await takeAway(key)
  const { runs } = (await scene.as('owner')<{ runs: Run[] }>('GET', '/runs')).body
  const started = runs.find(({ trigger }) => trigger.id === 'by-key')
  await until(async () => (await runOf(started?.id ?? '')).endedAt !== undefined, 'the run is over', withinMs)
  expect(await runOf(started?.id ?? '')).toMatchObject(isOver)
  releaseAnswer()
  const details = scene.server.file
    .prepare("SELECT details FROM audit WHERE action = 'run-started' AND target = ?")
    .get(started?.id ?? '')?.['details']
  expect(JSON.parse(String(details))).toMatchObject({ key: key.id })
})

test('[RUN-21] messages sent with a key are context, not instructions, in a run of the same person with another credential', async () => {
  const key = await makeKey('comment')
  await settled(await ask(key.call, 'only edit: the words of a key'))
  await rejectAll()
  await settled(await ask(scene.as('owner'), 'only edit: my own words', 'suggest'))
  await rejectAll()
  const said = (of: string) => model.requests.at(-1)?.messages.find(({ text }) => text.includes(of))?.text
  expect(said('the words of a key')).toMatch(/^<data-/)
  expect(said('my own words')).toBe('only edit: my own words')
})
