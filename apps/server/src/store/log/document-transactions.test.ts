import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Signal } from '../../common/signals.ts'
import { lockFile, openTestStore, type TestStore } from '../../testing/test-store.ts'
import { DocumentTransactions } from './document-transactions.ts'
import { createLinkedStore } from '../store.ts'
import { UpdateLog } from './update-log.ts'

let context: TestStore
let name: string

beforeEach(async () => {
  context = await openTestStore()
  name = `${(await context.documents.create('ana', { markdown: 'start' })).id}/room`
})
afterEach(() => context.dispose())

const author = { actor: 'server', run: 'run-1' }

async function keys(): Promise<string[]> {
  const loaded = await context.log.load(name)
  return [...(loaded?.doc.getMap('runs').keys() ?? [])].toSorted()
}

function rename(title: string) {
  return context.store.db.updateTable('documents').set({ title })
}

test('[WRITER-1] the change and its rows are stored together, attributed, and told to the others once', async () => {
  const signals: Signal[] = []
  context.signals.subscribe((signal) => signals.push(signal))
  const result = await context.writer.write(name, author, async ({ doc, trx }) => {
    doc.getMap('runs').set('a', 1)
    doc.getMap('runs').set('b', 2)
    await trx.updateTable('documents').set({ title: 'together' }).execute()
    expect(signals).toEqual([])
    return 'done'
  })
  expect(result).toBe('done')
  expect(await keys()).toEqual(['a', 'b'])
  expect(await context.log.rowsAfter(name, 0)).toMatchObject([{ seq: 1, ...author }])
  expect(context.file.prepare('SELECT title FROM documents').get()).toEqual({ title: 'together' })
  expect(signals).toMatchObject([{ kind: 'log', name, seq: 1 }])
})

test('[WRITER-2] a change that throws stores nothing, tells nobody and leaves no trace in the next one', async () => {
  const signals: Signal[] = []
  context.signals.subscribe((signal) => signals.push(signal))
  await context.writer.write(name, author, ({ doc }) => void doc.getMap('runs').set('a', 1))
  const failing = context.writer.write(name, author, async ({ doc, trx }) => {
    doc.getMap('runs').set('half', true)
    await trx.updateTable('documents').set({ title: 'half' }).execute()
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await context.writer.write(name, author, ({ doc }) => {
    expect(doc.getMap('runs').has('half')).toBe(false)
    doc.getMap('runs').set('b', 2)
  })
  expect(await keys()).toEqual(['a', 'b'])
  expect(await context.log.rowsAfter(name, 0)).toHaveLength(2)
  expect(context.file.prepare('SELECT title FROM documents').get()).toEqual({ title: 'start' })
  expect(signals).toHaveLength(2)
})

test('[WRITER-3] a change that changes nothing writes no row', async () => {
  await context.writer.write(name, author, () => undefined)
  expect(await context.log.rowsAfter(name, 0)).toEqual([])
})

test('[WRITER-4] several documents change in one transaction or not at all', async () => {
  const other = `${(await context.documents.create('ana', {})).id}/room`
  const both = [name, other]
  const write = (fails: boolean) =>
    context.writer.writeMany(both, author, ({ docs }) => {
      for (const doc of docs.values()) doc.getMap('runs').set('x', 1)
      if (fails) throw new Error('no')
    })
  await expect(write(true)).rejects.toThrow('no')
  for (const each of both) expect(await context.log.rowsAfter(each, 0)).toEqual([])
  await write(false)
  for (const each of both) expect(await context.log.rowsAfter(each, 0)).toHaveLength(1)
})

test('[WRITER-5] a log that does not exist is an error', async () => {
  await expect(context.writer.write('nobody', author, () => undefined)).rejects.toThrow('nobody')
})

test('[WRITER-6] writers on lines of their own, interleaved with appends, all build on the newest state', async () => {
  const lines = Array.from({ length: 3 }, () => createLinkedStore(context.store.connect()))
  const writers = lines.map(
    (line) => new DocumentTransactions(line, new UpdateLog(line, Date.now), context.signals, Date.now),
  )
  const count = (writer: DocumentTransactions) =>
    writer.write(name, author, ({ doc }) => {
      const map = doc.getMap('runs')
      map.set('count', Number(map.get('count') ?? 0) + 1)
    })
  await Promise.all(Array.from({ length: 30 }, (_, index) => count(writers[index % 3]!)))
  const loaded = await context.log.load(name)
  expect(loaded?.doc.getMap('runs').get('count')).toBe(30)
  expect((await context.log.rowsAfter(name, 0)).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 30 }, (_, i) => i + 1),
  )
  for (const line of lines) await line.close()
})

test('[WRITER-7] a write whose commit fails leaves no trace in the next one', async () => {
  await rename('x').execute()
  await lockFile(context.file)
  const failing = context.writer.write(name, author, ({ doc }) => void doc.getMap('runs').set('lost', 1))
  await expect(failing).rejects.toThrow('locked')
  context.file.exec('ROLLBACK')
  await context.writer.write(name, author, ({ doc }) => void doc.getMap('runs').set('kept', 1))
  expect(await keys()).toEqual(['kept'])
})

test('[WRITER-8] a write begins when the one before it is on disk or taken back: nobody builds on what may not be kept', async () => {
  const order: string[] = []
  const write = (key: string): Promise<unknown> =>
    context.writer
      .write(name, author, ({ doc }) => {
        order.push(`${key} begins`)
        doc.getMap('runs').set(key, 1)
      })
      .then(() => order.push(`${key} is stored`))
  await Promise.all([write('a'), write('b')])
  expect(order).toEqual(['a begins', 'a is stored', 'b begins', 'b is stored'])
})
