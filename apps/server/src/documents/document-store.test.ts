import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { Snapshots } from '../store/log/snapshots.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'

let context: TestStore

beforeEach(async () => {
  context = await openTestStore()
})
afterEach(() => context.dispose())

async function titles(options: { query?: string; trash?: boolean } = {}): Promise<string[]> {
  const { documents } = await context.documents.list('ana', options)
  return documents.map(({ title }) => title)
}

test('[DOC-1] the list comes in pages, the last changed first, each document once, also where times are equal', async () => {
  for (let index = 0; index < 65; index++) {
    if (index % 10 === 0) context.clock.now += 1000
    await context.documents.create('ana', { title: `t${index}` })
  }
  const seen: { title: string; updatedAt: string }[] = []
  const sizes: number[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await context.documents.list('ana', cursor === undefined ? {} : { cursor })
    sizes.push(page.documents.length)
    seen.push(...page.documents)
    cursor = page.nextCursor
  }
  expect(sizes).toEqual([30, 30, 5])
  expect(new Set(seen.map(({ title }) => title)).size).toBe(65)
  const times = seen.map(({ updatedAt }) => updatedAt)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('[DOC-2] a cursor that no list gave is refused', async () => {
  await context.documents.create('ana', { title: 'only' })
  for (const cursor of ['x', Buffer.from('[1]').toString('base64url'), Buffer.from('{}').toString('base64url')]) {
    await expect(context.documents.list('ana', { cursor })).rejects.toMatchObject({ code: 'invalid_input' })
  }
})

test('[DOC-3] search doesn’t mind letter case and compatibility forms of any script, and takes % and _ literally', async () => {
  for (const title of ['ÄRGER', 'Ωmega', 'ﬁnal', '100% sure', 'snake_case', 'plain']) {
    await context.documents.create('ana', { title })
  }
  for (const [query, title] of [
    ['ärger', 'ÄRGER'],
    ['ΩMEGA', 'Ωmega'],
    ['FINAL', 'ﬁnal'],
    ['0%', '100% sure'],
    ['e_c', 'snake_case'],
    [' plain ', 'plain'],
  ] as const) {
    expect(await titles({ query })).toEqual([title])
  }
  expect(await titles({ query: 'l_i' })).toEqual([])
})

test('[DOC-4] search looks in the text of the newest snapshot', async () => {
  const { id } = await context.documents.create('ana', { title: 'one', markdown: 'a hidden WÖRD' })
  await context.documents.create('ana', { title: 'two', markdown: 'nothing' })
  const snapshots = new Snapshots(context.store, context.log, () => 0)
  await snapshots.refresh(id)
  expect(await titles({ query: 'wörd' })).toEqual(['one'])
  await snapshots.close()
})

test('[DOC-5] the trash is a place of its own, and a document comes back from it', async () => {
  const { id } = await context.documents.create('ana', { title: 'one', markdown: 'text' })
  await context.documents.setTrashed(id, true)
  expect(await titles()).toEqual([])
  expect(await titles({ trash: true })).toEqual(['one'])
  expect((await context.documents.find(id, 'ana'))?.trashed).toBe(true)
  await context.documents.setTrashed(id, false)
  expect(await titles()).toEqual(['one'])
  expect(await context.documents.render(id, 'markdown')).toBe('text\n')
})

test('[DOC-6] markdown becomes one row of the log, once; its first h1 is the title and stays', async () => {
  const markdown = '---\ntag: x\n---\n\n# A title\n\ntext'
  const { id, title } = await context.documents.create('ana', { markdown })
  expect(title).toBe('A title')
  expect(await context.log.rowsAfter(id, 0)).toMatchObject([{ seq: 1, actor: 'ana', run: null }])
  for (let time = 0; time < 3; time++) {
    expect(await context.documents.render(id, 'markdown')).toBe(`${markdown}\n`)
  }
  expect(await context.log.rowsAfter(id, 0)).toHaveLength(1)
  expect((await context.documents.create('ana', { title: 'given', markdown })).title).toBe('given')
})

test('[DOC-7] a new title is in the content and in the list, both or neither', async () => {
  const { id } = await context.documents.create('ana', { title: 'old' })
  await context.documents.patch(id, 'ben', { title: 'new' })
  expect((await context.log.load(id))?.doc.getMap('meta').get('title')).toBe('new')
  expect(await titles({ query: 'NEW' })).toEqual(['new'])
  expect(await context.log.rowsAfter(id, 1)).toMatchObject([{ actor: 'ben' }])
})

test('[DOC-8] an id that is none, or names a room, finds nothing', async () => {
  const { id } = await context.documents.create('ana', {})
  for (const wrong of ['', 'x', `${id}/room`, "' OR 1=1 --"]) {
    expect(await context.documents.find(wrong, 'ana')).toBeUndefined()
  }
  expect((await context.documents.find(id, 'ana'))?.role).toBe('owner')
  expect((await context.documents.find(id, 'ben'))?.role).toBe('editor')
})

test('[DOC-9] without an h1 the title is the frontmatter’s, else the first words', async () => {
  const titleOf = async (markdown: string) => (await context.documents.create('ana', { markdown })).title
  expect(await titleOf('---\ntitle: "A: b"\n---\n\ntext')).toBe('A: b')
  expect(await titleOf('---\ntitle: A\n---\n\n# B\n\ntext')).toBe('B')
  for (const none of ['tag: x', 'title: [1]', 'title: " "', '- a', '{', 'title: *a'])
    expect(await titleOf(`---\n${none}\n---\n\n## Part *one*\n\ntext`)).toBe('Part one')
  expect(await titleOf('![](https://a.example/a.png)')).toBe('')
})

test('[DOC-9] [DOC-10] a document is listed as soon as a person has written in it, under its first words', async () => {
  const { documents, writer, log, store } = context
  const { id } = await documents.create('ana', {})
  await documents.create('ana', { markdown: '![](https://a.example/a.png)' })
  expect(await titles()).toEqual([''])
  await writer.write(id, { actor: 'ana' }, async ({ doc }) => {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('Buy milk')])
    doc.getXmlFragment(contentTypes.fragment).insert(0, [paragraph])
  })
  context.clock.now += 1000
  await documents.touch(id)
  const snapshots = new Snapshots(store, log, () => 0)
  await snapshots.refresh(id)
  expect(await titles()).toEqual(['Buy milk', ''])
  expect((await documents.find(id, 'ana'))?.title).toBe('Buy milk')
  expect(await documents.titleOf(id)).toBe('Buy milk')
  await snapshots.close()
})

test('[DOC-10] an empty document is listed once it is shared, or its agent was talked to', async () => {
  const { documents, writer, store } = context
  const untouched = async () => (await documents.create('ana', {})).id
  const member = { person: 'ben', role: 'editor', added_by: 'ana', added_at: 0 } as const
  await store.db
    .insertInto('members')
    .values({ ...member, item: await untouched() })
    .execute()
  expect(await titles()).toHaveLength(1)
  await writer.write(`${await untouched()}/room`, { actor: 'ana' }, async ({ doc }) => doc.getMap('m').set('a', 1))
  expect(await titles()).toHaveLength(2)
  const id = await untouched()
  expect(await titles()).toHaveLength(2)
  await documents.patch(id, 'ana', { title: 'Named' })
  expect(await titles()).toHaveLength(3)
})
