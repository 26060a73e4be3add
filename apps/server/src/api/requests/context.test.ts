import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeFile } from '../../testing/test-store.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.dispose())

test('[LOG-17] a document can be read while visits cannot be stored', async () => {
  const [ana, ben] = [await server.signIn('Ana'), await server.signIn('Ben')]
  const { id } = await server.create(ana, 'Words.')
  await changeFile(server.file, 'ALTER TABLE document_visits RENAME TO away')
  const headers = { authorization: `Bearer ${ben.token}` }
  const answer = await fetch(`${server.url}/api/documents/${id}/export`, { headers })
  expect([answer.status, await answer.text()]).toEqual([200, 'Words.\n'])
  expect(server.logged()).toContain('a visit could not be stored')
})
