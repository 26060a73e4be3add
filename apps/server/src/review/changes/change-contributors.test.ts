import type { Change, ChangeRecord, Session } from '@copydesk/protocol'
import { contentTypes, roomName, roomTypes } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { type ApiCaller, callApi } from '../../testing/call-api.ts'
import { startTestServer, type TestEditor, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ana: Session
let ben: Session
let mallory: Session

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.signIn('Ana')
  ben = await server.signIn('Ben')
  mallory = await server.signIn('Mallory')
})
afterAll(() => server.dispose())

const key = 'insertion'

type Scene = { id: string; asAna: ApiCaller; ana: TestEditor; ben: TestEditor; mallory: TestEditor; room: TestEditor }

/** A scene where Ana has suggested the texts of `suggested`, keyed by change id, at the end of the first block. */
async function openScene(suggested: Record<string, string>): Promise<Scene> {
  const { id } = await server.create(ana, 'We pay.\n\nSecond.\n')
  const join = (session: Session): Promise<TestEditor> => server.join(session.token, id)
  const scene: Scene = {
    id,
    asAna: callApi(server.url, ana.token, id),
    ana: await join(ana),
    ben: await join(ben),
    mallory: await join(mallory),
    room: await server.join(ben.token, roomName(id)),
  }
  for (const [change, words] of Object.entries(suggested)) {
    const text = scene.ana.text()
    text.insert(text.length, words, { [key]: { id: change } })
    await until(() => shown(scene)[change] !== undefined, 'the room shows who suggests')
  }
  const isThere = ({ doc }: TestEditor): boolean =>
    Object.keys(suggested).every((change) => JSON.stringify(blocks(doc).map((each) => each.toDelta())).includes(change))
  await until(() => isThere(scene.ben) && isThere(scene.mallory), 'all have it')
  return scene
}

function shown({ room }: Scene): Record<string, ChangeRecord> {
  return room.doc.getMap(roomTypes.changes).toJSON()
}

function blocks(doc: Y.Doc): Y.XmlText[] {
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  return fragment.toArray().map((block) => (block as Y.XmlElement).get(0) as Y.XmlText)
}

function plainOf(text: Y.XmlText): string {
  return (text.toDelta() as { insert: string }[]).map(({ insert }) => insert).join('')
}

async function listOf({ asAna }: Scene): Promise<Change[]> {
  return (await asAna<{ changes: Change[] }>('GET', '/changes')).body.changes
}

function contributorsIn({ id }: Scene): string[] {
  const rows = server.file
    .prepare('SELECT change, author_name FROM change_contributors WHERE document = ? ORDER BY at')
    .all(id)
  return rows.map((row) => `${String(row['author_name'])} in ${String(row['change'])}`)
}

const byMallory = [{ id: expect.any(String), name: 'Mallory', kind: 'person' }]

test('[REV-30] adding text to another’s suggestion names the person, in the room and in the list', async () => {
  const scene = await openScene({ one: ' Soon.' })
  const text = scene.mallory.text()
  text.insert(text.length, ' Never.', { [key]: { id: 'one' } })
  await until(() => shown(scene)['one']?.alsoBy !== undefined, 'the room shows who has written into it')
  expect(shown(scene)['one']).toMatchObject({ author: { name: 'Ana' }, alsoBy: byMallory })
  expect(await listOf(scene)).toMatchObject([{ id: 'one', author: { name: 'Ana' }, alsoBy: byMallory }])
  // Also in the middle of the suggestion, where no mark is written.
  scene.ben.text().insert(plainOf(scene.ben.text()).indexOf('Soon') + 2, 'x')
  await until(() => shown(scene)['one']?.alsoBy?.length === 2, 'Ben is named too')
  expect((await listOf(scene))[0]?.alsoBy?.map(({ name }) => name)).toEqual(['Mallory', 'Ben'])
})

test('[REV-30] adding marks of another’s suggestion to text names the person who added them', async () => {
  const scene = await openScene({ one: ' Soon.', two: ' Now.', three: ' Here.' })
  scene.mallory.text().format(0, 2, { 'deletion--BBBBBBBB': { id: 'one' } })
  const block = scene.mallory.doc.getXmlFragment(contentTypes.fragment).get(1) as Y.XmlElement
  block.setAttribute('suggestion', JSON.stringify([{ id: 'two', operation: 'delete' }]))
  await scene.mallory.saved()
  await until(() => contributorsIn(scene).length === 2, 'both are recorded')
  expect((await listOf(scene)).map(({ id, alsoBy }) => [id, alsoBy?.[0]?.name])).toEqual(
    expect.arrayContaining([
      ['one', 'Mallory'],
      ['two', 'Mallory'],
      ['three', undefined],
    ]),
  )
})

test('[REV-30] so does taking away the end of a mark', async () => {
  const scene = await openScene({})
  scene.ana.text().format(0, 2, { 'deletion--AAAAAAAA': { id: 'one' } })
  const text = scene.mallory.text()
  await until(() => JSON.stringify(text.toDelta()).includes('one'), 'Mallory has it')
  scene.mallory.doc.transact((transaction) => {
    for (let item = text._start; item; item = item.right) {
      if (item.content instanceof Y.ContentFormat && item.content.value === null) item.delete(transaction)
    }
  })
  await until(() => shown(scene)['one']?.alsoBy !== undefined, 'Mallory is named')
  expect(await listOf(scene)).toMatchObject([{ before: 'We pay.', author: { name: 'Ana' }, alsoBy: byMallory }])
})

test('[REV-30] [SUG-20] a person who cuts another’s suggestion and pastes it elsewhere is named', async () => {
  const scene = await openScene({ one: ' Soon.' })
  const text = scene.ben.text()
  text.delete('We pay.'.length, ' Soon.'.length)
  blocks(scene.ben.doc)[1]?.insert(0, 'Soon. ', { [key]: { id: 'one' } })
  await until(() => shown(scene)['one']?.alsoBy !== undefined, 'Ben is named')
  expect(await listOf(scene)).toMatchObject([{ id: 'one', author: { name: 'Ana' }, alsoBy: [{ name: 'Ben' }] }])
})

test('[REV-33] [SUG-20] a person who removes text from another’s suggestion, or changes its meaning, is named', async () => {
  const scene = await openScene({ one: ' We do not pay late.', two: ' See terms.', three: ' Here.' })
  const text = scene.mallory.text()
  text.delete(plainOf(text).indexOf('not '), 'not '.length)
  text.format(plainOf(text).indexOf('terms'), 'terms'.length, { link: { href: 'https://mallory.example' } })
  await until(() => contributorsIn(scene).length === 2, 'both are recorded')
  expect(await listOf(scene)).toMatchObject([
    { id: 'one', after: ' We do pay late.', author: { name: 'Ana' }, alsoBy: byMallory },
    { id: 'two', author: { name: 'Ana' }, alsoBy: byMallory },
    { id: 'three', author: { name: 'Ana' } },
  ])
  const decide = { decision: 'accept', author: ana.user.id }
  const decided = await scene.asAna<{ changes: Change[] }>('POST', '/changes', decide)
  expect(decided.body.changes.map(({ id }) => id)).toEqual(['three'])
})

test('[REV-33] what rejecting puts back can’t be changed under another’s name, and no deletion made smaller or larger', async () => {
  const scene = await openScene({})
  const turned = { id: 'turned', mark: 'bold', previous: null }
  scene.ana.text().format(0, 2, { bold: {}, 'formattingChange--AAAAAAAA': turned })
  scene.ana.text().format(3, 3, { 'deletion--AAAAAAAA': { id: 'gone' } })
  const block = (doc: Y.Doc): Y.XmlElement => doc.getXmlFragment(contentTypes.fragment).get(1) as Y.XmlElement
  const change = { id: 'block', operation: 'change', previous: { type: 'paragraph', attributes: {} } }
  block(scene.ana.doc).setAttribute('suggestion', JSON.stringify([change]))
  await until(() => Object.keys(shown(scene)).length === 3, 'the room shows them')
  await until(() => block(scene.mallory.doc).getAttribute('suggestion') !== undefined, 'Mallory has them')
  const text = scene.mallory.text()
  text.format(0, 2, { 'formattingChange--AAAAAAAA': { ...turned, previous: '{"color":"red"}' } })
  text.format(3, 2, { 'deletion--AAAAAAAA': null })
  const forged = { ...change, previous: { type: 'heading', attributes: { level: 1 } } }
  block(scene.mallory.doc).setAttribute('suggestion', JSON.stringify([forged]))
  await until(() => contributorsIn(scene).length === 3, 'all are recorded')
  expect((await listOf(scene)).map(({ id, alsoBy }) => [id, alsoBy])).toEqual([
    ['turned', byMallory],
    ['gone', byMallory],
    ['block', byMallory],
  ])
})

test('[REV-31] text in one’s own suggestion, and plain text next to or inside another’s, names nobody', async () => {
  const scene = await openScene({ one: ' Soon.' })
  const own = scene.ana.text()
  for (const letter of 'ever') own.insert(own.length, letter, { [key]: { id: 'one' } })
  await scene.ana.saved()
  await until(() => plainOf(scene.ben.text()).endsWith('ever'), 'Ben has it')
  // An editor that types plain text into a mark closes the mark before the text and reopens it after the text.
  scene.ben.text().insert('We pay. So'.length, 'PLAIN', { [key]: null })
  scene.ben.text().insert(0, 'Today: ', {})
  await scene.ben.saved()
  expect(contributorsIn(scene)).toEqual([])
  expect((await listOf(scene))[0]).not.toHaveProperty('alsoBy')
})

test('[REV-31] repeats are written once', async () => {
  const scene = await openScene({ one: ' Soon.' })
  const text = scene.mallory.text()
  for (const letter of 'Never') text.insert(text.length, letter, { [key]: { id: 'one' } })
  await scene.mallory.saved()
  await until(() => shown(scene)['one']?.alsoBy !== undefined, 'Mallory is named')
  const before = server.rows(roomName(scene.id)).length
  for (const letter of ' at all') text.insert(text.length, letter, { [key]: { id: 'one' } })
  await scene.mallory.saved()
  const own = scene.ana.text()
  await until(() => plainOf(own).endsWith('at all'), 'Ana has it')
  own.insert(own.length, '!', { [key]: { id: 'one' } })
  await scene.ana.saved()
  expect(await listOf(scene)).toHaveLength(1)
  expect(server.rows(roomName(scene.id))).toHaveLength(before)
  expect(contributorsIn(scene)).toEqual(['Mallory in one'])
})

test('[REV-32] a decision on all of one author leaves those in which others have a hand, except the decider’s own', async () => {
  const scene = await openScene({ one: ' Soon.', two: ' Now.' })
  const text = scene.mallory.text()
  text.insert(text.length, ' Never.', { [key]: { id: 'two' } })
  await until(() => shown(scene)['two']?.alsoBy !== undefined, 'Mallory is named')
  const decide = { decision: 'accept', author: ana.user.id }
  const decided = await scene.asAna<{ changes: Change[] }>('POST', '/changes', decide)
  expect(decided.body.changes.map(({ id }) => id)).toEqual(['one'])
  expect((await listOf(scene)).map(({ id }) => id)).toEqual(['two'])
  const asMallory = callApi(server.url, mallory.token, scene.id)
  const hers = await asMallory<{ changes: Change[] }>('POST', '/changes', decide)
  expect(hers.body.changes).toMatchObject([{ id: 'two', alsoBy: byMallory }])
})
