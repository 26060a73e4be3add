import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import {
  type Change,
  type CreatedKey,
  FILES_CHANGED,
  type NewShareLink,
  type PostedMessage,
  type Run,
  type Thread,
} from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectRaw, until } from '@copydesk/testing'
import { callApi } from '../testing/call-api.ts'
import { firstText } from '../testing/test-server.ts'
import { followLink, type AuthenticatedActor, openRoleScene, type RoleScene } from '../testing/role-scene.ts'

// Releases the model's answer; `isHeld`: whether the model is waiting.
let releaseAnswer: () => void = () => undefined
let isHeld = false

const read = { toolCall: { name: 'read_file', arguments: { path: 'plan.txt' } } }
const change = {
  toolCall: { name: 'edit_file', arguments: { path: 'plan.txt', content: 'another plan', description: 'A new one.' } },
}
const edit = { toolCall: { name: 'edit_document', arguments: { find: 'Some text', replace: 'Other words' } } }

const play: ModelScript = async ({ results, lastUser }) => {
  if (results.length > 0) return `It says: ${results.join()}`
  if (lastUser.startsWith('wait')) {
    isHeld = true
    await new Promise<void>((resolve) => (releaseAnswer = resolve))
    isHeld = false
  }
  return { chunks: [lastUser.startsWith('read') ? read : lastUser.startsWith('file') ? change : edit] }
}

let model: ModelServer
let scene: RoleScene
let project: string

beforeAll(async () => {
  model = await createModelServer({ provider: 'openai', script: play })
  project = mkdtempSync(join(tmpdir(), 'copydesk-project-'))
  writeFileSync(join(project, 'plan.txt'), 'a plan')
  scene = await openRoleScene({ ...model.environment, PROJECT_DIR: project })
})
afterAll(async () => {
  releaseAnswer()
  await scene.dispose()
  await model.close()
  rmSync(project, { recursive: true })
})

async function ask(actor: AuthenticatedActor, text: string): Promise<string> {
  const { status, body } = await scene.as(actor)<PostedMessage>('POST', '/messages', { text, mode: 'edit' })
  expect(status, JSON.stringify(body)).toBe(202)
  return body.run.id
}

async function runOf(id: string): Promise<Run> {
  return (await scene.as('owner')<Run>('GET', `/runs/${id}`)).body
}

async function ended(id: string, withinMs?: number): Promise<Run> {
  await until(async () => (await runOf(id)).endedAt !== undefined, 'the run is over', withinMs)
  return runOf(id)
}

async function changes(): Promise<Change[]> {
  return (await scene.as('owner')<{ changes: Change[] }>('GET', '/changes')).body.changes
}

async function plain(): Promise<string> {
  const response = await fetch(`${scene.server.url}/api/documents/${scene.document}/export`, {
    headers: { authorization: `Bearer ${scene.tokens.owner}` },
  })
  return response.text()
}

async function rejectAll(): Promise<void> {
  await scene.as('owner')('POST', '/changes', { decision: 'reject' })
}

test('[RIGHT-8] called by a commenter or a guest the agent suggests, whatever is asked for', async () => {
  for (const actor of ['commenter', 'guest'] as const) {
    const run = await ended(await ask(actor, 'edit'))
    expect(run).toMatchObject({ status: 'completed', mode: 'suggest' })
    expect(await changes()).toMatchObject([{ author: { kind: 'agent' }, run: run.id }])
    expect(await plain()).toContain('Some text')
    await rejectAll()
  }
})

test('[PROJ-8] members may have the agent read the project’s files, guests may not', async () => {
  for (const [actor, status] of [
    ['commenter', 'ok'],
    ['guest', 'error'],
  ] as const) {
    const run = await ended(await ask(actor, 'read the plan'))
    expect(run.steps.map(({ tool, status }) => `${tool} ${status}`)).toEqual([`read_file ${status}`])
    expect(run.answer?.includes('a plan')).toBe(status === 'ok')
  }
  const prompts = model.requests.map(({ system }) => system)
  expect(prompts.some((system) => system?.includes('guests may not read the project’s files'))).toBe(true)
})

test('[PROJ-18] [PROJ-19] [PROJ-23] files are changed for members who may edit, and by them', async () => {
  for (const actor of ['commenter', 'guest'] as const) {
    const run = await ended(await ask(actor, 'file'))
    expect(run.steps.map(({ tool, status }) => `${tool} ${status}`)).toEqual(['edit_file error'])
  }
  const id = await ask('editor', 'file')
  await until(async () => (await runOf(id)).status === 'awaiting_approval', 'the run waits')
  const [step] = (await runOf(id)).steps
  expect(step?.arguments).toEqual({ path: 'plan.txt', description: 'A new one.' })
  const { body: link } = await scene.as('owner')<NewShareLink>('POST', '/links', { role: 'editor' })
  const { token } = await followLink(scene.server, link.url, 'Gil')
  const guest = callApi(scene.server.url, token, scene.document)
  const decide = { decision: 'approve' }
  expect((await guest('GET', '/threads')).status).toBe(200)
  // Only people who see the proposal learn that its file has changed.
  const tokens = [scene.tokens.editor, scene.tokens.commenter, token ?? '']
  const open = await Promise.all(tokens.map(() => connectRaw(scene.server.url, scene.document)))
  await Promise.all(open.map((client, index) => client.authenticate(tokens[index] ?? '')))
  const isTold = () => open.map(({ received }) => received.stateless.includes(FILES_CHANGED))
  expect((await scene.as('editor')('GET', `/runs/${id}/files/${step?.id}`)).status).toBe(200)
  writeFileSync(join(project, 'plan.txt'), 'a plan')
  await until(() => isTold()[0] === true, 'the editor gets the message')
  for (const call of [guest, scene.as('commenter')]) {
    expect((await call('GET', `/runs/${id}/files/${step?.id}`)).status).toBe(403)
    expect((await call('POST', `/runs/${id}/approvals/${step?.id}`, decide)).status).toBe(403)
  }
  expect((await scene.as('owner')('POST', `/runs/${id}/approvals/${step?.id}`, decide)).status).toBe(200)
  await ended(id)
  expect(isTold()).toEqual([true, false, false])
  open.forEach((client) => client.close())
  expect(readFileSync(join(project, 'plan.txt'), 'utf8')).toBe('another plan')
  expect((await guest('POST', `/runs/${id}/undo`)).status).toBe(403)
  expect(readFileSync(join(project, 'plan.txt'), 'utf8')).toBe('another plan')
  expect((await scene.as('editor')('POST', `/runs/${id}/undo`)).status).toBe(200)
  expect(readFileSync(join(project, 'plan.txt'), 'utf8')).toBe('a plan')
  const written = scene.server.file
    .prepare("select actor, target, details from audit where action = 'file-written'")
    .all()
  expect(written.map(({ actor, target, details }) => [actor, target, JSON.parse(String(details))])).toEqual([
    [scene.ids.owner, 'plan.txt', { run: id, call: step?.id }],
    [scene.ids.editor, 'plan.txt', { run: id, call: step?.id, kind: 'undo' }],
  ])
})

test('[RIGHT-8] called in a comment by a person who may not edit, or by a key without write scope, the agent suggests', async () => {
  const said = { quote: 'Some text', text: '@agent edit' }
  const { body: key } = await scene.as('editor')<CreatedKey>('POST', '/api/auth/keys', { name: 'C', scope: 'comment' })
  for (const call of [scene.as('commenter'), callApi(scene.server.url, key.key, scene.document)]) {
    const { body: thread } = await call<Thread>('POST', '/threads', said)
    const run = await ended(thread.comments[0]?.run ?? '')
    expect(run).toMatchObject({ status: 'completed', mode: 'suggest' })
    expect(await plain()).toContain('Some text')
    await rejectAll()
  }
})

test('[RIGHT-6] undo is for who may write, and looked at again where it is carried out', async () => {
  const id = (await ended(await ask('editor', 'edit'))).id
  expect(await plain()).toContain('Other words')
  expect((await scene.as('commenter')('POST', `/runs/${id}/undo`)).status).toBe(403)
  expect((await scene.as('editor')('POST', `/runs/${id}/undo`)).status).toBe(200)
  expect(await plain()).toContain('Some text')
})

test('[RIGHT-8] a caller who is lowered while the agent thinks gets suggestions', async () => {
  const id = await ask('editor', 'wait and edit')
  await until(() => isHeld, 'the model is asked')
  await scene.give('editor', 'commenter')
  releaseAnswer()
  expect(await ended(id)).toMatchObject({ status: 'completed' })
  expect(await changes()).toMatchObject([{ author: { kind: 'agent' }, run: id }])
  expect(await plain()).toContain('Some text')
  await rejectAll()
  await scene.give('editor', 'editor')
})

test('[RIGHT-7] a run whose caller loses their right is ended and says why', async () => {
  for (const left of ['viewer', null] as const) {
    const id = await ask('editor', 'wait and edit')
    await until(() => isHeld, 'the model is asked')
    await scene.give('editor', left)
    // Its connection is closed immediately; the end of the run is stored a little later.
    const run = await ended(id, 5000)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'forbidden' } })
    releaseAnswer()
    await until(() => !isHeld, 'the model has answered')
    expect(firstText(scene.server.load(scene.document)).toJSON()).toContain('Some text')
    await scene.give('editor', 'editor')
  }
})
