import type { Version, VersionDiff, VersionList, VersionText } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { paragraph } from '../testing/log-scene.ts'
import { startTestServer, type TestEditor, type TestServer } from '../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.dispose())

type Scene = {
  id: string
  token: string
  call: <T>(method: string, path: string, body?: unknown) => Promise<Answer<T>>
}
type Answer<T> = { status: number; body: T }

async function open(markdown: string, name = 'Ana'): Promise<Scene> {
  const session = await server.signIn(name)
  const { id } = await server.create(session, markdown)
  return { id, token: session.token, call: caller(id, session.token) }
}

function caller(id: string, token: string): Scene['call'] {
  return async (method, path, body) => {
    const response = await fetch(`${server.url}/api/documents/${id}/versions${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as never }
  }
}

const texts = ({ doc }: TestEditor): string[] =>
  doc
    .getXmlFragment(contentTypes.fragment)
    .toArray()
    .map((block) => block.toJSON().replaceAll(/<[^>]*>/g, ''))

const blocks = ({ doc }: TestEditor) => doc.getXmlFragment(contentTypes.fragment)

test('[HIST-1] named versions are read, compared, renamed, and refused to strangers', async () => {
  const { id, token, call } = await open('First line')
  const ana = await server.join(token, id)
  const made = await call<Version>('POST', '', { name: 'Draft' })
  expect(made).toMatchObject({ status: 201, body: { name: 'Draft', kind: 'named', author: { name: 'Ana' } } })
  // Nothing has changed: there is no new version to store.
  expect((await call('POST', '', { name: 'Again' })).status).toBe(409)
  ana.text().insert(5, ' good')
  await ana.saved()
  const second = await call<Version>('POST', '')
  const { body: list } = await call<VersionList>('GET', '')
  expect(list.versions.map(({ id: each }) => each)).toEqual([second.body.id, made.body.id])
  expect(list.versions[0]).toMatchObject({ name: null, writers: [{ name: 'Ana', kind: 'person' }] })

  const read = await call<VersionText>('GET', `/${made.body.id}`)
  expect(read.body).toMatchObject({ markdown: 'First line\n', document: { type: 'doc' } })
  const diff = await call<VersionDiff>('GET', `/${second.body.id}/diff`)
  expect(diff.body).toMatchObject({ from: made.body.id, to: second.body.id })
  expect(diff.body.changes).toMatchObject([{ type: 'insertion', after: 'good ' }])
  const both = await call<VersionDiff>('GET', `/${made.body.id}/diff?against=current`)
  expect(both.body).toMatchObject({ from: made.body.id, to: 'current', changes: diff.body.changes })

  expect((await call('GET', `/${second.body.id}/extent`)).body).toEqual({ paragraphs: 1 })
  expect((await call('GET', `/${made.body.id}/extent?against=current`)).body).toEqual({ paragraphs: 1 })

  const renamed = await call<Version>('PATCH', `/${second.body.id}`, { name: 'Better' })
  expect(renamed.body).toMatchObject({ name: 'Better' })
  expect((await call('GET', '/none')).status).toBe(404)
  expect((await call('GET', '?cursor=x')).status).toBe(400)
  const other = await open('Other')
  expect((await other.call('GET', `/${made.body.id}`)).status).toBe(404)
  ana.close()
})

test('[HIST-7] restoring is an edit that peers see, between a version of before and one of after, and is undone by restoring', async () => {
  const { id, token, call } = await open('# Title\n\nFirst line\n\nSecond line')
  const ana = await server.join(token, id)
  const ben = await server.join((await server.signIn('Ben')).token, id)
  const { body: draft } = await call<Version>('POST', '', { name: 'Draft' })
  blocks(ben).delete(1, 1)
  blocks(ben).insert(2, [paragraph('Third line')])
  await ben.saved()
  const restored = await call<Version>('POST', `/${draft.id}/restore`)
  expect(restored.body).toMatchObject({ kind: 'restore', restored: { id: draft.id, name: 'Draft' } })
  const before = ['Title', 'Second line', 'Third line']
  for (const each of [ana, ben]) {
    await until(() => texts(each).join('|') === 'Title|First line|Second line', 'everybody sees the restored text')
  }
  expect(await call('POST', `/${draft.id}/restore`)).toMatchObject({ status: 409 })
  const { body: list } = await call<VersionList>('GET', '')
  const [newest, kept] = list.versions
  expect(newest?.id).toBe(restored.body.id)
  expect(kept).toMatchObject({ kind: 'automatic', writers: [{ name: 'Ben' }] })
  await call('POST', `/${kept?.id}/restore`)
  await until(() => texts(ben).join('|') === before.join('|'), 'the text of before is back')
  for (const each of [ana, ben]) each.close()
})

test('[HIST-8] text typed while a version is restored is not lost, and unchanged text keeps its identity', async () => {
  const { id, token, call } = await open('Stays here\n\nA line to change')
  const ana = await server.join(token, id)
  const ben = await server.join((await server.signIn('Ben')).token, id)
  const { body: draft } = await call<Version>('POST', '', { name: 'Draft' })
  const line = blocks(ana).get(1) as Y.XmlElement
  ;(line.get(0) as Y.XmlText).insert(2, 'very long ')
  await ana.saved()
  await until(() => texts(ben)[1] === 'A very long line to change', 'Ben has it')
  const typed = 'typed without a pause '
  const restoring = call<Version>('POST', `/${draft.id}/restore`)
  const text = ben.text()
  let caret = Y.createRelativePositionFromTypeIndex(text, 0)
  for (const letter of typed) {
    // The characters before it may be deleted.
    const { index = 0 } = Y.createAbsolutePositionFromRelativePosition(caret, ben.doc) ?? {}
    text.insert(index, letter)
    caret = Y.createRelativePositionFromTypeIndex(text, index + 1, -1)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await restoring
  await ben.saved()
  const { body: list } = await call<VersionList>('GET', '')
  const before = await call<VersionText>('GET', `/${list.versions[1]?.id}`)
  const seen = before.body.markdown.split('Stays')[0] ?? ''
  // Typing before the restore is in the previous version; typing after it is in the text.
  await until(() => texts(ana)[1] === 'A line to change', 'the version is back')
  const letters = typed.split('')
  const left = (texts(ben)[0] ?? '').replace('Stays here', '')
  expect(left.length + seen.length).toBeGreaterThanOrEqual(letters.length)
  expect(typed.endsWith(left)).toBe(true)
  expect(typed.startsWith(seen)).toBe(true)
  await until(() => texts(ana).join() === texts(ben).join(), 'both have the same')
  // Only the difference was written: Ben's Y.XmlText object is the same.
  expect(ben.text()).toBe(text)
  for (const each of [ana, ben]) each.close()
})

test('[HIST-8] text typed into a block while it is removed is put into a separate paragraph, under its author', async () => {
  const { id, token, call } = await open('Stays here')
  const ana = await server.join(token, id)
  const ben = await server.signIn('Ben')
  const { body: draft } = await call<Version>('POST', '', { name: 'Draft' })
  blocks(ana).insert(1, [paragraph('Ben writes'), paragraph('')])
  await ana.saved()
  // Ben's connection is slow: his typing is in transit while the version is restored.
  const slow = new Y.Doc()
  Y.applyUpdate(slow, Y.encodeStateAsUpdate(ana.doc))
  const before = Y.encodeStateVector(slow)
  await call('POST', `/${draft.id}/restore`)
  await until(() => texts(ana).length === 1, 'the version is back')
  const textOf = (index: number) =>
    (slow.getXmlFragment(contentTypes.fragment).get(index) as Y.XmlElement).get(0) as Y.XmlText
  for (const letter of ' ond'.split('')) textOf(1).insert(textOf(1).length, letter)
  textOf(1).delete(textOf(1).length - 1, 1)
  textOf(2).insert(0, 'in an empty one')
  const send = async (since: Uint8Array) =>
    fetch(`${server.url}/api/documents/${id}/updates`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/octet-stream' },
      body: Uint8Array.from(Y.encodeStateAsUpdate(slow, since)),
    })
  expect((await send(before)).status).toBe(204)
  await until(() => texts(ana).length === 3, 'what Ben typed is back')
  expect(texts(ana)).toEqual(['Stays here', ' on', 'in an empty one'])
  const rows = server.rows(id)
  expect(rows.at(-1)?.actor).toBe(ben.user.id)
  ana.close()
})
