import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { lockFile, openTestStore, type TestStore } from '../testing/test-store.ts'
import { createLinkedStore, DirectoryInUseError, openEmbeddedStore } from './store.ts'
import { UpdateLog } from './log/update-log.ts'

let context: TestStore
let id: string

beforeEach(async () => {
  context = await openTestStore()
  id = (await context.documents.create('ana', { markdown: 'start' })).id
})
afterEach(() => context.dispose())

function row(index: number) {
  const doc = new Y.Doc()
  doc.clientID = 1000 + index
  doc.getText('default').insert(0, `n${index} `)
  return { name: id, bytes: Y.encodeStateAsUpdate(doc), actor: `actor-${index}`, run: null, epoch: null }
}

async function addRun(run: string, epoch: number): Promise<void> {
  const plain = { instruction: '', invoked_by: 'ana', invoked_by_name: 'Ana', status: 'running', max_rounds: 8 }
  await context.store.db
    .insertInto('runs')
    .values({
      ...plain,
      id: run,
      document: id,
      trigger_kind: 'chat',
      trigger_id: run,
      mode: 'edit',
      epoch,
      ...defaults,
    })
    .execute()
}
const defaults = {
  selection: null,
  rounds: 0,
  input_tokens: 0,
  output_tokens: 0,
  answer: null,
  error: null,
  stop_requested: 0,
  coordinates: null,
  created_at: 0,
  ended_at: null,
}

test('[LOG-2] rows that come in one turn of the event loop get consecutive numbers in their order', async () => {
  const results = await Promise.all(Array.from({ length: 100 }, (_, index) => context.log.append(row(index))))
  expect(results).toEqual(Array.from({ length: 100 }, (_, index) => ({ ok: true, seq: index + 2 })))
  const rows = await context.log.rowsAfter(id, 1)
  expect(rows.map(({ actor }) => actor)).toEqual(Array.from({ length: 100 }, (_, index) => `actor-${index}`))
})

test('[LOG-12] many appends share few commits: a hundred at once sync the file at most a few times', async () => {
  const frames = (): number => Number(context.file.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.['log'])
  const together = frames()
  await Promise.all(Array.from({ length: 100 }, (_, index) => context.log.append(row(index))))
  const grouped = frames() - together
  for (let index = 100; index < 200; index++) await context.log.append(row(index))
  const single = frames() - together - grouped
  // Each commit writes the page of the log's number and the last page of the table again.
  expect(grouped * 5).toBeLessThan(single)
})

test('[LOG-3] a commit is all or nothing: a statement that fails takes the rows of its batch with it, and they may come again', async () => {
  const bad = { ...row(1), also: [{ sql: 'INSERT INTO no_such_table VALUES (1)', parameters: [] }] }
  const settled = await Promise.allSettled([
    context.log.append(row(0)),
    context.log.append(bad),
    context.log.append(row(2)),
  ])
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await context.log.rowsAfter(id, 1)).toEqual([])
  expect(await context.log.append(row(0))).toEqual({ ok: true, seq: 2 })
})

test('[LOG-4] while another holds the file an append waits; afterwards all are there', async () => {
  await lockFile(context.file)
  const appends = Array.from({ length: 10 }, (_, index) => context.log.append(row(index)))
  let settled = false
  void context.log.settled().then(() => (settled = true))
  // Gives the event loop iterations to deliver an answer that must not come. SQLite itself stops waiting after 5 s.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(settled).toBe(false)
  context.file.exec('ROLLBACK')
  await Promise.all(appends)
  expect(await context.log.rowsAfter(id, 1)).toHaveLength(10)
})

test('[LOG-5] a store that fails rejects and keeps nothing, and works again by itself', async () => {
  await lockFile(context.file)
  await expect(context.log.append(row(0))).rejects.toMatchObject({ name: 'StoreError', code: 'ERR_SQLITE_ERROR' })
  context.file.exec('ROLLBACK')
  expect(await context.log.rowsAfter(id, 1)).toEqual([])
  expect(await context.log.append(row(0))).toEqual({ ok: true, seq: 2 })
})

test('[LOG-6] an append to a log that does not exist is refused and harms no other', async () => {
  const results = await Promise.all([context.log.append({ ...row(0), name: 'nobody' }), context.log.append(row(1))])
  expect(results).toEqual([
    { ok: false, reason: 'no_log' },
    { ok: true, seq: 2 },
  ])
})

test('[LOG-7] a row of a run is refused in its own transaction once the run has a newer epoch', async () => {
  await addRun('run-1', 2)
  const mine = { ...row(0), run: 'run-1' }
  const also = [{ sql: 'UPDATE runs SET answer = ? WHERE id = ?', parameters: ['written', 'run-1'] }]
  const results = await Promise.all([
    context.log.append({ ...mine, epoch: 1, also }),
    context.log.append({ ...mine, epoch: 2 }),
    context.log.append({ ...mine, run: 'no-such-run', epoch: 1 }),
  ])
  expect(results).toEqual([
    { ok: false, reason: 'stale_run' },
    { ok: true, seq: 2 },
    { ok: false, reason: 'stale_run' },
  ])
  const run = context.file.prepare('SELECT answer FROM runs WHERE id = ?').get('run-1')
  expect(run).toEqual({ answer: null })
})

test('[STORE-7] a second store on the same folder is refused, until the first is closed', async () => {
  const fail = (error: Error): void => {
    throw error
  }
  await expect(openEmbeddedStore(context.directory, fail)).rejects.toThrow(DirectoryInUseError)
  await context.store.close()
  const again = await openEmbeddedStore(context.directory, fail)
  await again.close()
})

test('[LOG-13] a row of a run is refused once the run is over', async () => {
  await addRun('run-1', 1)
  expect(await context.log.append({ ...row(0), run: 'run-1', epoch: 1 })).toMatchObject({ ok: true })
  await context.store.db.updateTable('runs').set({ status: 'stopped', ended_at: 1 }).where('id', '=', 'run-1').execute()
  expect(await context.log.append({ ...row(1), run: 'run-1', epoch: 1 })).toEqual({ ok: false, reason: 'stale_run' })
})

test('[LOG-14] what waits for the same document as a batch that fails is not stored, since it was built on it', async () => {
  let isBroken = true
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const log = new UpdateLog(
    {
      ...context.store,
      append: async (rows) => {
        if (!isBroken) return context.store.append(rows)
        await gate
        isBroken = false
        throw new Error('the disk is full')
      },
    },
    () => 0,
  )
  const first = log.append(row(0))
  await Promise.resolve().then(() => undefined)
  const built = log.append(row(1))
  release()
  await expect(first).rejects.toThrow('full')
  await expect(built).rejects.toThrow('full')
  expect(await log.append(row(0))).toMatchObject({ ok: true })
})

test('[LOG-8] raising the epoch and an old worker’s append: the second commit sees the first', async () => {
  await addRun('run-1', 1)
  const line = createLinkedStore(context.store.connect())
  const raise = line.db.transaction().execute(async (trx) => {
    await trx.updateTable('runs').set({ epoch: 2 }).where('id', '=', 'run-1').execute()
    return context.log.rowsAfter(id, 1, trx)
  })
  const old = context.log.append({ ...row(0), run: 'run-1', epoch: 1 })
  const [seen, appended] = await Promise.all([raise, old])
  expect(seen).toHaveLength(appended.ok ? 1 : 0)
  expect(await context.log.append({ ...row(1), run: 'run-1', epoch: 1 })).toEqual({ ok: false, reason: 'stale_run' })
  await line.close()
})

test('[LOG-9] a row that cannot be applied is set aside, kept and reported, and the rest loads', async () => {
  await context.log.append(row(0))
  await context.log.append({ ...row(1), bytes: Uint8Array.of(1, 2, 3) })
  await context.log.append(row(2))
  const loaded = await context.log.load(id)
  expect(loaded).toMatchObject({ seq: 4, quarantined: [3] })
  expect(loaded?.doc.getText('default').toJSON().split(' ').toSorted()).toEqual(['', 'n0', 'n2'])
  expect(await context.log.rowsAfter(id, 0)).toHaveLength(4)
  const aside = context.file.prepare('SELECT name, seq, error FROM quarantined_updates').all()
  expect(aside).toMatchObject([{ name: id, seq: 3 }])
  expect((await context.log.load(id))?.quarantined).toEqual([3])
})

test('[LOG-10] what the log gives is what was appended, in any order of loading', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => context.log.append(row(index))))
  const whole = (await context.log.load(id))!
  const stepwise = new Y.Doc()
  for (const { bytes } of await context.log.rowsAfter(id, 0)) Y.applyUpdate(stepwise, bytes)
  expect(Y.encodeStateVector(whole.doc)).toEqual(Y.encodeStateVector(stepwise))
  expect(whole.doc.getText('default').toJSON()).toBe(stepwise.getText('default').toJSON())
  expect(await context.log.load('nobody')).toBeUndefined()
})

test('[STORE-1] a transaction whose connection closes is rolled back, and the others continue', async () => {
  const line = createLinkedStore(context.store.connect())
  const begun = Promise.withResolvers<void>()
  const transaction = line.db.transaction().execute(async (trx) => {
    await trx.updateTable('documents').set({ title: 'half done' }).where('id', '=', id).execute()
    begun.resolve()
    await new Promise(() => undefined)
  })
  transaction.catch(() => undefined)
  await begun.promise
  const waiting = Promise.all([context.log.append(row(0)), context.documents.find(id, 'ana')])
  await line.close()
  const stranded = Promise.withResolvers<never>()
  const timer = setTimeout(() => stranded.reject(new Error('what waited is stranded')), 3000)
  waiting.catch(() => undefined)
  const [appended, found] = await Promise.race([waiting, stranded.promise]).finally(() => clearTimeout(timer))
  expect(appended).toEqual({ ok: true, seq: 2 })
  expect(found?.title).toBe('start')
})

test('[STORE-2] a transaction that takes too long is rolled back, and its holder gets an error', async () => {
  const line = createLinkedStore(context.store.connect())
  const others = Promise.withResolvers<unknown>()
  const slow = line.db.transaction().execute(async (trx) => {
    await trx.updateTable('documents').set({ title: 'half done' }).where('id', '=', id).execute()
    others.resolve(context.log.append(row(0)))
    await others.promise
    await trx.updateTable('documents').set({ title: 'late' }).where('id', '=', id).execute()
  })
  await expect(slow).rejects.toThrow('took too long')
  expect(await others.promise).toEqual({ ok: true, seq: 2 })
  expect((await context.documents.find(id, 'ana'))?.title).toBe('start')
  await line.close()
})

test('[STORE-3] transactions of several lines run one after the other', async () => {
  const lines = Array.from({ length: 4 }, () => createLinkedStore(context.store.connect()))
  await Promise.all(
    lines.flatMap((line) =>
      Array.from({ length: 10 }, () =>
        line.db.transaction().execute(async (trx) => {
          const found = await trx.selectFrom('documents').select('updated_at').where('id', '=', id).executeTakeFirst()
          await trx
            .updateTable('documents')
            .set({ updated_at: Number(found?.updated_at) + 1 })
            .where('id', '=', id)
            .execute()
        }),
      ),
    ),
  )
  const found = context.file.prepare('SELECT updated_at FROM documents WHERE id = ?').get(id)
  expect(found?.['updated_at']).toBe(context.clock.now + 40)
  for (const line of lines) await line.close()
})

test('[STORE-4] a closed line rejects instead of waiting for ever, and may be closed twice', async () => {
  const [used, unused] = [createLinkedStore(context.store.connect()), createLinkedStore(context.store.connect())]
  await used.db.selectFrom('documents').select('id').execute()
  for (const line of [used, unused]) {
    await line.close()
    await line.close()
  }
  await expect(new UpdateLog(used, Date.now).append(row(0))).rejects.toMatchObject({ code: 'STORE_CLOSED' })
  await expect(new UpdateLog(unused, Date.now).append(row(0))).rejects.toMatchObject({ code: 'STORE_CLOSED' })
})

test('[STORE-6] closing the store ends its thread even if a line to it is still open', async () => {
  const own = await openTestStore()
  const port = own.store.connect()
  try {
    await createLinkedStore(port).db.selectFrom('documents').select('id').execute()
    const late = Promise.withResolvers<string>()
    const timer = setTimeout(() => late.resolve('still open'), 3000)
    const closed = own.store.close().then(() => 'closed')
    expect(await Promise.race([closed, late.promise])).toBe('closed')
    clearTimeout(timer)
  } finally {
    port.close()
    await own.dispose()
  }
})

test('[STORE-5] what was stored is there after closing and opening again', async () => {
  await context.log.append(row(0))
  await context.store.close()
  const again = await openEmbeddedStore(context.directory, () => undefined)
  expect(await new UpdateLog(again, Date.now).rowsAfter(id, 1)).toHaveLength(1)
  await again.close()
})

test('[LOG-32] what another process has left in the write-ahead log is written again first: its sync may have failed', async () => {
  await context.log.append(row(0))
  const directory = mkdtempSync(join(tmpdir(), 'copydesk-left-'))
  try {
    for (const file of ['copydesk.sqlite', 'copydesk.sqlite-wal']) {
      copyFileSync(join(context.directory, file), join(directory, file))
    }
    const log = join(directory, 'copydesk.sqlite-wal')
    const left = readFileSync(log)
    utimesSync(log, 1, 1)
    const again = await openEmbeddedStore(directory, () => undefined)
    expect(statSync(log).mtimeMs).toBeGreaterThan(1000)
    expect(readFileSync(log).subarray(0, left.length)).toEqual(left)
    expect(await new UpdateLog(again, Date.now).rowsAfter(id, 1)).toHaveLength(1)
    await again.close()
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('[STORE-8] of a transaction that a full disk has ended nothing is stored that was sent with it', async () => {
  const { db } = context.store
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db)
  await sql.raw(`PRAGMA max_page_count = ${Number(rows[0]?.page_count) + 2}`).execute(db)
  const failing = db.transaction().execute(async (trx) => {
    const large = { name: `${id}/room`, seq: 99, state: new Uint8Array(1_000_000), text: '', at: 1 }
    await Promise.allSettled([
      trx.insertInto('document_snapshots').values(large).execute(),
      trx.updateTable('documents').set({ title: 'half' }).execute(),
    ])
  })
  await expect(failing).rejects.toThrow('no transaction is active')
  expect(context.file.prepare('SELECT title FROM documents').get()).toEqual({ title: 'start' })
  await sql.raw('PRAGMA max_page_count = 1000000').execute(db)
  await db.updateTable('documents').set({ title: 'whole' }).execute()
  expect(context.file.prepare('SELECT title FROM documents').get()).toEqual({ title: 'whole' })
})
