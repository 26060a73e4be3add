import { contentName, contentTypes } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { type ApiCaller, callApi } from '../testing/call-api.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { changeFile } from '../testing/test-store.ts'

let server: TestServer
let call: ApiCaller
let document: string

// Just below the number of blocks that a document may have.
const levels = 59_900

/** A log row as an older server could have written it: deeply nested quotes with a text at the bottom. */
function deepUpdate(id: string): Uint8Array {
  const doc = server.load(id)
  const before = Y.encodeStateVector(doc)
  doc.transact(() => {
    let inner: Y.XmlFragment = doc.getXmlFragment(contentTypes.fragment)
    for (let level = 0; level < levels; level++) {
      const quote = new Y.XmlElement('blockquote')
      inner.push([quote])
      inner = quote
    }
    const paragraph = new Y.XmlElement('paragraph')
    inner.push([paragraph])
    paragraph.push([new Y.XmlText('the bottom')])
  })
  return Y.encodeStateAsUpdate(doc, before)
}

beforeAll(async () => {
  // A closed document gets a snapshot, which search reads.
  server = await startTestServer({ KEEP_OPEN_SECONDS: '0' })
  const ana = await server.signIn('Ana')
  document = (await server.create(ana, 'the top')).id
  call = callApi(server.url, ana.token, document)
  const name = contentName(document)
  const insert = 'INSERT INTO document_updates (name, seq, bytes, actor, run, at) VALUES (?, 2, ?, ?, NULL, ?)'
  await changeFile(server.file, insert, name, deepUpdate(document), ana.user.id, Date.now())
  await changeFile(server.file, 'UPDATE logs SET seq = 2 WHERE name = ?', name)
})
afterAll(() => server.dispose())

const reads = [
  '/export?format=markdown',
  '/export?format=markdown&changes=accepted',
  '/export?format=html',
  '/export?format=json',
  '/authorship',
  '/authorship?by=ids',
  '/versions',
  '/versions/current/diff',
  '/threads',
  '/changes',
  '/people',
  '/messages',
]

/** Sends the agent a request; returns its run. */
async function ask(text: string): Promise<string> {
  const { status, body } = await call<{ run: { id: string } }>('POST', '/messages', { text })
  expect(status).toBe(202)
  const isOver = async (): Promise<boolean> => {
    const run = await call<{ status: string }>('GET', `/runs/${body.run.id}`)
    if (run.body.status === 'failed') throw new Error(JSON.stringify(run.body))
    return run.body.status === 'completed'
  }
  await until(isOver, 'the run is over')
  return body.run.id
}

async function read(path: string): Promise<{ status: number; text: string }> {
  const token = (await server.signIn('Reader')).token
  const response = await fetch(`${server.url}/api/documents/${document}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: response.status, text: await response.text() }
}

test.each(reads)('[BAD-67] a document that nests too deep is read by GET %s', async (path) => {
  const { status, text } = await read(path)
  expect(status, text.slice(0, 300)).toBe(200)
  if (path.startsWith('/export')) expect(text).toContain('the top')
})

test('[BAD-67] its versions are made, read, compared, and restored', async () => {
  const made = await call<{ id: string }>('POST', '/versions', { name: 'deep' })
  expect(made.status, JSON.stringify(made.body).slice(0, 300)).toBe(201)
  expect((await call('GET', `/versions/${made.body.id}`)).status).toBe(200)
  expect((await call('GET', `/versions/${made.body.id}/diff`)).status).toBe(200)
  const { body } = await call<{ versions: { id: string }[] }>('GET', '/versions')
  const oldest = body.versions.at(-1)!.id
  const restored = await call('POST', `/versions/${oldest}/restore`)
  expect(restored.status, server.logged().slice(0, 2500)).toBe(409)
})

test('[BAD-67] it is found by its text, and the agent reads it', async () => {
  const found = await call<{ documents: { id: string }[] }>('GET', '/api/documents?query=top')
  expect(found.body.documents.map(({ id }) => id)).toContain(document)
  await ask('Summarize this document')
  expect(server.logged().slice(0, 1000)).toBe('')
})

test('[BAD-67] changes of the agent next to it are written and undone, and the rest stays', async () => {
  const run = await ask('Replace "the top" with "the summit"')
  expect((await read('/export?format=markdown')).text).toContain('the summit')
  expect((await call('POST', `/runs/${run}/undo`)).status).toBe(200)
  const { text } = await read('/export?format=markdown')
  expect(text).toContain('the top')
  await until(async () => {
    const found = await call<{ documents: { id: string }[] }>('GET', '/api/documents?query=bottom')
    return found.body.documents.some(({ id }) => id === document)
  }, 'what is nested deepest is found')
})
