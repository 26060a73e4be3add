import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListDocumentsQuery } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { Roles } from '../rights/roles.ts'
import { Snapshots } from '../store/log/snapshots.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { listDocuments } from './document-list.ts'
import { Summaries } from './summaries.ts'

let context: TestStore

beforeAll(async () => {
  context = await openTestStore()
  const person = (id: string, name: string) => ({ id, name, color: '#112233', created_at: 0, guest: 0 })
  await context.store.db
    .insertInto('people')
    .values([person('ana', 'Ana'), person('ben', 'Ben')])
    .execute()
})
afterAll(() => context.dispose())

async function create(person: string, title: string, markdown = 'text'): Promise<string> {
  context.clock.now += 1000
  const { id } = await context.documents.create(person, { title, markdown })
  await visit(id, person)
  return id
}

async function visit(document: string, person: string): Promise<void> {
  const row = { document, person, last_at: context.clock.now }
  await context.store.db.insertInto('document_visits').values(row).execute()
}

async function list(query: ListDocumentsQuery): Promise<string[]> {
  const { documents } = await context.documents.list('ana', query)
  return documents.map(({ title }) => title)
}

test('[LIST-1] a list is sorted by its last change, its creation or its title, in pages', async () => {
  for (const title of ['Plan 10', 'Plan 9', 'Übung', 'agenda']) await create('ana', title)
  const old = await create('ben', 'zero')
  await create('ana', '', 'Buy milk\n\nand bread')
  context.clock.now += 1000
  await context.documents.patch(old, 'ana', { title: 'Zero' })
  expect(await list({})).toEqual(['Zero', 'Buy milk', 'agenda', 'Übung', 'Plan 9', 'Plan 10'])
  expect(await list({ sort: 'created' })).toEqual(['Buy milk', 'Zero', 'agenda', 'Übung', 'Plan 9', 'Plan 10'])
  expect(await list({ sort: 'title' })).toEqual(['agenda', 'Buy milk', 'Plan 9', 'Plan 10', 'Übung', 'Zero'])
  for (let more = 0; more < 60; more++) await create('ana', `Many ${more}`)
  for (const sort of ['title', 'created', 'edited'] as const) {
    const seen: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page = await context.documents.list('ana', { sort, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.documents.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(new Set(seen).size).toBe(66)
    expect(seen).toHaveLength(66)
  }
  const { nextCursor } = await context.documents.list('ana', { sort: 'title' })
  const other = context.documents.list('ana', { sort: 'created', cursor: nextCursor ?? '' })
  await expect(other).rejects.toMatchObject({ code: 'invalid_input' })
})

test('[LIST-3] it is filtered by owner, stars and people, which combine', async () => {
  const { documents } = context
  const [mine, theirs] = [await create('ana', 'filtered mine'), await create('ben', 'filtered theirs')]
  await documents.setStarred(theirs, 'ana', true)
  await documents.setStarred(theirs, 'ana', true)
  await documents.setStarred(mine, 'ben', true)
  expect(await list({ starred: true })).toEqual(['filtered theirs'])
  expect(await list({ query: 'filtered', owner: 'me' })).toEqual(['filtered mine'])
  expect(await list({ query: 'filtered', owner: 'others' })).toEqual(['filtered theirs'])
  expect(await list({ query: 'filtered', person: 'ben' })).toEqual(['filtered theirs'])
  await visit(mine, 'ben')
  expect(await list({ query: 'filtered', person: 'ben', owner: 'me' })).toEqual(['filtered mine'])
  expect((await documents.find(theirs, 'ana'))?.starred).toBe(true)
  await documents.setStarred(theirs, 'ana', false)
  expect(await list({ starred: true })).toEqual([])
})

test('[LIST-4] each document has its owner, its people, its last editor and the beginning of its text', async () => {
  const { documents, writer, store, log } = context
  const id = await create('ana', 'Report', '# Report\n\nFirst *words*\n\nof it')
  await visit(id, 'ben')
  const ana = { id: 'ana', name: 'Ana', color: '#112233' }
  const before = await documents.find(id, 'ben')
  expect(before).toMatchObject({ owner: ana, peopleCount: 2, preview: 'First words of it', folder: null })
  expect(before?.editedBy).toEqual({ ...ana, kind: 'person' })
  expect(before?.people.map(({ name }) => name).toSorted()).toEqual(['Ana', 'Ben'])
  await writer.write(id, { actor: 'ben' }, ({ doc }) => {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('word '.repeat(100))])
    doc.getXmlFragment(contentTypes.fragment).insert(1, [paragraph])
  })
  await writer.write(id, { actor: 'server' }, ({ doc }) => doc.getMap('m').set('a', 1))
  await documents.touch(id)
  const snapshots = new Snapshots(store, log, () => 0)
  await snapshots.refresh(id)
  await snapshots.close()
  const after = await documents.find(id, 'ana')
  expect(after?.editedBy?.name).toBe('Ben')
  expect(after?.preview).toBe('word '.repeat(40).trim())
})

test('[LIST-2] a search says where it found a document', async () => {
  const filler = 'Some more words in between. '.repeat(20)
  await create('ana', 'Straße nach Süden', `${filler}\n\nDie STRASSE ist\n\n- lang, die Straße\n- ist ${filler}`)
  const { documents } = await context.documents.list('ana', { query: ' straße' })
  expect(documents).toHaveLength(1)
  const { title, found } = documents[0] ?? { title: '' }
  expect(found?.title.map(({ from, to }) => title.slice(from, to))).toEqual(['Straße'])
  expect(found?.snippet?.text).toMatch(/^…\S.* ist lang, die Straße ist .*\w$/)
  const snippet = found?.snippet
  expect(snippet?.ranges.map(({ from, to }) => snippet.text.slice(from, to))).toEqual(['Straße'])
  const byTitle = await context.documents.list('ana', { query: 'nach süden' })
  expect(byTitle.documents[0]?.found?.snippet).toBeUndefined()
  expect((await context.documents.list('ana', {})).documents[0]).not.toHaveProperty('found')
})

test('[LIST-6] a page takes as many queries for thirty documents as for one', async () => {
  let queries = 0
  const db = context.store.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries++
      return result
    },
  })
  const roles = new Roles({ db, now: () => context.clock.now, isOpen: false })
  const summaries = new Summaries({ db, roles, trashMs: undefined })
  const folder = { id: 'f', name: 'F', created_by: 'ana', created_at: 0 }
  await context.store.db.insertInto('folders').values(folder).execute()
  const member = { item: 'f', person: 'ben', role: 'editor', added_by: 'ana', added_at: 0 } as const
  await context.store.db.insertInto('members').values(member).execute()
  const counts: [documents: number, queries: number][] = []
  for (const many of [1, 29]) {
    for (let index = 0; index < many; index++) await create('ana', `counted ${index}`)
    const counted = context.store.db.updateTable('documents').set({ folder: 'f' })
    await counted.where('title', 'like', 'counted %').execute()
    queries = 0
    const { documents } = await listDocuments({ db, roles, summaries }, 'ben', { query: 'counted' })
    counts.push([documents.length, queries])
  }
  expect(counts).toEqual([
    [1, expect.any(Number)],
    [30, counts[0]?.[1]],
  ])
  expect(queries).toBeLessThan(12)
})

test('[LIST-5] snapshots of older servers get what lists show of them when the server starts', async () => {
  const { store, log, documents } = context
  const id = await create('ana', 'Old', 'Text with a Needle')
  await store.db.updateTable('documents').set({ preview: null }).where('id', '=', id).execute()
  await store.db.updateTable('document_snapshots').set({ shown_text: '' }).where('name', '=', id).execute()
  const snapshots = new Snapshots(store, log, () => 0)
  await snapshots.refreshAll((error) => expect.fail(String(error)))
  await snapshots.close()
  expect((await documents.find(id, 'ana'))?.preview).toBe('Text with a Needle')
  const { documents: found } = await documents.list('ana', { query: 'with a needle' })
  expect(found[0]?.found?.snippet?.text).toBe('Text with a Needle')
})
