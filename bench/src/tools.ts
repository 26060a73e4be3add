/**
 * Cost of the agent's tools on a long document while another user is typing, compared with the plain approach: build
 * the ProseMirror document from the Y.Doc, change it, write it back with `updateYFragment`. Same document, same
 * machine, same run.
 *
 *     pnpm --filter @copydesk/bench tools            a table
 *     JSON_OUT=figures.json pnpm --filter @copydesk/bench tools
 */
import { writeFileSync } from 'node:fs'
import { contentTypes, createBindingMetadata, readFragment, schema, writeFragment } from '@copydesk/schema'
import { type DocumentSession, executeToolCall, openHeadlessSession } from '@copydesk/tools'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import * as Y from 'yjs'
import { percentile } from './percentile.ts'

const paragraphs = Number(process.env.PARAGRAPHS ?? 5_000)
const rounds = Number(process.env.ROUNDS ?? 60)
const wordsEach = 40
// Calls that aren't counted: until then the runtime is compiling.
const warmUp = 30
const vocabulary = 'river market letter window garden bridge paper silver morning engine harbour lantern'.split(' ')

/** A paragraph of 40 words; one in five holds the word `alpha`, so that a thousand of 5,000 do. */
function paragraphText(index: number): string {
  const words = Array.from({ length: wordsEach }, (_, place) => vocabulary[(index * 7 + place * 5) % vocabulary.length])
  words[3] = `p${index}`
  if (index % 5 === 0) words[10] = 'alpha'
  return `${words.join(' ')}.`
}

function createDocument(): Y.Doc {
  const doc = new Y.Doc()
  const nodes = Array.from({ length: paragraphs }, (_, index) =>
    schema.node('paragraph', null, schema.text(paragraphText(index))),
  )
  writeFragment(doc.getXmlFragment(contentTypes.fragment), schema.node('doc', null, nodes), createBindingMetadata())
  return doc
}

function replicaOf(doc: Y.Doc): Y.Doc {
  const replica = new Y.Doc()
  Y.applyUpdate(replica, Y.encodeStateAsUpdate(doc))
  return replica
}

/** Another user of the document: each call is one keystroke that arrives. */
function createTypist(doc: Y.Doc): () => Uint8Array {
  const own = replicaOf(doc)
  let key = 0
  return () => {
    const before = Y.encodeStateVector(own)
    const block = own.getXmlFragment(contentTypes.fragment).get((key * 131) % paragraphs) as Y.XmlElement
    const text = block.get(0) as Y.XmlText
    text.insert(text.length, String.fromCharCode(97 + (key++ % 26)))
    return Y.encodeStateAsUpdate(own, before)
  }
}

type Figure = { name: string; p50: number; p95: number; baselineP50: number | null; bytes: number | null }

async function measure(
  name: string,
  session: DocumentSession,
  doc: Y.Doc,
  type: () => Uint8Array,
  input: (round: number) => unknown,
  times = rounds,
): Promise<Figure> {
  const took: number[] = []
  const sizes: number[] = []
  const note = (update: Uint8Array, origin: unknown): void =>
    void (origin !== 'typist' && sizes.push(update.byteLength))
  doc.on('update', note)
  for (let round = 0; round < times + warmUp; round++) {
    Y.applyUpdate(doc, type(), 'typist')
    const began = performance.now()
    const result = await executeToolCall(name, input(round), session, { callId: `${name}-${round}` })
    const took1 = performance.now() - began
    if (!result.ok) throw new Error(`${name}: ${result.text}`)
    if (round >= warmUp) took.push(took1)
  }
  doc.off('update', note)
  const bytes = sizes.length > 0 ? Math.round(percentile(sizes, 0.5)) : null
  return { name, p50: percentile(took, 0.5), p95: percentile(took, 0.95), baselineP50: null, bytes }
}

/** The plain approach for the same: read all, change, compare all. */
function baseline(doc: Y.Doc, change: (transform: Transform) => void): number {
  const took: number[] = []
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  for (let round = 0; round < warmUp + 10; round++) {
    const began = performance.now()
    const metadata = createBindingMetadata()
    const read = readFragment(fragment, schema, metadata.mapping)
    if (!read.ok) throw new Error('unreadable')
    const transform = new Transform(read.doc)
    change(transform)
    doc.transact(() => writeFragment(fragment, transform.doc, metadata))
    if (round >= warmUp) took.push(performance.now() - began)
  }
  return percentile(took, 0.5)
}

function positionOf(doc: Node, text: string): number {
  let found = 1
  doc.descendants((node, pos) => {
    if (node.isText && node.text?.includes(text)) found = pos + node.text.indexOf(text)
    return found === 1
  })
  return found
}

function baselines(doc: Y.Doc): Record<string, number> {
  let round = 0
  const one = baseline(doc, (tr) => {
    const at = positionOf(tr.doc, `p${2_000 + round}`)
    tr.replaceWith(at, at + 5, schema.text(`q${2_000 + round++}`))
  })
  const suggested = baseline(doc, (tr) => {
    const at = positionOf(tr.doc, `p${4_000 + round}`)
    const id = `c${round++}`
    tr.addMark(at, at + 5, schema.mark('deletion', { id }))
    tr.insert(at + 5, schema.text('other', [schema.mark('insertion', { id })]))
  })
  const marked = baseline(doc, (tr) => {
    const at = positionOf(tr.doc, `p${3_000 + round}`)
    tr.addMark(at, at + 5, schema.marks.comment!.create({ threadId: `t${round++}` }))
  })
  let forward = true
  const all = baseline(doc, (tr) => {
    const [from, to] = forward ? ['alpha', 'gamma'] : ['gamma', 'alpha']
    forward = !forward
    const places: number[] = []
    tr.doc.descendants((node, pos) => {
      const at = node.text?.indexOf(from) ?? -1
      if (at >= 0) places.push(pos + at)
    })
    for (const at of places.toReversed()) tr.replaceWith(at, at + 5, schema.text(to))
  })
  const read = baseline(doc, () => undefined)
  return { edit_document: one, suggest_replacement: suggested, add_comment: marked, replace_text: all, read }
}

/** Median cost of one key that arrives, in milliseconds. */
function costOfKeys(doc: Y.Doc, session: boolean): number {
  const copy = replicaOf(doc)
  const type = createTypist(copy)
  const opened = session ? openHeadlessSession({ doc: copy }) : undefined
  opened?.view()
  const updates = Array.from({ length: 400 }, () => type())
  const took = updates.map((update) => {
    const began = performance.now()
    Y.applyUpdate(copy, update, 'typist')
    return performance.now() - began
  })
  opened?.close()
  return percentile(took, 0.5)
}

/** Heap as a multiple of the document's text: the Y.Doc alone, and with a session that has listed its blocks. */
function heapOfSession(): { document: number; session: number } {
  const collect = globalThis.gc ?? (() => undefined)
  const used = (): number => {
    collect()
    collect()
    return process.memoryUsage().heapUsed
  }
  const state = Y.encodeStateAsUpdate(createDocument())
  const open = (doc: Y.Doc): DocumentSession => {
    const session = openHeadlessSession({ doc })
    const read = session.view()
    if (!read.ok || read.view.blocks.length !== paragraphs) throw new Error('unreadable')
    return session
  }
  // Code and data that are shared by all documents are not counted.
  const warm = new Y.Doc()
  Y.applyUpdate(warm, state)
  open(warm).close()
  warm.destroy()
  const text = Array.from({ length: paragraphs }, (_, index) => paragraphText(index).length).reduce((a, b) => a + b, 0)
  const start = used()
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  const withDocument = used()
  const session = open(doc)
  const withSession = used()
  session.close()
  return { document: (withDocument - start) / text, session: (withSession - start) / text }
}

async function main(): Promise<void> {
  const heap = heapOfSession()
  const doc = createDocument()
  const type = createTypist(doc)
  const session = openHeadlessSession({ doc })
  const figures: Figure[] = []
  const add = async (name: string, input: (round: number) => unknown, times?: number): Promise<void> => {
    figures.push(await measure(name, session, doc, type, input, times))
  }
  await add('read_document', (round) => ({
    from: (round * 70) % (paragraphs - 100),
    to: ((round * 70) % (paragraphs - 100)) + 99,
  }))
  await add('search_document', (round) => ({ query: `p${(round * 83) % paragraphs} ` }))
  await add('edit_document', (round) => ({ find: `p${1_000 + round} `, replace: `edited${round} ` }))
  await add('suggest_replacement', (round) => ({ search: `p${1_500 + round} `, replaceWith: `suggested${round} ` }))
  await add('add_comment', (round) => ({ search: `p${3_500 + round} `, text: 'Is this right?' }))
  await add(
    'replace_text',
    (round) =>
      round % 2 === 0 ? { searchText: 'alpha', newText: 'gamma' } : { searchText: 'gamma', newText: 'alpha' },
    10,
  )
  const plain = baselines(createDocument())
  for (const figure of figures) figure.baselineP50 = plain[figure.name] ?? plain['read'] ?? null
  const fresh = createDocument()
  const keys = Array.from({ length: 9 }, () => costOfKeys(fresh, true) - costOfKeys(fresh, false))
  report(figures, { keyMs: percentile(keys, 0.5), heapTimesText: heap.session, heapOfDocument: heap.document })
  session.close()
}

type Rest = { keyMs: number; heapTimesText: number; heapOfDocument: number }

function report(figures: readonly Figure[], rest: Rest): void {
  console.log(`${paragraphs} paragraphs of ${wordsEach} words; milliseconds; a key arrives before every call`)
  console.table(
    figures.map(({ name, p50, p95, baselineP50, bytes }) => ({
      tool: name,
      p50: p50.toFixed(2),
      p95: p95.toFixed(2),
      'plain way p50': baselineP50?.toFixed(1) ?? '',
      'times faster': baselineP50 === null ? '' : (baselineP50 / p50).toFixed(1),
      'update bytes': bytes ?? '',
    })),
  )
  console.log(`a remote key costs an open session ${rest.keyMs.toFixed(4)} ms`)
  console.log(
    `heap with an open session: ${rest.heapTimesText.toFixed(1)} times the text (the Y.Doc alone ${rest.heapOfDocument.toFixed(1)})`,
  )
  if (process.env.JSON_OUT)
    writeFileSync(process.env.JSON_OUT, `${JSON.stringify({ paragraphs, figures, ...rest }, null, 2)}\n`)
}

await main()
