import type { Change, ChangeRecord, Session } from '@copydesk/protocol'
import { contentTypes, roomName, roomTypes } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { type ApiCaller, callApi } from '../../testing/call-api.ts'
import { startTestServer, type TestEditor, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ana: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.signIn('Ana')
  ben = await server.signIn('Ben')
})
afterAll(() => server.dispose())

type Opened = {
  id: string
  asAna: ApiCaller
  asBen: ApiCaller
  editor: TestEditor
  other: TestEditor
  room: TestEditor
}

async function openDocument(markdown: string): Promise<Opened> {
  const { id } = await server.create(ana, markdown)
  return {
    id,
    asAna: callApi(server.url, ana.token, id),
    asBen: callApi(server.url, ben.token, id),
    editor: await server.join(ana.token, id),
    other: await server.join(ben.token, id),
    room: await server.join(ben.token, roomName(id)),
  }
}

function changesIn(room: TestEditor): Record<string, ChangeRecord> {
  return room.doc.getMap(roomTypes.changes).toJSON()
}

async function fetchMarkdown(id: string): Promise<string> {
  const headers = { authorization: `Bearer ${ana.token}` }
  return (await fetch(`${server.url}/api/documents/${id}/export?format=markdown`, { headers })).text()
}

async function listOf(asAna: ApiCaller): Promise<Change[]> {
  return (await asAna<{ changes: Change[] }>('GET', '/changes')).body.changes
}

/** The text of the first block without its marks. */
function plainOf(editor: TestEditor): string {
  const delta = editor.text().toDelta() as { insert: string }[]
  return delta.map(({ insert }) => insert).join('')
}

/** The update of an editor that suggests to delete the first `length` letters of the first block. */
function suggestDeletion(editor: TestEditor, id: string, length: number): void {
  editor.text().format(0, length, { 'deletion--AAAAAAAA': { id } })
}

test('[REV-11] a suggestion through the server shows in text, list and room, and leaves the original as it was', async () => {
  const { id, asAna, asBen, other, room } = await openDocument('We saw teh cat.\n')
  const suggested = await asBen<Change>('POST', '/changes', { quote: 'teh', replaceWith: 'the' })
  expect(suggested.status).toBe(201)
  const change = suggested.body
  expect(change).toMatchObject({ author: { id: ben.user.id, name: 'Ben', kind: 'person' }, before: expect.any(String) })
  await until(() => changesIn(room)[change.id] !== undefined, 'the room shows who made it')
  expect(await listOf(asAna)).toEqual([change])
  await until(() => JSON.stringify(other.text().toDelta()).includes(change.id), 'the text has its marks')
  expect((await fetchMarkdown(id)).trim()).toBe('We saw teh cat.')
})

test('[REV-12] accepting and rejecting end a suggestion; a second decision says who decided', async () => {
  const { asAna, asBen, editor, room } = await openDocument('We saw teh cat.\n')
  const { body: change } = await asBen<Change>('POST', '/changes', { quote: 'teh', replaceWith: 'the' })
  expect((await asAna('POST', `/changes/${change.id}`, { decision: 'accept' })).status).toBe(200)
  await until(() => editor.text().toString() === 'We saw the cat.', 'it is accepted')
  expect(editor.text().toDelta()).toEqual([{ insert: 'We saw the cat.' }])
  await until(() => changesIn(room)[change.id] === undefined, 'the room has dropped it')
  const second = await asBen('POST', `/changes/${change.id}`, { decision: 'reject' })
  expect(second.status).toBe(409)
  expect(second.body.error).toMatchObject({ code: 'conflict', message: 'Ana has already accepted this suggestion.' })
  const { body: next } = await asBen<Change>('POST', '/changes', { quote: 'cat', replaceWith: 'dog' })
  await asBen('POST', `/changes/${next.id}`, { decision: 'reject' })
  await until(() => JSON.stringify(editor.text().toDelta()) === '[{"insert":"We saw the cat."}]', 'it is as before')
  expect(await listOf(asAna)).toEqual([])
  expect((await asAna('POST', '/changes/nothing', { decision: 'accept' })).status).toBe(404)
})

test('[REV-13] of two decisions at once one counts, and the text is whole', async () => {
  const { asAna, asBen, editor } = await openDocument('One two three four.\n')
  for (const word of ['one', 'two', 'three', 'four'].slice(1)) {
    const { body: change } = await asBen<Change>('POST', '/changes', { quote: word, replaceWith: word.toUpperCase() })
    const answers = await Promise.all([
      asAna('POST', `/changes/${change.id}`, { decision: 'accept' }),
      asBen('POST', `/changes/${change.id}`, { decision: 'reject' }),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const expected = answers[0]?.status === 200 ? word.toUpperCase() : word
    const [winner, loser] = answers[0]?.status === 200 ? ['Ana', answers[1]] : ['Ben', answers[0]]
    expect(loser?.body.error.message).toContain(winner)
    await until(() => plainOf(editor).includes(expected) && editor.text().toDelta().length === 1, `${word} is decided`)
  }
})

test('[REV-14] the first sender of a suggestion stays its author, no matter who pastes it', async () => {
  const { asAna, editor, other, room } = await openDocument('Some words to delete.\n')
  suggestDeletion(editor, 'change-of-ana', 4)
  await until(() => changesIn(room)['change-of-ana'] !== undefined, 'the room shows it')
  expect(changesIn(room)['change-of-ana']).toMatchObject({ author: { id: ana.user.id, name: 'Ana', kind: 'person' } })
  await until(() => JSON.stringify(other.text().toDelta()).includes('change-of-ana'), 'Ben has it')
  other.text().insert(other.text().length, ' Copied', { 'deletion--AAAAAAAA': { id: 'change-of-ana' } })
  await other.saved()
  expect(await listOf(asAna)).toMatchObject([{ id: 'change-of-ana', type: 'deletion', author: { name: 'Ana' } }])
})

test('[REV-14] suggestions on nodes have authors too; odd ids are left alone', async () => {
  const { asAna, editor, room } = await openDocument('First.\n\nSecond.\n')
  const block = editor.doc.getXmlFragment(contentTypes.fragment).get(1) as Y.XmlElement
  block.setAttribute('suggestion', JSON.stringify([{ id: 'block-1', operation: 'delete' }]))
  ;(block.get(0) as Y.XmlText).format(0, 7, { 'deletion--AAAAAAAA': { id: 'block-1' } })
  editor.text().format(0, 1, { 'deletion--BBBBBBBB': { id: 'x'.repeat(65) } })
  editor.text().format(1, 1, { 'deletion--CCCCCCCC': { id: '__proto__' } })
  await until(() => changesIn(room)['block-1'] !== undefined, 'the room shows it')
  expect(Object.keys(changesIn(room))).toEqual(['block-1'])
  expect((await listOf(asAna)).find(({ id }) => id === 'block-1')).toMatchObject({
    author: { name: 'Ana' },
    type: 'block',
  })
  expect((await asAna('POST', '/changes', { decision: 'reject' })).status).toBe(200)
  await until(() => changesIn(room)['block-1'] === undefined, 'it is decided')
})

test('[REV-15] all are decided at once, or all of one run or author', async () => {
  const { asAna, asBen, editor } = await openDocument('One two three.\n')
  await asBen('POST', '/changes', { quote: 'One', replaceWith: 'Eins' })
  await asAna('POST', '/changes', { quote: 'three', replaceWith: '' })
  const none = await asAna<{ changes: Change[] }>('POST', '/changes', { decision: 'accept', run: 'no-run' })
  expect(none.body.changes).toEqual([])
  await asAna('POST', '/changes', { quote: 'two', replaceWith: 'zwei' })
  const mine = await asBen<{ changes: Change[] }>('POST', '/changes', { decision: 'reject', author: ana.user.id })
  expect(mine.body.changes.map(({ author }) => author.name)).toEqual(['Ana', 'Ana'])
  await asAna('POST', '/changes', { quote: 'three', replaceWith: '' })
  const all = await asAna<{ changes: Change[] }>('POST', '/changes', { decision: 'accept' })
  expect(all.body.changes.map(({ author }) => author.name)).toEqual(['Ben', 'Ana'])
  await until(() => editor.text().toString() === 'Eins two .', 'all are accepted')
})

test('[REV-16] text that is typed meanwhile is kept', async () => {
  const { asAna, asBen, editor } = await openDocument('Delete this sentence.\n')
  const { body: change } = await asBen<Change>('POST', '/changes', { quote: 'this sentence', replaceWith: '' })
  await until(() => JSON.stringify(editor.text().toDelta()).includes(change.id), 'the mark is there')
  const at = plainOf(editor).indexOf('sentence')
  editor.text().insert(at, 'MINE ', { 'deletion--AAAAAAAA': null })
  // The mark's stored name differs from ours: remove every mark from the typed text.
  for (const { attributes } of editor.text().toDelta() as { attributes?: object }[])
    for (const name of Object.keys(attributes ?? {})) editor.text().format(at, 5, { [name]: null })
  await editor.saved()
  await asAna('POST', `/changes/${change.id}`, { decision: 'accept' })
  await until(() => !plainOf(editor).includes('sentence'), 'it is accepted')
  expect(plainOf(editor)).toBe('Delete MINE .')
})

test.each([
  ['a quote that is not there', { quote: 'nowhere', replaceWith: 'x' }, 404],
  ['a quote that is there twice', { quote: 'a', replaceWith: 'x' }, 409],
  ['no place', { replaceWith: 'x' }, 400],
  ['no change', { quote: 'Banana', replaceWith: 'Banana' }, 400],
  ['an unknown decision', { decision: 'maybe' }, 400],
  ['nothing', {}, 400],
  ['a text that is too long', { quote: 'Banana', replaceWith: 'x'.repeat(200_001) }, 400],
])('[REV-3] suggesting with %s is refused', async (_, body, status) => {
  const { asAna } = await openDocument('Banana.\n')
  expect((await asAna('POST', '/changes', body)).status).toBe(status)
  expect(await listOf(asAna)).toEqual([])
})

test('[REV-25] marks of a decided suggestion that come in late are taken off, and the text stays', async () => {
  const { asAna, editor, room } = await openDocument('Some words.\n')
  suggestDeletion(editor, 'change-1', 5)
  await until(() => changesIn(room)['change-1'] !== undefined, 'the room shows it')
  editor.socket.disconnect()
  editor.text().insert(2, 'X', { 'deletion--AAAAAAAA': null })
  expect((await asAna('POST', '/changes/change-1', { decision: 'reject' })).status).toBe(200)
  void editor.socket.connect()
  await until(() => JSON.stringify(editor.text().toDelta()) === '[{"insert":"SoXme words."}]', 'no mark is left')
  suggestDeletion(editor, 'change-1', 5)
  await until(() => !JSON.stringify(editor.text().toDelta()).includes('change-1'), 'nor when it is pasted')
  expect(await listOf(asAna)).toEqual([])
  expect(changesIn(room)).toEqual({})
})
