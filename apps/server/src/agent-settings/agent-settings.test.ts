import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import type { AgentPreferences, AgentSettings, AuditList, Run } from '@copydesk/protocol'
import { until } from '@copydesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountHolder, invite, signUp } from '../testing/test-accounts.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let project: string
let model: ModelServer
let server: TestServer
let ana: AccountHolder
let ben: AccountHolder
let script: ModelScript = () => 'Done.'

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'copydesk-project-'))
  mkdirSync(join(project, 'docs'))
  for (const name of ['docs/style.md', 'docs/names.md', '.env', 'secret.txt']) writeFileSync(join(project, name), 'x')
  writeFileSync(join(project, '.gitignore'), 'secret.txt')
  model = await createModelServer({ provider: 'openai', script: (request) => script(request) })
  server = await startTestServer({
    ...model.environment,
    AUTH: 'accounts',
    PROJECT_DIR: project,
    TOOL_LIMITS: '{"searchMatches": 7}',
  })
  ana = await signUp(server.url, server.setUpToken, 'Ana')
  ben = await signUp(server.url, await invite(ana), 'Ben')
})
afterAll(async () => {
  await server.dispose()
  await model.close()
  rmSync(project, { recursive: true, force: true })
})

const change = (body: object) => ana.call<AgentSettings>('PATCH', '/api/agent-settings', body)
const prefer = (person: AccountHolder, body: object) => person.call<AgentPreferences>('PATCH', '/api/me/agent', body)

/** Sends a request in a new document, and returns the run when it has ended or waits. */
async function run(person: AccountHolder, text: string, answers: ModelScript, markdown = 'Notes'): Promise<Run> {
  script = answers
  const { body: made } = await person.call<{ id: string }>('POST', '/api/documents', { markdown })
  const path = `/api/documents/${made.id}`
  const { body: asked } = await person.call<{ run: Run }>('POST', `${path}/messages`, { text })
  let found: Run | undefined
  await until(async () => {
    const { status, body } = await person.call<Run>('GET', `${path}/runs/${asked.run.id}`)
    if (status === 200 && body.status !== 'queued' && body.status !== 'running') found = body
    return found !== undefined
  }, 'the run is over or waits')
  return found!
}

const system = (): string => model.requests.at(-1)?.system ?? ''

test('[PREF-1] [PREF-3] what operators set holds from the next run on: limits, rounds, instructions', async () => {
  const words = 'Say hull, not vessel.\nNever "ship".'
  const limits = { rounds: 2, readCharacters: 500 }
  const { status, body } = await change({ limits, instructions: words })
  expect(status).toBe(200)
  expect(body.limits.find(({ name }) => name === 'rounds')).toEqual({
    name: 'rounds',
    value: 2,
    default: 8,
    min: 1,
    max: 100,
    isFixed: false,
  })
  const read = { toolCall: { name: 'read_document', arguments: {} } }
  const long = Array.from({ length: 200 }, (_, at) => `Paragraph ${at} has some words.`).join('\n\n')
  const done = await run(ben, 'read all', ({ tools }) => (tools.length === 0 ? 'I stop.' : { chunks: [read] }), long)
  expect(done).toMatchObject({ status: 'limit_reached', rounds: 2, maxRounds: 2 })
  const [shown = ''] = model.requests.at(-1)?.results ?? []
  expect(shown.length).toBeLessThan(1_500)
  expect(system()).toContain('> Say hull, not vessel.\n> Never "ship".')
  const reset = await change({ limits: { rounds: null, readCharacters: null }, instructions: '' })
  expect(reset.body.limits.filter(({ value, default: initially }) => value !== initially)).toMatchObject([
    { name: 'searchMatches', value: 7, isFixed: true },
  ])
  expect(await run(ben, 'hello', () => 'Hi.')).toMatchObject({ maxRounds: 8 })
  expect(system()).not.toContain('hull')
})

test('[PREF-2] what a variable sets stays, and numbers out of range and other names are refused', async () => {
  expect(await change({ limits: { searchMatches: 9 } })).toMatchObject({
    status: 409,
    body: { error: { message: 'TOOL_LIMITS sets searchMatches on this server.' } },
  })
  for (const limits of [{ rounds: 0 }, { rounds: 101 }, { fileLines: 1 }, { nothing: 3 }, { rounds: 1.5 }]) {
    expect((await change({ limits })).status, JSON.stringify(limits)).toBe(400)
  }
  expect((await change({ limits: { fileLines: 20, rounds: 0 } })).status).toBe(400)
  const { body } = await ana.call<AgentSettings>('GET', '/api/agent-settings')
  expect(body.limits.find(({ name }) => name === 'fileLines')?.value).toBe(2_000)
  expect((await change({ instructions: 'x'.repeat(4_001) })).status).toBe(400)
  expect((await prefer(ben, { instructions: 'x'.repeat(2_001) })).status).toBe(400)
})

test('[PREF-4] [PREF-5] a person’s wishes are in their own runs only, after those of operators, and approve no address', async () => {
  await change({ instructions: 'First of all.' })
  const wish = 'Be brief.\nMode: ask. Always read http://127.0.0.1:1/x.'
  expect((await prefer(ben, { instructions: wish })).body.instructions).toBe(wish)
  const page = { toolCall: { name: 'read_web_page', arguments: { url: 'http://127.0.0.1:1/x' } } }
  const waiting = await run(ben, 'do it', ({ results }) => (results.length === 0 ? { chunks: [page] } : 'Done.'))
  expect(waiting).toMatchObject({ status: 'awaiting_approval', steps: [{ tool: 'read_web_page' }] })
  const seen = system()
  expect(seen.indexOf('> First of all.')).toBeLessThan(seen.indexOf('> Be brief.'))
  expect(seen).toContain('> Mode: ask.')
  await run(ana, 'do it', () => 'Done.')
  expect(system()).not.toContain('Be brief.')
  await change({ instructions: '' })
})

test('[PREF-6] favourite files are files that the agent may read, and are named to it', async () => {
  for (const path of ['../x', '/etc/passwd', '.env', 'secret.txt', 'docs', 'gone.md']) {
    const { status, body } = await prefer(ben, { files: ['docs/style.md', path] })
    expect(status, path).toBe(400)
    expect(body.error.message).toContain(path.split('/').at(-1))
  }
  expect((await prefer(ben, { files: ['docs/style.md', ' docs/style.md'] })).body).toMatchObject({
    files: ['docs/style.md'],
    hasProject: true,
  })
  await change({ files: ['docs/names.md'] })
  await run(ben, 'hello', () => 'Hi.')
  expect(system()).toMatch(/favourite files">\n"docs\/names\.md"\n"docs\/style\.md"\n/)
  await run(ana, 'hello', () => 'Hi.')
  expect(system()).not.toContain('docs/style.md')
  // After a listed file was deleted, its owner can still change the other settings.
  rmSync(join(project, 'docs/style.md'))
  expect((await prefer(ben, { files: ['docs/style.md', 'docs/names.md'] })).status).toBe(200)
})

test('[PREF-7] only operators read and change what holds for all; each change is in the audit log, without the texts', async () => {
  expect((await ben.call('GET', '/api/agent-settings')).status).toBe(403)
  expect((await ben.call('PATCH', '/api/agent-settings', { instructions: 'mine' })).status).toBe(403)
  await change({ limits: { rounds: 5 }, instructions: 'Hush.' })
  const { body } = await ana.call<AuditList>('GET', '/api/audit?action=agent-settings-changed')
  expect(body.entries[0]).toMatchObject({
    actor: { name: 'Ana' },
    details: { fields: ['instructions', 'limits'], limits: { rounds: 5 } },
  })
  expect(JSON.stringify(body)).not.toContain('Hush')
})
