import { contentTypes } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { blockTexts, join, signIn, textIn } from '../support/client.ts'
import { call, startUndoServer, type UndoServer } from './undo-server.ts'

let undoServer: UndoServer
beforeAll(async () => {
  undoServer = await startUndoServer()
})
afterAll(() => undoServer.close())

const edit = (find: string, replace: string) => call('edit_document', { find, replace })

test('[UNDO-1] undo at once: what a run changed goes, what people typed before, between, inside and after stays', async () => {
  await undoServer.withDocument('# Title\n\nteh cat\n\nlast', async ({ server, ana, id, peer, play, request }) => {
    textIn(peer.fragment, 2).insert(4, ' before')
    await peer.saved()
    const insert = call('insert_text', {
      position: { type: 'absolute', location: 'end' },
      content: '\n\nA new paragraph.',
    })
    const run = await play([[edit('teh', 'the')], [insert]])
    expect(run.status).toBe('completed')
    expect(blockTexts(peer.fragment)).toEqual(['Title', 'the cat', 'last before', 'A new paragraph.'])
    expect(run.steps.map(({ changed }) => changed)).toEqual([true, true])
    expect(run.changedBlocks).toEqual([
      { before: 'teh cat', after: 'the cat' },
      { before: '', after: 'A new paragraph.' },
    ])
    textIn(peer.fragment, 3).insert(5, 'INSIDE ')
    textIn(peer.fragment, 1).insert(7, ' sat')
    await peer.saved()
    const undone = await request('undo', run.id)
    expect(undone.status).toBe(200)
    expect(undone.body).toMatchObject({ id: run.id, undone: true, steps: [{ undone: true }, { undone: true }] })
    // The answer means that it is on disk: any client that joins now gets it.
    const fresh = await join(server.url, ana.token, id)
    expect(blockTexts(fresh.fragment)).toEqual(['Title', 'teh cat sat', 'last before', 'INSIDE '])
    fresh.close()
    await until(() => peer.runs().some(({ undone: flag }) => flag === true), 'the room shows that it is undone')
    await until(() => blockTexts(peer.fragment)[3] === 'INSIDE ', 'the undo is here')
    textIn(peer.fragment, 0).insert(5, ' later')
    await peer.saved()
    expect(blockTexts(peer.fragment)[0]).toBe('Title later')
    expect(await ana.run(id, run.id)).toMatchObject({ undone: true })
  })
})

test('[UNDO-9] after a restart, undo, redo, undo; a second undo and a redo too many are refused', async () => {
  await undoServer.withDocument('one\n\ntwo', async (scenario) => {
    const run = await scenario.play([[edit('one', 'ONE'), edit('two', 'TWO')]])
    textIn(scenario.peer.fragment, 0).insert(3, ' by Ana')
    await scenario.peer.saved()
    const texts = async (): Promise<string> => (await scenario.ana.markdown(scenario.id)).trim()
    expect((await scenario.request('redo', run.id)).status).toBe(409)
    await scenario.restart()
    expect((await scenario.request('undo', run.id)).status).toBe(200)
    expect(await texts()).toBe('one by Ana\n\ntwo')
    expect(await scenario.request('undo', run.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: 'This run has already been undone.' } },
    })
    await scenario.restart()
    expect(await scenario.request('redo', run.id)).toMatchObject({ status: 200 })
    expect(await texts()).toBe('ONE by Ana\n\nTWO')
    expect((await scenario.ana.run(scenario.id, run.id)).undone).toBeUndefined()
    expect((await scenario.request('redo', run.id)).status).toBe(409)
    expect((await scenario.request('undo', run.id)).status).toBe(200)
    expect(await texts()).toBe('one by Ana\n\ntwo')
    await until(() => blockTexts(scenario.peer.fragment).join() === 'one by Ana,two', 'everybody sees it')
  })
})

test('[UNDO-3] one step of three, and then the rest', async () => {
  await undoServer.withDocument('one two three', async ({ ana, id, play, request }) => {
    const run = await play([[edit('one', 'ONE')], [edit('two', 'TWO')], [edit('three', 'THREE')]])
    const step = run.steps[1]?.id ?? ''
    const after = await request('undo', run.id, step)
    expect(after.body.steps.map(({ undone }) => undone)).toEqual([undefined, true, undefined])
    expect(after.body.undone).toBeUndefined()
    expect((await ana.markdown(id)).trim()).toBe('ONE two THREE')
    expect(await request('undo', run.id, step)).toMatchObject({ status: 409 })
    expect(await request('undo', run.id, 'no-such-step')).toMatchObject({ status: 404 })
    expect((await request('undo', run.id)).body.undone).toBe(true)
    expect((await ana.markdown(id)).trim()).toBe('one two three')
    expect((await request('redo', run.id, step)).body.undone).toBeUndefined()
    expect((await ana.markdown(id)).trim()).toBe('one TWO three')
    expect((await request('redo', run.id)).status).toBe(200)
    expect((await ana.markdown(id)).trim()).toBe('ONE TWO THREE')
  })
})

test('[UNDO-10] a run that goes is refused; a stopped one is undone', async () => {
  await undoServer.withDocument('one two', async ({ ana, id, peer, play, request }) => {
    const playing = play([[edit('one', 'ONE')], [{ text: 'Well' }, { stall: true }]])
    await until(() => peer.messages().at(-1)?.text === 'Well', 'the second round is under way')
    const going = peer.runs()[0]
    expect(await request('undo', going?.id ?? '')).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', hint: expect.stringContaining('Stop it first') } },
    })
    await ana.call('POST', `/api/documents/${id}/runs/${going?.id}/stop`)
    const run = await playing
    expect(run.status).toBe('stopped')
    expect((await request('undo', run.id)).body.undone).toBe(true)
    expect((await ana.markdown(id)).trim()).toBe('one two')
  })
})

test('[UNDO-10] a run that changed nothing, an unknown one, and one of another document', async () => {
  await undoServer.withDocument('text', async ({ ana, id, play, request }) => {
    const run = await play([[call('read_document', {})]])
    expect(await request('undo', run.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringContaining('nothing to undo') } },
    })
    expect(await request('undo', run.id, run.steps[0]?.id)).toMatchObject({ status: 409 })
    expect(await request('undo', 'unknown')).toMatchObject({ status: 404 })
    const other = await ana.create({ markdown: 'other' })
    expect(await ana.call('POST', `/api/documents/${other.id}/runs/${run.id}/undo`)).toMatchObject({ status: 404 })
    expect(await ana.call('POST', `/api/documents/${id}/runs/${run.id}/undo`, { step: 3 })).toMatchObject({
      status: 400,
    })
  })
})

test('[UNDO-11] people who type while undo is under way lose nothing', async () => {
  await undoServer.withDocument('alpha', async ({ server, id, peer, play, request }) => {
    const insert = call('insert_text', {
      position: { type: 'absolute', location: 'end' },
      content: '\n\nmade by the agent',
    })
    const run = await play([[edit('alpha', 'ALPHA'), insert]])
    const ben = await signIn(server.url, 'Ben')
    const other = await join(server.url, ben.token, id)
    await until(() => blockTexts(other.fragment).length === 2, 'the run is here')
    let typed = 0
    const type = (): void => textIn(other.fragment, 0).insert(textIn(other.fragment, 0).length, String(typed++ % 10))
    for (const kind of ['undo', 'redo', 'undo'] as const) {
      const answer = request(kind, run.id)
      let isDone = false
      const done = answer.then(() => (isDone = true))
      await until(() => {
        type()
        return isDone
      }, `${kind} is answered`)
      await done
      expect((await answer).status).toBe(200)
    }
    await other.saved()
    await until(() => blockTexts(peer.fragment)[0] === blockTexts(other.fragment)[0], 'both see the same')
    const expected = `alpha${Array.from({ length: typed }, (_, index) => index % 10).join('')}`
    expect(blockTexts(peer.fragment)).toEqual([expected])
    expect(Y.encodeStateVector(peer.doc)).toEqual(Y.encodeStateVector(other.doc))
    expect(peer.doc.getMap(contentTypes.receipts).size).toBe(0)
    other.close()
  })
})

test('[UNDO-5] a run that suggested: undone after its suggestion was accepted, and redone', async () => {
  await undoServer.withDocument('one two', async ({ ana, id, peer, play, request }) => {
    const suggest = (search: string, replaceWith: string) => call('suggest_replacement', { search, replaceWith })
    const run = await play([[suggest('one', 'ONE'), suggest('two', 'TWO')]])
    const open = async () =>
      (await ana.call<{ changes: { id: string; after: string }[] }>('GET', `/api/documents/${id}/changes`)).body.changes
    const [first] = await open()
    expect(await open()).toHaveLength(2)
    const accepted = await ana.call('POST', `/api/documents/${id}/changes/${first?.id}`, { decision: 'accept' })
    expect(accepted.status).toBe(200)
    expect(await open()).toHaveLength(1)
    expect((await ana.markdown(id)).trim()).toBe('ONE two')
    expect((await request('undo', run.id)).status).toBe(200)
    expect((await ana.markdown(id)).trim()).toBe('one two')
    expect(await open()).toEqual([])
    await until(() => peer.room.document.getMap('changes').size === 0, 'the room shows no change any more')
    expect((await request('redo', run.id)).status).toBe(200)
    expect((await ana.markdown(id)).trim()).toBe('ONE two')
    expect(await open()).toMatchObject([{ after: 'TWO' }])
  })
})
