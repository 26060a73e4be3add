import { contentName } from '@copydesk/schema'
import { afterEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { startTestServer, type TestEditor, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let editors: TestEditor[] = []
afterEach(async () => {
  for (const editor of editors) editor.close()
  editors = []
  await server.dispose()
})

async function join(token: string, document: string): Promise<TestEditor> {
  const editor = await server.join(token, contentName(document))
  editors.push(editor)
  return editor
}

const large = 'word '.repeat(140_000)

test('[QUOTA-6] an update that finds no room closes its socket with 4413 and is neither logged nor shown; others write on', async () => {
  server = await startTestServer({ QUOTAS: '{"logMiBPerPersonAndDay": 1}' })
  const [ana, ben] = [await server.signIn('Ana'), await server.signIn('Ben')]
  const { id } = await server.create(ana, 'Text')
  const [first, second] = [await join(ana.token, id), await join(ben.token, id)]
  first.text().insert(0, large)
  await first.saved()
  const closed: { code: number; reason: string }[] = []
  first.socket.on('close', ({ event }: { event: { code: number; reason: string } }) => void closed.push(event))
  first.text().insert(0, large)
  await until(() => closed.length > 0, 'the socket is closed')
  expect(closed[0]).toMatchObject({
    code: 4413,
    reason: expect.stringMatching(/^quota_exceeded: Your changes today/),
  })
  second.text().insert(0, 'Ben ')
  await second.saved()
  expect(second.text().length).toBe(large.length + 'Ben Text'.length)
  expect(server.load(contentName(id)).getXmlFragment('default').toString().length).toBeLessThan(large.length * 1.5)

  // The client keeps the refused content, and sends it when there is room.
  expect(first.text().length).toBeGreaterThan(2 * large.length)
})

test('[QUOTA-6] so is one that comes by HTTP, by what it would add and before it is looked at', async () => {
  server = await startTestServer({ QUOTAS: '{"logMiBPerDocument": 1}' })
  const ana = await server.signIn('Ana')
  const { id } = await server.create(ana, 'Text')
  const send = async (text: string): Promise<Response> => {
    const doc = server.load(contentName(id))
    const before = Y.encodeStateVector(doc)
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(text)])
    doc.getXmlFragment('default').push([paragraph])
    const body = new Uint8Array(Y.encodeStateAsUpdate(doc, before))
    const headers = { authorization: `Bearer ${ana.token}`, 'content-type': 'application/octet-stream' }
    return fetch(`${server.url}/api/documents/${id}/updates`, { method: 'POST', headers, body })
  }
  expect((await send(large)).status).toBe(204)
  const refused = await send(large)
  expect([refused.status, await refused.json()]).toMatchObject([
    507,
    { error: { code: 'quota_exceeded', hint: expect.stringContaining('logMiBPerDocument') } },
  ])
  expect((await send('short')).status).toBe(204)
})
