import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentName, contentTypes, roomName } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { LogReplay } from '../history/log-replay.ts'
import { MarkdownConverter } from '../documents/markdown-converter.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { Versions } from '../versions/versions.ts'
import { Images } from './images.ts'
import { graceMs, UnusedImages } from './unused-images.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const minute = 60_000

let context: TestStore
let directory: string
let images: Images
let unused: UnusedImages
let versions: Versions
let converter: MarkdownConverter
let replay: LogReplay
let id: string
beforeEach(async () => {
  context = await openTestStore()
  directory = mkdtempSync(join(tmpdir(), 'copydesk-images-'))
  let next = 0
  const createId = (): string => `id-${next++}`
  const { store, writer, clock, storage } = context
  const now = (): number => clock.now
  images = new Images({ directory, quota: storage.images, createId })
  converter = new MarkdownConverter()
  replay = new LogReplay({ db: store.db, createId })
  versions = new Versions({ db: store.db, writer, converter, replay, now, createId })
  const onError = (error: unknown): void => expect.fail(String(error))
  unused = new UnusedImages({ db: store.db, versions, images, directory, now, onError })
  id = (await context.documents.create('ana', { markdown: 'start' })).id
})
afterEach(async () => {
  await unused.close()
  await versions.close()
  await converter.close()
  await replay.close()
  rmSync(directory, { recursive: true })
  await context.dispose()
})

let mark = 0

/** Stores a unique image; returns its address. */
async function store(document = id): Promise<string> {
  mark += 1
  const stored = await images.store(document, Buffer.concat([png, Buffer.from(`${mark}`)]), 'ana')
  if (!stored.ok) throw new Error(stored.message)
  return stored.url
}

const isThere = (url: string): boolean => existsSync(join(directory, url.split('/')[3] ?? '', url.split('/')[5] ?? ''))

/** A row of a document's log, by a person or a run. */
async function edit(change: (fragment: Y.XmlFragment) => void, document = id, run?: string): Promise<void> {
  const author = { actor: run === undefined ? 'ana' : 'agent', ...(run === undefined ? {} : { run }) }
  await context.writer.write(contentName(document), author, ({ doc }) =>
    change(doc.getXmlFragment(contentTypes.fragment)),
  )
}

const show = (src: string, document?: string, run?: string): Promise<void> =>
  edit(
    (fragment) => {
      const image = new Y.XmlElement('image')
      image.setAttribute('src', src)
      fragment.insert(0, [image])
    },
    document,
    run,
  )
const hide = (document?: string, run?: string): Promise<void> =>
  edit((fragment) => fragment.delete(0, 1), document, run)
const pass = (ms: number): void => void (context.clock.now += ms)
const usage = async (): Promise<number> => {
  const row = await context.store.db
    .selectFrom('image_usage')
    .select('bytes')
    .where('subject', '=', 'server')
    .executeTakeFirst()
  return row?.bytes ?? 0
}

test('[IMG-7] an image whose address never got into a text is deleted after a week, and what it took is given back', async () => {
  const url = await store()
  pass(graceMs)
  expect(await unused.collect()).toBe(0)
  pass(1)
  expect(await unused.collect()).toBe(1)
  expect(isThere(url)).toBe(false)
  expect(await usage()).toBe(0)
})

test('[IMG-7] one that a document shows stays, in the trash, by another document’s text, in a comment, too', async () => {
  const other = (await context.documents.create('ana', { markdown: 'other' })).id
  const urls = [await store(), await store(), await store()]
  const [shown = '', copied = '', said = ''] = urls
  await show(shown)
  await show(copied, other)
  await context.writer.write(roomName(id), { actor: 'ana' }, ({ doc }) => void doc.getMap('threads').set('t', said))
  await context.documents.setTrashed(id, true)
  pass(10 * graceMs)
  expect(await unused.collect()).toBe(0)
  expect(urls.map(isThere)).toEqual([true, true, true])
})

test('[IMG-8] one that was taken out stays for a week, and then goes, unless it has come back', async () => {
  const [gone, back] = [await store(), await store()]
  await show(gone)
  await hide()
  await show(back)
  await hide()
  pass(graceMs - minute)
  expect(await unused.collect()).toBe(0)
  await show(back)
  pass(2 * minute)
  expect(await unused.collect()).toBe(1)
  expect([isThere(gone), isThere(back)]).toEqual([false, true])
})

test('[IMG-8] one that a version shows stays as long as the version', async () => {
  const url = await store()
  await show(url)
  pass(11 * minute)
  await hide()
  pass(2 * graceMs)
  expect(await unused.collect()).toBe(0)
  expect(isThere(url)).toBe(true)
  await context.store.db.deleteFrom('versions').where('document', '=', id).where('seq', '=', 2).execute()
  await versions.create(id, { id: 'ana', name: 'Ana', color: '#000' }, 'Now')
  expect(await unused.collect()).toBe(1)
})

test('[IMG-8] one that a run brought or took out stays: it can be undone and redone', async () => {
  const [brought, taken] = [await store(), await store()]
  await show(brought, id, 'run')
  await hide()
  await show(taken)
  await hide(id, 'run')
  pass(2 * graceMs)
  expect(await unused.collect()).toBe(0)
  expect([isThere(brought), isThere(taken)]).toEqual([true, true])
})

test('[IMG-9] one that is stored again counts as new, also while it is being collected', async () => {
  const bytes = Buffer.concat([png, Buffer.from('again')])
  const again = async (): Promise<string> => {
    const stored = await images.store(id, bytes, 'ben')
    return stored.ok ? stored.url : ''
  }
  const url = await again()
  pass(graceMs + 1)
  await again()
  expect(await unused.collect()).toBe(0)
  for (let round = 0; round < 20; round++) {
    pass(graceMs + 1)
    await Promise.all([unused.collect(), again()])
    expect(isThere(url)).toBe(true)
  }
  expect(await usage()).toBe(4096)
})

test('[IMG-9] files of an older version are counted, and what a killed upload has left goes', async () => {
  const name = `${'ab'.repeat(16)}.png`
  mkdirSync(join(directory, id))
  writeFileSync(join(directory, id, name), png)
  const part = join(directory, id, 'left.part')
  writeFileSync(part, png)
  utimesSync(part, 1, 1)
  expect(await unused.collect()).toBe(0)
  expect(existsSync(part)).toBe(false)
  const row = { document: id, name, bytes: 4096, account: 'person:ana', stored_at: context.clock.now }
  expect(await context.store.db.selectFrom('images').selectAll().execute()).toEqual([row])
  expect(await usage()).toBe(4096)
})

test('[TRASH-3] images of a deleted document stay where their address is shown, and count for who uploaded them', async () => {
  const [shown, named] = [await store(), await store()]
  const others = [await context.documents.create('ben', {}), await context.documents.create('ben', {})]
  const [other = '', bare = ''] = others.map((each) => each.id)
  await show(`https://copydesk.example${shown}`, other)
  await show(`/api/documents/${other}/images/${named.split('/').at(-1)}`, bare)
  await unused.copyForOtherDocuments(id)
  const rows = await context.store.db.selectFrom('images').select(['document', 'name', 'account']).execute()
  expect(rows.filter(({ document }) => document !== id)).toEqual([
    { document: other, name: shown.split('/').at(-1), account: 'person:ana' },
  ])
})

test('[IMG-8] a long log is looked through a part at a time, once', async () => {
  const url = await store()
  await show(url)
  const rows = Array.from({ length: 1100 }, (_, index) => {
    const doc = new Y.Doc()
    doc.getText('t').insert(0, `${index}`)
    return { name: contentName(id), bytes: Y.encodeStateAsUpdate(doc), actor: 'ana', run: null, epoch: null }
  })
  await Promise.all(rows.map((row) => context.log.append(row)))
  pass(2 * graceMs)
  expect(await unused.collect()).toBe(0)
  const scanned = await context.store.db.selectFrom('image_scans').selectAll().where('log', '=', id).execute()
  expect(scanned).toEqual([{ log: id, seq: 1102 }])
  await hide()
  pass(2 * graceMs)
  // A version contains the image: there was a pause before the deletion.
  expect(await unused.collect()).toBe(0)
})
