import { UPDATE_LIMITS } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { encodeUpdate } from '../../store/updates/causal-order.ts'
import { createVerbatimDoc } from '../../store/updates/verbatim-doc.ts'
import { CandidateDocument, type TryOptions } from './candidate-document.ts'

function element(name: string, ...children: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const made = new Y.XmlElement(name)
  made.insert(0, children)
  return made
}

const paragraph = (text: string): Y.XmlElement => element('paragraph', new Y.XmlText(text))
const fragmentOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment(contentTypes.fragment)

function startDoc(): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = 1
  fragmentOf(doc).insert(0, [paragraph('start')])
  doc.getMap(contentTypes.meta).set('title', 'Title')
  return doc
}

/** Sends a page's change under its own client id; returns the outcome. */
function attempt(change: (doc: Y.Doc) => void, options: TryOptions = { isPersons: true }): unknown {
  const state = Y.encodeStateAsUpdate(startDoc())
  const [server, page] = [createVerbatimDoc(), new Y.Doc()]
  for (const doc of [server, page]) Y.applyUpdate(doc, state)
  page.clientID = 2
  const before = Y.encodeStateVector(page)
  page.transact(() => change(page))
  const head = new CandidateDocument(server)
  const outcome = head.try(Y.encodeStateAsUpdate(page, before), false, options)
  // A refusal leaves the document unchanged.
  if (outcome.kind !== 'new') expect(Y.encodeStateAsUpdate(server)).toEqual(state)
  return outcome
}

const schemaRefused = { kind: 'refused', code: 'schema_refused' }

test.each<[string, (doc: Y.Doc) => void]>([
  ['another root type', (doc) => doc.getMap('other').set('a', 1)],
  ['another key of meta', (doc) => doc.getMap('meta').set('note', 'a')],
  ['a title that is no text', (doc) => doc.getMap('meta').set('title', { a: 1 })],
  ['a title without end', (doc) => doc.getMap('meta').set('title', 'x'.repeat(301))],
  ['a type in meta', (doc) => doc.getMap('meta').set('title', new Y.Map())],
  ['frontmatter without end', (doc) => doc.getMap('meta').set('frontmatter', 'x'.repeat(65 * 1024))],
  ['a list in meta', (doc) => doc.getArray('meta').push(['a'])],
])('[CONTENT-7] %s is refused', (_what, change) => {
  expect(attempt(change)).toMatchObject(schemaRefused)
})

test.each<[string, (doc: Y.Doc) => void]>([
  ['a title', (doc) => doc.getMap('meta').set('title', 'x'.repeat(300))],
  ['no title', (doc) => doc.getMap('meta').delete('title')],
  [
    'letters with more marks than they can have',
    (doc) => fragmentOf(doc).push([paragraph(`e${'\u0301'.repeat(1000)}`)]),
  ],
])('[CONTENT-7] %s is taken', (_what, change) => {
  expect(attempt(change)).toMatchObject({ kind: 'new' })
})

test('[CLIENT-8] an update may bring so many client ids, and a sender so many as are left to them', () => {
  const byMany =
    (count: number) =>
    (doc: Y.Doc): void => {
      for (let client = 0; client < count; client++) {
        doc.clientID = 1000 + client
        fragmentOf(doc).push([paragraph('by one of many')])
      }
    }
  const ownershipOf = () => 'free' as const
  expect(attempt(byMany(UPDATE_LIMITS.clientIds), { ownershipOf })).toMatchObject({ kind: 'new' })
  const refused = { kind: 'refused', code: 'too_many_client_ids' }
  expect(attempt(byMany(UPDATE_LIMITS.clientIds + 1), { ownershipOf })).toMatchObject(refused)
  expect(attempt(byMany(3), { ownershipOf, newClients: () => 2 })).toMatchObject(refused)
  expect(attempt(byMany(2), { ownershipOf, newClients: () => 2 })).toMatchObject({ kind: 'new' })
})

test('[HEAD-11] what would go beyond the size of a document is refused; deleting makes room', () => {
  const head = new CandidateDocument(createVerbatimDoc())
  const page = new Y.Doc()
  const send = (change: () => void) => {
    const before = Y.encodeStateVector(page)
    page.transact(change)
    return head.try(Y.encodeStateAsUpdate(page, before), false, { isPart: true })
  }
  const blocks = (count: number) => () =>
    fragmentOf(page).push(Array.from({ length: count }, () => paragraph('x'.repeat(999_999))))
  expect(send(blocks(4))).toMatchObject({ kind: 'new' })
  expect(send(blocks(1))).toMatchObject({ kind: 'new' })
  expect(send(blocks(1))).toMatchObject({ kind: 'refused', code: 'document_full' })
  // The page keeps its refused change; its next change depends on it.
  fragmentOf(page).delete(5, 1)
  const late = Y.encodeStateAsUpdate(page)
  expect(head.try(late, true, { isPart: true })).toMatchObject({ kind: 'new' })
  expect(send(() => fragmentOf(page).delete(0, 4))).toMatchObject({ kind: 'new' })
  expect(send(blocks(3))).toMatchObject({ kind: 'new' })
})

test('[HEAD-11] so is a document of more blocks than a page can lay out in time', () => {
  const head = new CandidateDocument(createVerbatimDoc())
  const page = new Y.Doc()
  const send = (rows: number) => {
    const before = Y.encodeStateVector(page)
    const lists = Array.from({ length: rows }, () =>
      element('blockquote', ...Array.from({ length: 999 }, () => paragraph(''))),
    )
    page.transact(() => fragmentOf(page).push(lists))
    return head.try(Y.encodeStateAsUpdate(page, before), false, { isPart: true })
  }
  expect(send(60)).toMatchObject({ kind: 'new' })
  expect(send(1)).toMatchObject({ kind: 'refused', code: 'document_full' })
})

test('[HEAD-11] so is text that comes at once and is longer than a block can be', () => {
  const long = (length: number) => (doc: Y.Doc) => fragmentOf(doc).push([paragraph('x'.repeat(length))])
  const options = { isPersons: true, isPart: true }
  expect(attempt(long(UPDATE_LIMITS.text), options)).toMatchObject({ kind: 'new' })
  expect(attempt(long(UPDATE_LIMITS.text + 1), options)).toMatchObject({ kind: 'refused', code: 'too_costly' })
})

test('[HEAD-11] a block can’t be made of more parts than an editor can show', () => {
  const formatted = (count: number) => (doc: Y.Doc) => {
    const text = (fragmentOf(doc).get(0) as Y.XmlElement).get(0) as Y.XmlText
    const delta = Array.from({ length: count }, (_, at) => ({
      insert: 'x',
      attributes: { bold: at % 2 === 0 ? {} : null },
    }))
    text.applyDelta(delta)
  }
  const options = { isPersons: true, isPart: true }
  expect(attempt(formatted(4000), options)).toMatchObject({ kind: 'new' })
  expect(attempt(formatted(12_000), options)).toMatchObject({ kind: 'refused', code: 'too_costly' })
})

test('[HEAD-11] nor can deletions divide it into more, but there is room to delete a word, and a whole costs none', () => {
  const head = new CandidateDocument(createVerbatimDoc())
  const page = new Y.Doc()
  fragmentOf(page).insert(0, [paragraph('x'.repeat(30_000)), paragraph('next')])
  const options = { isPersons: true, isPart: true }
  expect(head.try(Y.encodeStateAsUpdate(page), false, options)).toMatchObject({ kind: 'new' })
  const start = ((fragmentOf(page).get(0) as Y.XmlElement).get(0) as Y.XmlText)._start?.id.clock ?? NaN
  const tell = (ranges: { clock: number; len: number }[]) =>
    head.try(encodeUpdate([], { clients: new Map([[page.clientID, ranges]]) }), false, options)
  const everySecond = (count: number, from: number) =>
    tell(Array.from({ length: count }, (_, index) => ({ clock: start + 2 * (from + index), len: 1 })))
  expect(everySecond(11_000, 0)).toMatchObject({ kind: 'refused', code: 'too_costly' })
  expect(everySecond(9900, 0)).toMatchObject({ kind: 'new' })
  let deleted = 9900
  while (everySecond(40, deleted).kind === 'new') deleted += 40
  expect(deleted).toBe(10_980)
  expect(everySecond(40, deleted)).toMatchObject({ kind: 'refused', code: 'too_costly' })
  expect(tell([{ clock: start, len: 30_000 }])).toMatchObject({ kind: 'new' })
})

test('[CLIENT-8] what completes the updates of people comes under one client id', () => {
  const head = new CandidateDocument(createVerbatimDoc())
  for (let client = 1; client <= 5; client++) {
    const doc = new Y.Doc()
    doc.clientID = client
    fragmentOf(doc).insert(0, [element('bulletList')])
    expect(head.try(Y.encodeStateAsUpdate(doc), false, { isPersons: true })).toMatchObject({ kind: 'new' })
  }
  expect(head.clients).toBe(6)
})
