import type { Change, Session } from '@copydesk/protocol'
import { createBindingMetadata, readFragment, schema, writeFragment } from '@copydesk/schema'
import { Transform } from 'prosemirror-transform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { type ApiCaller, callApi } from '../../testing/call-api.ts'
import { createLogScene, fragmentOf, textAt } from '../../testing/log-scene.ts'
import { startTestServer, type TestEditor, type TestServer } from '../../testing/test-server.ts'
import { openTestStore } from '../../testing/test-store.ts'
import { Changes } from './changes.ts'

let server: TestServer
let ana: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.signIn('Ana')
  ben = await server.signIn('Ben')
})
afterAll(() => server.dispose())

type Scene = { id: string; asAna: ApiCaller; asBen: ApiCaller; typist: TestEditor; suggester: TestEditor }

async function openScene(markdown: string): Promise<Scene> {
  const { id } = await server.create(ana, markdown)
  return {
    id,
    asAna: callApi(server.url, ana.token, id),
    asBen: callApi(server.url, ben.token, id),
    typist: await server.join(ana.token, id),
    suggester: await server.join(ben.token, id),
  }
}

function plainOf(text: Y.XmlText): string {
  const delta = text.toDelta() as { insert: string }[]
  return delta.map(({ insert }) => insert).join('')
}

function shownIn({ doc }: TestEditor): string[] {
  return fragmentOf(doc)
    .toArray()
    .map((block) =>
      (block as Y.XmlElement)
        .toArray()
        .map((text) => plainOf(text as Y.XmlText))
        .join(''),
    )
}

function marksIn({ doc }: TestEditor): string {
  return JSON.stringify(
    fragmentOf(doc)
      .toArray()
      .map((block) => (block as Y.XmlElement).toArray().map((text) => (text as Y.XmlText).toDelta())),
  )
}

/** Inserts `words` before `place` without formats, as a Yjs client may: Yjs gives them the formats to their left. */
function typeBefore(editor: TestEditor, place: string, words: string): void {
  const at = plainOf(editor.text()).indexOf(place)
  expect(at).toBeGreaterThan(0)
  editor.text().insert(at, words)
}

/** Suggests to replace `quote` by `replaceWith`, as Ben; resolves when both editors show it. */
async function suggest({ asBen, typist, suggester }: Scene, quote: string, replaceWith: string): Promise<Change> {
  const { body } = await asBen<Change>('POST', '/changes', { quote, replaceWith })
  for (const editor of [typist, suggester]) await until(() => marksIn(editor).includes(body.id), 'the suggestion shows')
  return body
}

async function decide(scene: Scene, path: string, decision: 'accept' | 'reject'): Promise<void> {
  expect((await scene.asAna('POST', path, { decision })).status).toBe(200)
  for (const editor of [scene.typist, scene.suggester]) {
    await until(() => !/insertion|deletion/.test(marksIn(editor)), 'it is decided')
  }
  expect(shownIn(scene.suggester)).toEqual(shownIn(scene.typist))
}

const decisions = ['accept', 'reject'] as const
const outcomes = {
  deletion: { accept: 'Keep MINE this.', reject: 'Keep old MINEwords this.' },
  insertion: { accept: 'Keep new MINEphrase this.', reject: 'KeepMINE this.' },
}
const kinds = {
  deletion: { markdown: 'Keep old words this.\n', quote: 'old words', replaceWith: '', place: 'words' },
  insertion: { markdown: 'Keep  this.\n', quote: 'Keep', replaceWith: 'Keep new phrase', place: 'phrase' },
}

test.each(
  decisions.flatMap((decision) => (['deletion', 'insertion'] as const).map((kind) => [kind, decision] as const)),
)('[REV-16] what is typed inside a suggested %s stays after %s', async (kind, decision) => {
  const scene = await openScene(kinds[kind].markdown)
  const change = await suggest(scene, kinds[kind].quote, kinds[kind].replaceWith)
  typeBefore(scene.typist, kinds[kind].place, 'MINE')
  expect(marksIn(scene.typist)).toMatch(/"insert":"[^"]*MINE[^}]*(deletion|insertion)/)
  await scene.typist.saved()
  await decide(scene, `/changes/${change.id}`, decision)
  expect(shownIn(scene.typist)[0]?.replace('  ', ' ')).toBe(outcomes[kind][decision])
})

test.each(decisions)('[REV-16] what was typed before the suggestion had arrived stays after %s', async (decision) => {
  const scene = await openScene('Keep old words this.\n')
  scene.typist.socket.disconnect()
  await until(() => !scene.typist.provider.synced, 'Ana is offline')
  typeBefore(scene.typist, 'words', 'MINE')
  const { body: change } = await scene.asBen<Change>('POST', '/changes', {
    quote: 'old words',
    replaceWith: 'new ones',
  })
  void scene.typist.socket.connect()
  await scene.typist.saved()
  await until(() => marksIn(scene.suggester).includes('MINE'), 'Ben has it')
  await decide(scene, `/changes/${change.id}`, decision)
  expect(shownIn(scene.typist)[0]).toContain('MINE')
  expect(shownIn(scene.typist)[0]?.replace('MINE', '').replaceAll('  ', ' ')).toBe(
    decision === 'accept' ? 'Keep new ones this.' : 'Keep old words this.',
  )
})

test('[REV-16] what the author adds to their own suggestion belongs to it', async () => {
  const scene = await openScene('Keep this.\n')
  const change = await suggest(scene, 'Keep', 'Keep new phrase')
  typeBefore(scene.suggester, 'phrase', 'longer ')
  await scene.suggester.saved()
  await decide(scene, `/changes/${change.id}`, 'reject')
  expect(shownIn(scene.typist)).toEqual(['Keep this.'])
})

test('[REV-16] a run’s later edits belong to its suggestion; its caller’s and other runs’ do not', async () => {
  const context = await openTestStore()
  try {
    const { db } = context.store
    const { id } = await context.documents.create('ana', { markdown: 'Keep this.' })
    const insert = (place: number, words: string, from: { run?: string }, marks?: object) =>
      context.writer.write(id, { actor: 'ana', ...from }, ({ doc }) => textAt(doc, 0).insert(place, words, marks))
    await insert(4, ' new', { run: 'run-1' }, { insertion: { id: 'c1' } })
    const { seq } = await db.selectFrom('logs').select('seq').where('name', '=', id).executeTakeFirstOrThrow()
    const author = { author_id: 'agent', author_name: 'Agent', author_kind: 'agent' as const, run: 'run-1' }
    await db
      .insertInto('changes')
      .values({ document: id, id: 'c1', ...author, created_at: context.clock.now, seq })
      .execute()
    await insert(6, 'OWN', { run: 'run-1' })
    await insert(6, 'ANA', {})
    await insert(6, 'OTHER', { run: 'run-2' })
    const changes = new Changes({ db, ...context, now: () => context.clock.now })
    const by = { id: 'ben', name: 'Ben', kind: 'person' as const }
    expect(await changes.decide(id, 'c1', 'reject', by)).toMatchObject({ ok: true })
    const loaded = await context.log.load(id)
    expect(loaded && textAt(loaded.doc, 0).toDelta()).toEqual([{ insert: 'KeepOTHERANA this.' }])
  } finally {
    await context.dispose()
  }
})

test.each([
  ['had not seen', 'Keep MINE.'],
  ['had seen', 'Keep .'],
])('[REV-16] what a run %s when it suggested to delete around it', async (what, expected) => {
  const context = await openTestStore()
  try {
    const { db } = context.store
    const { id } = await context.documents.create('ana', { markdown: 'Keep old words.' })
    const run = {
      id: 'run-1',
      document: id,
      status: 'running',
      trigger_kind: 'chat',
      trigger_id: 'm',
      instruction: 'x',
    }
    const caller = { invoked_by: 'ana', invoked_by_name: 'Ana', mode: 'suggest' as const, max_rounds: 9, epoch: 1 }
    await db
      .insertInto('runs')
      .values({
        ...run,
        ...caller,
        rounds: 0,
        input_tokens: 0,
        output_tokens: 0,
        stop_requested: 0,
        created_at: context.clock.now++,
      })
      .execute()
    const peer = (await context.log.load(id))?.doc
    if (!peer) throw new Error('there is a log')
    const type = (place: number, words: string) =>
      context.writer.write(id, { actor: 'ana' }, ({ doc }) => {
        textAt(doc, 0).insert(place, words)
        if (what === 'had seen') Y.applyUpdate(peer, Y.encodeStateAsUpdate(doc))
      })
    await type('Keep old'.length, 'MINE')
    if (what === 'had seen') await type('Keep oldMINE words'.length, ' too')
    const text = textAt(peer, 0)
    text.format('Keep '.length, text.length - 'Keep .'.length, { 'deletion--AAAAAAAA': { id: 'c1' } })
    await context.writer.write(id, { actor: 'ana', run: 'run-1' }, ({ doc }) =>
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(peer)),
    )
    const { seq } = await db.selectFrom('logs').select('seq').where('name', '=', id).executeTakeFirstOrThrow()
    const author = { author_id: 'agent', author_name: 'Agent', author_kind: 'agent' as const, run: 'run-1' }
    await db
      .insertInto('changes')
      .values({ document: id, id: 'c1', ...author, created_at: context.clock.now, seq })
      .execute()
    const changes = new Changes({ db, ...context, now: () => context.clock.now })
    expect(await changes.decide(id, 'c1', 'accept', { id: 'ben', name: 'Ben', kind: 'person' })).toMatchObject({
      ok: true,
    })
    const loaded = await context.log.load(id)
    expect(loaded && textAt(loaded.doc, 0).toDelta()).toEqual([{ insert: expected }])
  } finally {
    await context.dispose()
  }
})

test('[REV-16] all at once: each author’s own text goes, everybody else’s stays', async () => {
  const scene = await openScene('Keep this and that.\n')
  await suggest(scene, 'this', '')
  const { body: other } = await scene.asAna<Change>('POST', '/changes', { quote: 'that', replaceWith: '' })
  await until(() => [scene.typist, scene.suggester].every((editor) => marksIn(editor).includes(other.id)), 'both show')
  typeBefore(scene.typist, 'his', 'ANA')
  typeBefore(scene.typist, 'hat', 'ana')
  typeBefore(scene.suggester, 'his', 'BEN')
  typeBefore(scene.suggester, 'hat', 'ben')
  await scene.typist.saved()
  await scene.suggester.saved()
  await decide(scene, '/changes', 'accept')
  expect(shownIn(scene.typist)[0]?.replace(' and ', '')).toMatch(/^Keep ANAben\.$/)
})

test('[REV-16] a deleted block into which another person has typed stays with their text', async () => {
  const scene = await openScene('First one.\n\nSecond.\n')
  const block = fragmentOf(scene.suggester.doc).get(0) as Y.XmlElement
  scene.suggester.doc.transact(() => {
    block.setAttribute('suggestion', JSON.stringify([{ id: 'block-1', operation: 'delete' }]))
    ;(block.get(0) as Y.XmlText).format(0, 10, { 'deletion--AAAAAAAA': { id: 'block-1' } })
  })
  await until(() => marksIn(scene.typist).includes('block-1'), 'Ana has it')
  typeBefore(scene.typist, 'one', 'MINE')
  await scene.typist.saved()
  await decide(scene, '/changes/block-1', 'accept')
  expect(shownIn(scene.typist)).toEqual(['MINE', 'Second.'])
})

/** Splits the block at `at`, a position in the whole document, as the editor does. */
function split({ doc }: TestEditor, at: number): void {
  const fragment = fragmentOf(doc)
  const metadata = createBindingMetadata()
  const read = readFragment(fragment, schema, metadata.mapping)
  if (!read.ok) throw new Error('the document can be read')
  writeFragment(fragment, new Transform(read.doc).split(at).doc, metadata)
}

test('[REV-16] a block that is parted inside of a suggestion was moved, not typed', async () => {
  const scene = await openScene('Keep old words this.\n')
  const change = await suggest(scene, 'old words', '')
  split(scene.typist, 1 + 'Keep old wo'.length)
  await scene.typist.saved()
  split(scene.typist, 3 + 'Keep old wor'.length)
  await scene.typist.saved()
  expect(shownIn(scene.typist)).toEqual(['Keep old wo', 'r', 'ds this.'])
  await decide(scene, `/changes/${change.id}`, 'accept')
  expect(shownIn(scene.typist)).toEqual(['Keep ', '', ' this.'])
})

test.each(['in one go', 'one after the other'])(
  '[REV-16] typed and then parted, %s: what was typed stays',
  async (how) => {
    const scene = await openScene('Keep old words this.\n')
    const change = await suggest(scene, 'old words', '')
    if (how === 'in one go') {
      scene.typist.socket.disconnect()
      await until(() => !scene.typist.provider.synced, 'Ana is offline')
    }
    typeBefore(scene.typist, 'words', 'MINE')
    if (how === 'one after the other') await scene.typist.saved()
    split(scene.typist, 1 + 'Keep old'.length)
    void scene.typist.socket.connect()
    await scene.typist.saved()
    await decide(scene, `/changes/${change.id}`, 'accept')
    expect(shownIn(scene.typist).join('')).toContain('MINE')
  },
)

test('[REV-16] what is typed inside of a run’s suggestion survives undo of the run', () => {
  const scene = createLogScene(['Keep old words this.'])
  const run = scene.join('r')
  const ana = scene.join()
  run.transact(() => {
    textAt(run, 0).format(5, 9, { 'deletion--AAAAAAAA': { id: 'c1' } })
    textAt(run, 0).insert(14, ' new phrase', { insertion: { id: 'c1' }, 'deletion--AAAAAAAA': null })
  })
  textAt(ana, 0).insert('Keep old '.length, 'MINE')
  textAt(ana, 0).insert('Keep old MINEwords new '.length, 'ALSO')
  expect(textAt(ana, 0).toDelta()).toHaveLength(4)
  expect(scene.make('r', [{ run: 'r' }])).toBe(true)
  expect(scene.texts()).toEqual(['Keep old MINEwordsALSO this.'])
  expect(textAt(scene.doc, 0).toDelta()).toEqual([{ insert: 'Keep old MINEwordsALSO this.' }])
})
