import { contentName } from '@copydesk/schema'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { DocumentTransactions } from '../../store/log/document-transactions.ts'
import { fragmentOf, textAt } from '../../testing/log-scene.ts'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { Anchoring } from '../threads/anchoring.ts'
import { Changes } from './changes.ts'

const ana = { id: 'ana', name: 'Ana', kind: 'person' as const }
const ben = { id: 'ben', name: 'Ben', kind: 'person' as const }

let setup: TestStore
beforeEach(async () => {
  setup = await openTestStore()
})
afterEach(() => setup.dispose())

/** Changes on a store connection that counts the updates read over it. */
function watchedChanges(): { inside: { updates: number }; writer: DocumentTransactions; changes: Changes } {
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
  const writer = new DocumentTransactions({ ...store, db: store.db.withPlugin(counter) }, log, signals, now)
  return { inside, writer, changes: new Changes({ db: store.db, writer, signals, now }) }
}

/** Types `keys` keys as Ana, one update per key. */
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
  // The writer reads up to the head; no other code reads the document.
  expect(inside.updates).toBe(3)
  const loaded = await setup.log.load(contentName(id))
  expect(loaded && textAt(loaded.doc, 0).toDelta()).toEqual([{ insert: `Keepxxx ${'x'.repeat(700)}.` }])
})

test('[REV-16] what is typed between the look at the log and the decision stays', async () => {
  const { id } = await setup.documents.create(ana.id, { markdown: 'Keep old words.' })
  const { writer, changes } = watchedChanges()
  await changes.suggest(id, 'c1', { quote: 'old words' }, '', ben)
  const writeEach = writer.writeEach.bind(writer)
  writer.writeEach = async (...given) => {
    await typeALot(id, 3, 'Keep old'.length)
    return writeEach(...given)
  }
  expect(await changes.decide(id, 'c1', 'accept', ben)).toMatchObject({ ok: true })
  const loaded = await setup.log.load(contentName(id))
  expect(loaded && textAt(loaded.doc, 0).toDelta()).toEqual([{ insert: 'Keep xxx.' }])
})

test('[REV-15] if one of several decisions is refused, none of them is made', async () => {
  const { id } = await setup.documents.create(ana.id, { markdown: 'One two.' })
  const { writer, changes } = watchedChanges()
  await changes.suggest(id, 'c1', { quote: 'One' }, 'Eins', ana)
  await changes.suggest(id, 'c2', { quote: 'two' }, 'zwei', ben)
  await setup.store.db.updateTable('changes').set({ run: 'run-1' }).where('id', '=', 'c2').execute()
  const writeEach = writer.writeEach.bind(writer)
  writer.writeEach = async (names, [first, ...others]) => {
    if (!first || others.length !== 1) return writeEach(names, first ? [first, ...others] : others)
    const spoil: typeof first = {
      ...first,
      change: async (scope) => {
        const decided = await first.change(scope)
        const content = scope.docs.get(contentName(id))
        // From here on, the server can't read the document.
        if (content) fragmentOf(content).push([new Y.XmlElement('unheard-of')])
        return decided
      },
    }
    return writeEach(names, [spoil, ...others])
  }
  expect(await changes.decideAll(id, 'accept', ben)).toMatchObject({ ok: false, code: 'unavailable' })
  expect(await changes.decided(id, ['c1', 'c2'])).toEqual([])
  const loaded = await setup.log.load(contentName(id))
  expect(loaded && textAt(loaded.doc, 0).toString()).toMatch(/One<.*Eins<.*two<.*zwei</)
  expect(await changes.list(id)).toMatchObject({ ok: true, changes: [{ id: 'c1' }, { id: 'c2' }] })
})

test('[REV-15] an author’s changes, a run’s, or those of an author in a run', async () => {
  const { id } = await setup.documents.create(ana.id, { markdown: 'One two three four.' })
  const { changes } = watchedChanges()
  await changes.suggest(id, 'c1', { quote: 'One' }, 'Eins', ana)
  await changes.suggest(id, 'c2', { quote: 'two' }, 'zwei', ben)
  await changes.suggest(id, 'c3', { quote: 'three' }, 'drei', ben)
  await setup.store.db.updateTable('changes').set({ run: 'run-1' }).where('id', '=', 'c3').execute()
  const decide = async (filter: { author?: string; run?: string }) => {
    const outcome = await changes.decideAll(id, 'accept', ana, filter)
    return outcome.ok && outcome.changes.map((change) => change.id)
  }
  expect(await decide({ author: 'ana', run: 'run-1' })).toEqual([])
  expect(await decide({ author: 'ben', run: 'run-1' })).toEqual(['c3'])
  expect(await decide({ author: 'ben' })).toEqual(['c2'])
  expect(await decide({})).toEqual(['c1'])
  const loaded = await setup.log.load(contentName(id))
  expect(loaded && textAt(loaded.doc, 0).toDelta()).toEqual([{ insert: 'Eins zwei drei four.' }])
})

test('[REV-34] a suggestion stays open if another person writes into it while all of its author’s are being decided', async () => {
  const { id } = await setup.documents.create(ana.id, { markdown: 'One two.' })
  const { changes } = watchedChanges()
  await changes.suggest(id, 'c1', { quote: 'One' }, 'Eins', ben)
  await changes.suggest(id, 'c2', { quote: 'two' }, 'zwei', ben)
  const hand = { author_id: 'cleo', author_name: 'Cleo', author_kind: 'person' as const, run: null, at: 1 }
  const outcome = await changes.decideAll(id, 'accept', ana, { author: ben.id }, async (trx) => {
    await trx
      .insertInto('change_contributors')
      .values({ document: id, change: 'c2', writer: 'cleo', ...hand })
      .execute()
  })
  expect(outcome).toMatchObject({ ok: true, changes: [{ id: 'c1' }] })
  expect(await changes.list(id)).toMatchObject({ changes: [{ id: 'c2', alsoBy: [{ name: 'Cleo' }] }] })
})

test('[SUG-21] what is decided in many blocks is written block by block, and leaves alone what others have typed', async () => {
  const blocks = 90
  const markdown = Array.from({ length: blocks }, (_, index) => `Line ${index} of words.`).join('\n\n')
  const { id } = await setup.documents.create(ana.id, { markdown })
  const { writer, changes } = watchedChanges()
  await writer.write(contentName(id), { actor: ana.id }, ({ doc }) => {
    for (let index = 0; index < blocks; index++) {
      const change = { id: `c${index}` }
      const block = fragmentOf(doc).get(index) as Y.XmlElement
      if (index % 3 === 0) textAt(doc, index).insert(4, ' number', { insertion: change })
      else textAt(doc, index).format(0, 5, { [`deletion--${String(index).padStart(8, 'A')}`]: change })
      if (index % 3 !== 2) continue
      textAt(doc, index).format(0, textAt(doc, index).length, {
        [`deletion--${String(index).padStart(8, 'A')}`]: change,
      })
      block.setAttribute('suggestion', JSON.stringify([{ ...change, operation: 'delete' }]))
    }
  })
  const kept = (await setup.log.load(contentName(id)))?.doc
  const outcome = await changes.decideAll(id, 'accept', ben)
  expect(outcome.ok && outcome.changes.length).toBe(blocks)
  const doc = (await setup.log.load(contentName(id)))?.doc
  if (!doc || !kept) throw new Error('there is a log')
  const lines = fragmentOf(doc)
    .toArray()
    .map((_, index) => textAt(doc, index).toDelta() as unknown)
  const expected = Array.from({ length: blocks }, (_, index) => index).flatMap((index) => {
    if (index % 3 === 2) return []
    return [[{ insert: index % 3 === 0 ? `Line number ${index} of words.` : `${index} of words.` }]]
  })
  expect(lines).toEqual(expected)
  // The Y.XmlText objects are unchanged: text that a user types into one of them meanwhile is kept.
  textAt(kept, 3).insert(0, 'Late: ')
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(kept))
  expect(textAt(doc, 2).toJSON()).toContain('Late: Line number 3')
})
