import { Document } from '@hocuspocus/server'
import { afterEach, expect, test, vi } from 'vitest'
import { until } from '@copydesk/testing'
import { startTestServer } from '../../testing/test-server.ts'
import { IdleDocumentCache } from './idle-document-cache.ts'

afterEach(() => void vi.useRealTimers())

function setUp(limits: { documents?: number; structs?: number } = {}) {
  vi.useFakeTimers()
  const unloaded: string[] = []
  const idleDocuments = new IdleDocumentCache(
    (document) => {
      if (!idleDocuments.keeps(document)) unloaded.push(document.name)
    },
    { forMs: 1000, ...limits },
  )
  return { idleDocuments, unloaded }
}

test('[COLLAB-12] a document that everybody has left goes when its time is over, and not before', () => {
  const { idleDocuments, unloaded } = setUp()
  const document = new Document('a')
  expect(idleDocuments.keeps(document)).toBe(true)
  vi.advanceTimersByTime(900)
  expect(idleDocuments.keeps(document)).toBe(true)
  expect(unloaded).toEqual([])
  vi.advanceTimersByTime(100)
  expect(unloaded).toEqual(['a'])
})

test('[COLLAB-12] a returning client takes the idle document over, and its time starts again when the client leaves', () => {
  const { idleDocuments, unloaded } = setUp()
  const document = new Document('a')
  idleDocuments.keeps(document)
  vi.advanceTimersByTime(900)
  idleDocuments.noteReopened(document)
  vi.advanceTimersByTime(5000)
  expect(unloaded).toEqual([])
  expect(idleDocuments.keeps(document)).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(unloaded).toEqual(['a'])
  idleDocuments.noteReopened(document)
  expect(idleDocuments.keeps(document)).toBe(true)
})

test('[COLLAB-12] one too many sends the one away that was left first; after closing nothing is kept', () => {
  const { idleDocuments, unloaded } = setUp({ documents: 2 })
  for (const name of ['a', 'b', 'c']) idleDocuments.keeps(new Document(name))
  expect(unloaded).toEqual(['a'])
  idleDocuments.close()
  vi.advanceTimersByTime(5000)
  expect(unloaded).toEqual(['a'])
  expect(idleDocuments.keeps(new Document('d'))).toBe(false)
})

test('[COLLAB-12] so do too large ones, of which one alone may stay', () => {
  const { idleDocuments, unloaded } = setUp({ structs: 10 })
  const left = (name: string, structs: number): void => {
    const document = new Document(name)
    for (let count = 0; count < structs; count++) document.getText('text').insert(0, 'x')
    idleDocuments.keeps(document)
  }
  left('small', 4)
  left('other', 6)
  expect(unloaded).toEqual([])
  left('third', 5)
  expect(unloaded).toEqual(['small', 'other'])
  left('huge', 30)
  expect(unloaded).toEqual(['small', 'other', 'third'])
})

test('[COLLAB-12] writes to an idle document are there for a returning client, and search finds what clients left', async () => {
  const server = await startTestServer()
  try {
    const ana = await server.signIn('Ana')
    const { id } = await server.create(ana, 'A letter')
    const first = await server.join(ana.token, id)
    first.text().insert(2, 'flamboyant ')
    await first.saved()
    first.close()
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${server.url}/api/documents${path}`, {
        ...init,
        headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
      })
    const found = async () => ((await (await call('?query=flamboyant')).json()) as { documents: unknown[] }).documents
    await until(async () => (await found()).length === 1, 'search finds it')
    const body = JSON.stringify({ quote: 'letter', text: 'Which one?' })
    expect((await call(`/${id}/threads`, { method: 'POST', body })).status).toBe(201)
    const again = await server.join(ana.token, id)
    const marks = JSON.stringify(again.text().toDelta())
    expect(marks).toContain('flamboyant')
    expect(marks).toContain('comment')
    again.close()
  } finally {
    await server.dispose()
  }
})
