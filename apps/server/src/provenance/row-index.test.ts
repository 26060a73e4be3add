import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { DocumentTransactions } from '../store/log/document-transactions.ts'
import { textAt } from '../testing/log-scene.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { RowIndex } from './row-index.ts'

let context: TestStore

beforeAll(async () => {
  context = await openTestStore()
})
afterAll(() => context.dispose())

/** Changes a document's first text as after a restart: without an existing replica. */
async function change(id: string, actor: string, write: (text: Y.XmlText) => void): Promise<void> {
  const { store, log, signals, clock } = context
  const writer = new DocumentTransactions(store, log, signals, () => clock.now)
  await writer.write(id, { actor }, ({ doc }) => write(textAt(doc, 0)))
}

/** The characters of a document's first text that are in an index, by actor, and the text that their rows replaced. */
async function readText(id: string, index: RowIndex): Promise<[actor: string, length: number, replaced?: number][]> {
  const loaded = await context.log.load(id)
  const pieces: [string, number, number?][] = []
  for (let item = loaded ? textAt(loaded.doc, 0)._start : null; item; item = item.right) {
    if (item.deleted) continue
    const { client, clock } = item.id
    for (const { range, value } of index.textIn({ client, clock, len: item.length })) {
      const { actor, replaced } = value.row
      pieces.push(replaced ? [actor, range.len, replaced.reduce((sum, { len }) => sum + len, 0)] : [actor, range.len])
    }
  }
  return pieces
}

test('[REV-16] an index has who wrote what since a row, also around a row that was set aside, and reads on', async () => {
  const { id } = await context.documents.create('ana', { markdown: 'Keep.' })
  const { db } = context.store
  const log = db.selectFrom('logs').select('seq').where('name', '=', id)
  const index = new RowIndex(id, (await log.executeTakeFirstOrThrow()).seq, new Set())
  await change(id, 'ana', (text) => text.insert(4, ' one'))
  await context.log.append({ name: id, bytes: Uint8Array.of(1, 2, 3), actor: 'ana', run: null, epoch: null })
  expect((await context.log.load(id))?.quarantined).toHaveLength(1)
  await change(id, 'ben', (text) => text.insert(8, ' two'))
  await index.readNewRows(db)
  expect(await readText(id, index)).toEqual([
    ['ana', 4],
    ['ben', 4],
  ])
  await change(id, 'cai', (text) => text.insert(6, '--'))
  await index.readNewRows(db)
  expect(await readText(id, index)).toEqual([
    ['ana', 2],
    ['cai', 2],
    ['ana', 2],
    ['ben', 4],
  ])
})

test('[REV-16] a row that deletes at least as much of other rows as it inserts has what it replaced', async () => {
  const { id } = await context.documents.create('ana', { markdown: 'Some words.' })
  const index = new RowIndex(id, 1, new Set())
  await change(id, 'ben', (text) => {
    text.insert(0, 'Not these, but ')
    text.delete(0, 4)
  })
  await change(id, 'cai', (text) => {
    text.delete(7, 4)
    text.insert(7, 'my')
  })
  await index.readNewRows(context.store.db)
  const written = await readText(id, index)
  expect(written.filter(([actor]) => actor === 'cai')).toEqual([['cai', 2, 4]])
  expect(written.filter(([actor]) => actor === 'ben').every(([, , replaced]) => replaced === undefined)).toBe(true)
})
