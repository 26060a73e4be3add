import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import { type ErrorBody, type FileProposal, isFinal, type Run } from '@copydesk/protocol'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { signIn, type TestPerson } from '../support/client.ts'

const call = (name: string, input: Record<string, unknown>) => ({ toolCall: { name, arguments: input } })

let project: string
let model: ModelServer
let server: Copydesk
let script: ModelScript
let ana: TestPerson
let ben: TestPerson
let document: string

const read = (path: string): string => readFileSync(joinPath(project, path), 'utf8')
const write = (path: string, text: string): void => writeFileSync(joinPath(project, path), text)
const edit = (path: string, content: string) => call('edit_file', { path, content, description: `Changes ${path}.` })

/** Asks, and waits until the run waits for people or has ended. */
async function ask(text: string, play: ModelScript): Promise<Run> {
  script = play
  const { run } = await ana.ask(document, text)
  return settled(run.id)
}

async function settled(run: string): Promise<Run> {
  let found: Run | undefined
  await until(async () => {
    found = await ana.run(document, run)
    return found.status === 'awaiting_approval' || isFinal(found.status)
  }, 'the run waits or has ended')
  return found!
}

const pathOf = (run: Run, rest: string): string => `/api/documents/${document}/runs/${run.id}/${rest}`
const stepId = (run: Run, index: number): string => run.steps[index]?.id ?? ''

function decide(person: TestPerson, run: Run, index: number, decision: Record<string, unknown>) {
  return person.call<Run & ErrorBody>('POST', pathOf(run, `approvals/${stepId(run, index)}`), decision)
}

async function proposal(run: Run, index: number): Promise<FileProposal> {
  return (await ana.call<FileProposal>('GET', pathOf(run, `files/${stepId(run, index)}`))).body
}

beforeAll(async () => {
  project = mkdtempSync(joinPath(tmpdir(), 'copydesk-project-'))
  mkdirSync(joinPath(project, 'src'))
  model = await createModelServer({ provider: 'anthropic', script: (given) => script(given) })
  server = await startCopydesk({ ...model.environment, PROJECT_DIR: project })
  ana = await signIn(server.url, 'Ana')
  ben = await signIn(server.url, 'Ben')
  document = (await ana.create({ markdown: 'Notes' })).id
})
afterAll(async () => {
  await server.dispose()
  await model.close()
  rmSync(project, { recursive: true, force: true })
})

test('[PROJ-14] [PROJ-18] [PROJ-20] proposals wait in every mode, over a restart, for one decision each', async () => {
  write('src/a.ts', 'export const a = 1\n')
  write('src/b.ts', 'export const b = 1\n')
  const waiting = await ask('change both', ({ results }) => {
    if (results.length > 0) return `Told: ${JSON.stringify(results)}`
    return {
      chunks: [
        edit('src/a.ts', 'export const a = 2\n'),
        edit('src/b.ts', 'export const b = 2\n'),
        call('create_file', { path: 'src/new/c.ts', content: 'export const c = 2\n', description: 'A third.' }),
        call('create_file', { path: 'src/a.ts', content: 'x', description: 'x' }),
        call('edit_file', { path: '.env', content: 'x', description: 'x' }),
      ],
    }
  })
  expect(waiting).toMatchObject({ status: 'awaiting_approval', mode: 'edit' })
  expect(waiting.steps.map(({ status, summary }) => `${status}: ${summary}`)).toEqual([
    'awaiting_approval: Change src/a.ts',
    'awaiting_approval: Change src/b.ts',
    'awaiting_approval: Create src/new/c.ts',
    'error: There is a src/a.ts already.',
    expect.stringMatching(/^error: "\.env" can't be read/),
  ])
  // Everyone with the document has the room; the text of a file is for those who may decide.
  expect(waiting.steps[0]?.arguments).toEqual({ path: 'src/a.ts', description: 'Changes src/a.ts.' })
  expect(await proposal(waiting, 0)).toEqual({
    path: 'src/a.ts',
    description: 'Changes src/a.ts.',
    base: 'export const a = 1\n',
    content: 'export const a = 2\n',
    current: 'export const a = 1\n',
    isWritten: false,
    isStale: false,
  })
  await server.restart()
  const decisions = await Promise.all([
    decide(ana, waiting, 0, { decision: 'approve' }),
    decide(ben, waiting, 0, { decision: 'reject' }),
  ])
  expect(new Set(decisions.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const winner = decisions[0]?.status === 200 ? 'Ana has already approved' : 'Ben has already rejected'
  expect(decisions.find(({ status }) => status === 409)?.body.error.message).toContain(winner)
  const edited = { path: 'src/b.ts', description: 'Changes src/b.ts.', content: 'export const b = 3\n' }
  expect(
    (await decide(ben, waiting, 1, { decision: 'approve', arguments: { ...edited, path: 'src/a.ts' } })).status,
  ).toBe(400)
  expect((await decide(ben, waiting, 1, { decision: 'approve', arguments: edited })).status).toBe(200)
  expect(read('src/b.ts')).toBe('export const b = 1\n')
  await server.restart()
  await decide(ben, waiting, 2, { decision: 'reject', reason: 'Two are enough.' })
  const done = await settled(waiting.id)
  expect(done).toMatchObject({ status: 'completed' })
  expect(done.answer).toMatch(/User rejected changes.*Two are enough\./)
  expect(read('src/a.ts')).toBe(`export const a = ${winner.startsWith('Ana') ? 2 : 1}\n`)
  expect(read('src/b.ts')).toBe('export const b = 3\n')
  expect(() => read('src/new/c.ts')).toThrow('ENOENT')
  expect(done.steps[1]).toMatchObject({ status: 'ok', summary: 'Changed src/b.ts', changed: true })
  expect(await proposal(done, 1)).toMatchObject({ isWritten: true, content: 'export const b = 3\n' })
})

test('[PROJ-16] a file that changed meanwhile is shown as stale, and its change is not approved', async () => {
  write('stale.ts', 'one\n')
  const waiting = await ask('change it', ({ results }) =>
    results.length > 0 ? 'I see.' : { chunks: [edit('stale.ts', 'two\n')] },
  )
  write('stale.ts', 'mine\n')
  expect(await proposal(waiting, 0)).toMatchObject({
    isStale: true,
    base: 'one\n',
    current: 'mine\n',
    content: 'two\n',
  })
  expect(await decide(ana, waiting, 0, { decision: 'approve' })).toMatchObject({
    status: 409,
    body: { error: { message: 'The file has changed since the agent proposed this.' } },
  })
  await decide(ana, waiting, 0, { decision: 'reject' })
  await settled(waiting.id)
  expect(read('stale.ts')).toBe('mine\n')
})

test('[PROJ-21] what was written is undone and redone, one file or all of them, but never over another text', async () => {
  write('one.ts', 'one\n')
  const asked = await ask('change them', ({ results }) => {
    if (results.length > 0) return 'Done.'
    const made = call('create_file', { path: 'made.ts', content: 'made\n', description: 'New.' })
    return { chunks: [edit('one.ts', 'two\n'), made, call('edit_document', { find: 'Notes', replace: 'Words' })] }
  })
  for (const index of [0, 1]) await decide(ana, asked, index, { decision: 'approve' })
  const run = await settled(asked.id)
  expect([read('one.ts'), read('made.ts'), await ana.markdown(document)]).toEqual(['two\n', 'made\n', 'Words\n'])

  const change = (kind: 'undo' | 'redo', step?: number) =>
    ben.call<Run & ErrorBody>('POST', pathOf(run, kind), step === undefined ? {} : { step: stepId(run, step) })
  const undone = await change('undo', 0)
  expect(undone.body.steps[0]).toMatchObject({ undone: true })
  expect(read('one.ts')).toBe('one\n')
  expect((await change('redo', 0)).status).toBe(200)
  expect(read('one.ts')).toBe('two\n')

  // The run is undone as a whole or not at all.
  write('one.ts', 'mine\n')
  expect(await change('undo')).toMatchObject({ status: 409, body: { error: { hint: 'Change “one.ts” by hand.' } } })
  expect([read('one.ts'), read('made.ts'), await ana.markdown(document)]).toEqual(['mine\n', 'made\n', 'Words\n'])
  write('one.ts', 'two\n')
  expect((await change('undo')).body).toMatchObject({ undone: true })
  expect([read('one.ts'), await ana.markdown(document)]).toEqual(['one\n', 'Notes\n'])
  expect(() => read('made.ts')).toThrow('ENOENT')
  expect((await change('redo')).status).toBe(200)
  expect([read('one.ts'), read('made.ts'), await ana.markdown(document)]).toEqual(['two\n', 'made\n', 'Words\n'])

  // No agent does it: that would write without a person.
  const other = await ask('undo it', ({ results, messages }) => {
    if (results.length === 0) return { chunks: [call('read_history', {})] }
    const number = /(\d+)\D{0,40}change them/.exec(JSON.stringify(messages.slice(-1)))?.[1]
    return results.length === 1 ? { chunks: [call('undo_changes', { run: Number(number ?? 3) })] } : 'I may not.'
  })
  expect(other.steps.at(-1)).toMatchObject({
    tool: 'undo_changes',
    error: { message: expect.stringContaining('only people can undo') },
  })
  expect(read('one.ts')).toBe('two\n')
})
