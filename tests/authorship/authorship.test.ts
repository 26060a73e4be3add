import type { Authorship, Change, VersionList } from '@copydesk/protocol'
import { readFragment, schema } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { join, signIn, textIn } from '../support/client.ts'
import { call, startUndoServer, type UndoScenario, type UndoServer } from '../undo/undo-server.ts'

let undoServer: UndoServer
beforeAll(async () => {
  undoServer = await startUndoServer()
})
afterAll(() => undoServer.close())

const edit = (find: string, replace: string) => call('edit_document', { find, replace })

async function read({ ana, id }: UndoScenario, query = ''): Promise<Authorship> {
  const { status, body } = await ana.call<Authorship>('GET', `/api/documents/${id}/authorship${query}`)
  expect(status).toBe(200)
  return body
}

/** The authorship ranges in the order of the text: name, and the run's first letters if it was a run. */
async function written(scenario: UndoScenario): Promise<[string, string][]> {
  const { ranges = [], authors, stateVector } = await read(scenario)
  await until(
    () =>
      Buffer.from(Y.encodeStateVector(scenario.peer.doc)).toString('base64') === stateVector ||
      hasStateOf(scenario, stateVector),
    'the peer has what the answer is about',
  )
  const shown = readFragment(scenario.peer.fragment, schema)
  if (!shown.ok) throw new Error('not readable')
  return ranges.map(({ from, to, actor, run }) => {
    const name = authors.find(({ id }) => id === actor)?.name ?? '?'
    return [run === undefined ? name : `${name}*`, shown.doc.textBetween(from, to, '', '▪')]
  })
}

function hasStateOf({ peer }: UndoScenario, stateVector: string): boolean {
  const mine = Y.decodeStateVector(Y.encodeStateVector(peer.doc))
  const theirs = Y.decodeStateVector(new Uint8Array(Buffer.from(stateVector, 'base64')))
  return [...theirs].every(([client, clock]) => (mine.get(client) ?? 0) >= clock)
}

async function withBen(scenario: UndoScenario) {
  const ben = await signIn(scenario.server.url, 'Ben')
  return join(scenario.server.url, ben.token, scenario.id)
}

test('[AUTHOR-2] [HIST-4] people and runs by what they delivered first; the same after a restart, as versions are', async () => {
  await undoServer.withDocument('# Title\n\nteh cat', async (scenario) => {
    const ben = await withBen(scenario)
    textIn(ben.fragment, 1).insert(3, ' big')
    await ben.saved()
    await until(() => textIn(scenario.peer.fragment, 1).length === 11, 'Ana has it')
    const run = await scenario.play([[edit('cat', 'dog')]])
    expect(run.status).toBe('completed')
    const all = [
      ['Ana', 'Title'],
      ['Ana', 'teh'],
      ['Ben', ' big'],
      ['Ana', ' '],
      ['Agent*', 'dog'],
    ]
    expect(await written(scenario)).toEqual(all)
    const { runs, ranges = [] } = await read(scenario)
    expect(runs).toMatchObject([{ id: run.id, instruction: 'do it', invokedBy: { name: 'Ana', kind: 'person' } }])
    expect(ranges.at(-1)).toMatchObject({ actor: 'agent', run: run.id, at: expect.any(String) as string })
    ben.close()
    const path = `/api/documents/${scenario.id}/versions`
    await scenario.ana.call('POST', path, { name: 'Draft' })
    const versions = async () => (await scenario.ana.call<VersionList>('GET', path)).body
    const before = await versions()
    expect(before.versions).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'Draft' }), expect.objectContaining({ kind: 'run' })]),
    )
    await scenario.restart()
    expect(await versions()).toEqual(before)
    expect(await written(scenario)).toEqual(all)
    await scenario.request('undo', run.id)
    await until(() => textIn(scenario.peer.fragment, 1).toJSON() === 'teh big cat', 'it is undone')
    expect((await written(scenario)).slice(-2)).toEqual([
      ['Ben', ' big'],
      ['Ana', ' cat'],
    ])
    await scenario.request('redo', run.id)
    await until(() => textIn(scenario.peer.fragment, 1).toJSON() === 'teh big dog', 'it is redone')
    expect(await written(scenario)).toEqual(all)
  })
})

test('[AUTHOR-3] a decision on a suggestion leaves its authors, in text and in whole blocks', async () => {
  await undoServer.withDocument('A short line\n\nAnother', async (scenario) => {
    const { ana, id } = scenario
    await ana.call('PATCH', `/api/documents/${id}`, { agentMode: 'suggest' })
    await scenario.play([
      [edit('short', 'long')],
      [call('apply_formatting', { target: { type: 'search', text: 'Another' }, formatting: { heading: 2 } })],
      [call('insert_text', { position: { type: 'absolute', location: 'end' }, content: '\n\nNew one.' })],
    ])
    const { body } = await ana.call<{ changes: Change[] }>('GET', `/api/documents/${id}/changes`)
    expect(body.changes.length).toBeGreaterThanOrEqual(2)
    const accepted = await ana.call('POST', `/api/documents/${id}/changes`, { decision: 'accept' })
    expect(accepted.status).toBe(200)
    await until(() => textIn(scenario.peer.fragment, 0).toJSON().includes('long'), 'it is accepted')
    const after = await written(scenario)
    expect(after.slice(0, 3)).toEqual([
      ['Ana', 'A '],
      ['Agent*', 'long'],
      ['Ana', ' line'],
    ])
    expect(after).toContainEqual(['Ana', 'Another'])
    expect(after).toContainEqual(['Agent*', 'New one.'])
  })
})

test('[AUTHOR-4] by ids it says the same of every id, and who may not read gets nothing', async () => {
  await undoServer.withDocument('One two', async (scenario) => {
    const run = await scenario.play([[edit('two', 'three')]])
    const { ids = [], ranges } = await read(scenario, '?by=ids')
    expect(ranges).toBeUndefined()
    expect(ids.map(({ actor, run: by }) => [actor, by])).toContainEqual(['agent', run.id])
    expect(ids.every(({ length }) => length > 0)).toBe(true)
    const path = `/api/documents/${scenario.id}/authorship`
    expect((await fetch(scenario.server.url + path)).status).toBe(401)
    expect((await scenario.ana.call('GET', `${path}?by=colour`)).status).toBe(400)
    expect((await scenario.ana.call('GET', '/api/documents/nowhere/authorship')).status).toBe(404)
  })
})

test('[AUTHOR-8] what a run moves, or makes a list, keeps its authors', async () => {
  await undoServer.withDocument('# Title\n\nfirst words\n\nsecond words', async (scenario) => {
    const ben = await withBen(scenario)
    textIn(ben.fragment, 1).insert(0, 'my ')
    await ben.saved()
    const run = await scenario.play([
      [call('read_document', {})],
      [call('move_blocks', { block: 1, after: 2 })],
      [call('apply_formatting', { target: { type: 'block', block: 1, to: 2 }, format: { type: 'bulletList' } })],
    ])
    expect(run.status).toBe('completed')
    expect(await written(scenario)).toEqual([
      ['Ana', 'Title'],
      ['Ana', 'second words'],
      ['Ben', 'my '],
      ['Ana', 'first words'],
    ])
  })
})
