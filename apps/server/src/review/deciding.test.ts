import { contentName } from '@copydesk/schema'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { ServerWriter } from '../store/server-writer.ts'
import { fragmentOf, textAt } from '../testing/log-scene.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { Anchoring } from './anchoring.ts'
import { Changes } from './changes.ts'

const ana = { id: 'ana', name: 'Ana', kind: 'person' as const }
const ben = { id: 'ben', name: 'Ben', kind: 'person' as const }

let setup: TestStore
beforeEach(async () => {
  setup = await openTestStore()
})
afterEach(() => setup.dispose())

/** Changes over a line to the store that counts the updates which are read over it. */
function watchedChanges(): { inside: { updates: number }; writer: ServerWriter; changes: Changes } {
  const { store, log, signals, clock } = setup
  const inside = { updates: 0 }
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      inside.updates += result.rows.filter((row) => 'bytes' in row).length
      return result
    },
  }
  const now = () => clock.now
  const writer = new ServerWriter({ ...store, db: store.db.withPlugin(counter) }, log, signals, now)
  return { inside, writer, changes: new Changes({ db: store.db, writer, signals, now }) }
}

/** Key after key of Ana's, each an update of its own. */
async function typeALot(document: string, keys: number, at: number): Promise<void> {
  const doc = (await setup.log.load(contentName(document)))?.doc
  if (!doc) throw new Error('there is a log')
  const appended: Promise<unknown>[] = []
  doc.on('update', (bytes: Uint8Array) => {
    appended.push(setup.log.append({ name: contentName(document), bytes, actor: ana.id, run: null, epoch: null }))
  })
  for (let key = 0; key < keys; key++) textAt(doc, 0).insert(at + key, 'x')
  await Promise.all(appended)
}

test('[REV-27] a decision reads what was typed since its suggestion before it locks the document', async () => {
  const { id } = await setup.documents.create(ana.id, { markdown: 'Keep old words.' })
  const { inside, writer, changes } = watchedChanges()
  await changes.suggest(id, 'c1', { quote: 'old words' }, '', ben)
  await typeALot(id, 700, 'Keep old'.length)
  await new Anchoring({ db: setup.store.db, writer, now: () => setup.clock.now }).settle(id)
  await typeALot(id, 3, 'Keep'.length)
  inside.updates = 0
  expect(await changes.decide(id, 'c1', 'accept', ben)).toMatchObject({ ok: true })
  // The writer reads on to the head, and nobody else reads anything.
  expect(inside.updates).toBe(3)
  const loaded = await setup.log.load(contentName(id))
  expect(loaded && textAt(loaded.doc, 0).toDelta()).toEqual([{ insert: `Keepxxx ${'x'.repeat(700)}.` }])
})

test('[REV-16] what is typed between the look at the log and the decision stays', async () => {
  const { id } = await setup.documents.create(ana.id, { markdown: 'Keep old words.' })
  const { writer, changes } = watchedChanges()
  await changes.suggest(id, 'c1', { quote: 'old words' }, '', ben)
  const writeMany = writer.writeMany.bind(writer)
  writer.writeMany = async (...given) => {
    await typeALot(id, 3, 'Keep old'.length)
    return writeMany(...given)
  }
  expect(await changes.decide(id, 'c1', 'accept', ben)).toMatchObject({ ok: true })
  const loaded = await setup.log.load(contentName(id))
  expect(loaded && textAt(loaded.doc, 0).toDelta()).toEqual([{ insert: 'Keep xxx.' }])
})

test('[REV-15] a refusal half-way through all says how many were decided, and those are', async () => {
  const { id } = await setup.documents.create(ana.id, { markdown: 'One two.' })
  const { writer, changes } = watchedChanges()
  await changes.suggest(id, 'c1', { quote: 'One' }, 'Eins', ana)
  await changes.suggest(id, 'c2', { quote: 'two' }, 'zwei', ben)
  await setup.store.db.updateTable('changes').set({ run: 'run-1' }).where('id', '=', 'c2').execute()
  const writeMany = writer.writeMany.bind(writer)
  writer.writeMany = async (...given) => {
    const outcome = await writeMany(...given)
    // From now on no part of the server can read the document.
    await setup.writer.write(contentName(id), { actor: ana.id }, ({ doc }) =>
      fragmentOf(doc).push([new Y.XmlElement('unheard-of')]),
    )
    return outcome
  }
  const outcome = await changes.decideAll(id, 'accept', ben)
  expect(outcome).toMatchObject({ ok: false, code: 'unavailable' })
  expect(!outcome.ok && outcome.message).toMatch(/ 1 of 2 changes had been accepted before that\.$/)
  expect(await changes.decided(id, ['c1', 'c2'])).toEqual(['c1'])
})
