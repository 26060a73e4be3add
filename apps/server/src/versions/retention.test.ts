import { contentName } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { AuthorshipIndex } from '../authorship/authorship-index.ts'
import { LogReplay } from '../history/log-replay.ts'
import { MarkdownConverter } from '../documents/markdown-converter.ts'
import { readHistory } from '../provenance/log-rows.ts'
import { createUndoPlanner } from '../history/undo-requests.ts'
import { Snapshots } from '../store/log/snapshots.ts'
import type { VersionRow } from '../store/tables.ts'
import { createLogScene, fragmentOf, paragraph, textAt } from '../testing/log-scene.ts'
import { changeFile, openTestStore, type TestStore } from '../testing/test-store.ts'
import { mergeWindows } from './merge-rows.ts'
import { mergeWindowsOf, Retention, selectPrunedVersions } from './retention.ts'
import { Versions } from './versions.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let context: TestStore
let converter: MarkdownConverter
let replay: LogReplay
let snapshots: Snapshots
let versions: Versions
beforeEach(async () => {
  context = await openTestStore()
  converter = new MarkdownConverter()
  const { store, log, writer, clock } = context
  const now = () => clock.now
  let lastId = 0
  snapshots = new Snapshots(store, log, now)
  const createId = (): string => `v${++lastId}`
  replay = new LogReplay({ db: store.db, createId })
  versions = new Versions({ db: store.db, writer, converter, replay, now, createId })
})
afterEach(async () => {
  await Promise.all([converter.close(), snapshots.close(), versions.close(), replay.close()])
  await context.dispose()
})

function fail(error: unknown): void {
  throw error
}

function retentionFor(days: number | undefined, onError: (error: unknown) => void = fail): Retention {
  const { store, clock } = context
  return new Retention({ db: store.db, versions, now: () => clock.now, days, onError })
}

/** Two users who type concurrently into one document for `minutes`, one key per second each. */
async function typeTogether(id: string, minutes: number): Promise<void> {
  const name = contentName(id)
  const loaded = await context.log.load(name)
  const docs = ['ana', 'ben'].map((actor) => ({ actor, doc: new Y.Doc() }))
  for (const { doc } of docs) Y.applyUpdate(doc, Y.encodeStateAsUpdate(loaded!.doc), 'remote')
  const sending: Promise<unknown>[] = []
  for (const { actor, doc } of docs) {
    doc.on('update', (bytes: Uint8Array, origin: unknown) => {
      if (origin === 'remote') return
      sending.push(context.log.append({ name, bytes, actor, run: null, epoch: null }))
      for (const other of docs) if (other.doc !== doc) Y.applyUpdate(other.doc, bytes, 'remote')
    })
  }
  for (let second = 0; second < minutes * 60; second++) {
    context.clock.now += 1000
    for (const [index, { doc }] of docs.entries()) {
      const text = textAt(doc, (second >> 4) % 2)
      if ((second + index) % 5 === 0 && text.length > 3) text.delete(second % 3, 1)
      else text.insert((second * 7 + index) % (text.length + 1), String.fromCharCode(97 + (second % 26)))
    }
  }
  await Promise.all(sending)
}

async function authorship(id: string) {
  const authorship = new AuthorshipIndex()
  authorship.apply(await readHistory(context.store.db, contentName(id), 0))
  // The time of a merged row is that of its last key.
  return authorship.ranges().map(({ at, ...range }) => ({ ...range, day: at.slice(0, 10) }))
}

async function countRows(id: string): Promise<number> {
  return (await context.log.rowsAfter(contentName(id), 0)).length
}

test('[HIST-11] merged rows give the same text, the same authors and the same versions; the newest stay as they are', async () => {
  const { id } = await context.documents.create('ana', { markdown: 'One line\n\nAnother line' })
  await typeTogether(id, 4)
  context.clock.now += 40 * day
  await versions.create(id, { id: 'ana', name: 'Ana', color: '#000000' }, 'After the first session')
  await typeTogether(id, 1)
  await snapshots.refresh(contentName(id), { always: true })
  const list = (await versions.list(id)).versions
  const read = async () => Promise.all(list.map(async (version) => (await versions.read(id, version.id)).markdown))
  const before = { texts: await read(), authors: await authorship(id), rows: await countRows(id) }
  const { rows } = await retentionFor(30).prune(id)
  expect(before.rows).toBeGreaterThan(550)
  expect(await countRows(id)).toBe(before.rows - rows)
  expect(rows).toBeGreaterThan(450)
  expect(await authorship(id)).toEqual(before.authors)
  expect(await read()).toEqual(before.texts)
  const load = await context.log.load(contentName(id))
  expect(load?.quarantined).toEqual([])
  // Rows that aren't old enough stay unchanged, however often `prune` runs: two rows for the old session, and all rows
  // of the new one.
  await retentionFor(30).prune(id)
  expect(await retentionFor(30).prune(id)).toEqual({ versions: 0, rows: 0 })
  expect(await countRows(id)).toBe(1 + 2 + 120)
  expect(await authorship(id)).toEqual(before.authors)
  expect(await read()).toEqual(before.texts)
})

test('[HIST-11] nothing is merged without a limit, behind the snapshot, or since a suggestion that waits', async () => {
  const { id } = await context.documents.create('ana', { markdown: 'One line\n\nAnother line' })
  await typeTogether(id, 1)
  context.clock.now += 40 * day
  expect(await retentionFor(undefined).prune(id)).toEqual({ versions: 0, rows: 0 })
  await context.store.db.deleteFrom('document_snapshots').where('name', '=', id).execute()
  expect((await retentionFor(30).prune(id)).rows).toBe(0)
  await snapshots.refresh(contentName(id), { always: true })
  const change = {
    document: id,
    id: 'c',
    author_id: 'ana',
    author_name: 'Ana',
    author_kind: 'person' as const,
    run: null,
    created_at: context.clock.now,
    decision: null,
    decided_by: null,
    decided_by_name: null,
    decided_at: null,
    update_json: null,
    seq: 3,
  }
  await context.store.db.insertInto('changes').values(change).execute()
  expect((await retentionFor(30).prune(id)).rows).toBe(0)
  await context.store.db.updateTable('changes').set({ decision: 'accept' }).execute()
  expect((await retentionFor(30).prune(id)).rows).toBeGreaterThan(100)
})

test('[HIST-12] a run is undone after what people wrote around it was merged', () => {
  const play = (merges: boolean): string[] => {
    const scene = createLogScene(['one two three', 'four'])
    const [ana, ben, agent] = [scene.join(), scene.join(), scene.join('r')]
    for (const letter of 'abc') {
      textAt(ana, 0).insert(3, letter)
      textAt(ben, 1).insert(0, letter)
    }
    textAt(agent, 0).delete(0, 2)
    fragmentOf(agent).insert(1, [paragraph('by the agent')])
    scene.endStep('r', 's')
    for (const letter of 'xyz') {
      textAt(ben, 0).insert(2, letter)
      textAt(ana, 1).insert(5, letter)
    }
    if (merges) mergeScene(scene.rows)
    const planner = createUndoPlanner(() => 999)
    planner({ kind: 'load', ticket: 't', rows: scene.rows })
    const steps = [{ run: 'r', step: 's', lastSeq: scene.rows.find(({ run }) => run === 'r')?.seq ?? 0 }]
    const undone = [{ run: 'r' }]
    const planned = planner({ kind: 'plan', ticket: 't', rows: [], goal: { kind: 'run', run: 'r', steps, undone } })
    if (planned.kind !== 'planned' || !planned.update) throw new Error('nothing is planned')
    Y.applyUpdate(scene.doc, planned.update)
    return scene.texts()
  }
  const plain = play(false)
  expect(plain).toHaveLength(3)
  expect(play(true)).toEqual(plain)
})

function mergeScene(rows: ReturnType<typeof createLogScene>['rows']): void {
  const logged = rows.map((row) => ({ ...row, at: 0, isFixed: row.run !== null }))
  const merged = mergeWindows(mergeWindowsOf(logged, new Set()))
  expect(merged.length).toBeGreaterThan(0)
  const gone = new Set(merged.flatMap(({ replaces }) => replaces))
  const left = rows
    .filter(({ seq }) => !gone.has(seq))
    .map((row) => ({ ...row, bytes: merged.find(({ seq }) => seq === row.seq)?.bytes ?? row.bytes }))
  rows.splice(0, rows.length, ...left)
}

test('[HIST-11] rows stay apart at versions, days, pauses and whatever is fixed; ids of one client keep their first bringer', () => {
  const rows = [0, 1, 2, 30, 31, 32, 33].map((at, index) => ({
    seq: index + 1,
    at: at * minute,
    actor: 'ana',
    isFixed: index === 5,
  }))
  const seqs = (versionsAt: number[]) =>
    mergeWindowsOf(rows, new Set(versionsAt)).map((each) => each.map(({ seq }) => seq))
  expect(seqs([])).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
  expect(seqs([2])).toEqual([
    [1, 2],
    [4, 5],
  ])
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  for (const letter of 'abcd') doc.getText().insert(0, letter)
  const mixed = ['ana', 'ben', 'ana', 'ana'].map((actor, index) => ({ seq: index + 1, actor, bytes: updates[index]! }))
  expect(mergeWindows([mixed]).map(({ seq, replaces }) => [seq, replaces])).toEqual([[4, [3]]])
})

test('[HIST-5] [HIST-10] automatic versions thin out with age; named, restored and the newest stay, and no writer is forgotten', () => {
  const now = 100 * day
  const row = (id: string, age: number, more: Partial<VersionRow> = {}): VersionRow => ({
    id,
    document: 'd',
    seq: 0,
    kind: 'automatic',
    name: null,
    created_by: 'ana',
    writers: JSON.stringify([id]),
    run: null,
    restored: null,
    at: now - age,
    ...more,
  })
  const rows = [
    row('first', 60 * day),
    row('ancient', 50 * day),
    row('ancient named', 49 * day, { name: 'Kept', kind: 'named' }),
    row('source', 48 * day),
    row('same day 1', 20 * day + 2 * hour),
    row('same day 2', 20 * day + hour),
    row('same hour 1', 2 * day - 10 * minute),
    row('same hour 2', 2 * day - 20 * minute),
    row('restore', 2 * day - 30 * minute, { kind: 'restore', restored: 'source' }),
    row('today 1', 3 * hour),
    row('today 2', 3 * hour - minute),
    row('newest', 0),
  ]
  const { gone, writers } = selectPrunedVersions(rows, { now, days: 30 })
  expect(gone.map(({ id }) => id).toReversed()).toEqual(['ancient', 'same day 1', 'same hour 1'])
  expect(Object.fromEntries(writers)).toEqual({
    'ancient named': ['ancient', 'ancient named'],
    'same day 2': ['same day 1', 'same day 2'],
    'same hour 2': ['same hour 1', 'same hour 2'],
  })
})

test('[HIST-11] a store that fails while all documents are examined is logged, and ends nothing', async () => {
  const troubles: unknown[] = []
  const retention = retentionFor(30, (error) => void troubles.push(error))
  await changeFile(context.file, 'ALTER TABLE documents RENAME TO away')
  retention.start()
  await retention.close()
  expect(troubles).toEqual([expect.objectContaining({ message: expect.stringContaining('documents') as string })])
})
