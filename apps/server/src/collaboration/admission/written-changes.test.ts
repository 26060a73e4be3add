import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createVerbatimDoc } from '../../store/updates/verbatim-doc.ts'
import { fragmentOf, paragraph, textAt } from '../../testing/log-scene.ts'
import { CandidateDocument, readTouched } from './candidate-document.ts'
import { WrittenChanges } from './written-changes.ts'

/**
 * Two people in one document, each with a copy, and the candidate document on which all their updates are tried; `tell`
 * returns the ids of the changes into which an update writes.
 */
const openScene = (...texts: string[]) => openSceneWith(texts.map(paragraph))

function openSceneWith(blocks: Y.XmlElement[]) {
  const seed = new Y.Doc()
  fragmentOf(seed).insert(0, blocks)
  const state = Y.encodeStateAsUpdate(seed)
  const copy = createVerbatimDoc()
  Y.applyUpdate(copy, state)
  const head = new CandidateDocument(copy)
  const people = [createVerbatimDoc(), createVerbatimDoc()]
  for (const doc of people) Y.applyUpdate(doc, state)
  const [ana, ben] = people as [Y.Doc, Y.Doc]
  const tell = (doc: Y.Doc, write: () => void): string[] => {
    const updates: Uint8Array[] = []
    const note = (update: Uint8Array): void => void updates.push(update)
    doc.on('update', note)
    doc.transact(write)
    doc.off('update', note)
    const update = Y.mergeUpdates(updates)
    for (const other of people) if (other !== doc) Y.applyUpdate(other, update)
    const tried = head.try(update, false)
    if (tried.kind !== 'new') throw new Error(`it is ${tried.kind}`)
    return tried.effects.written.toSorted()
  }
  return { ana, ben, head, tell }
}

const deletion = (id: string) => ({ [`deletion--${id.padEnd(8, 'A')}`]: { id } })

test('[REV-30] text has every mark that is open where it is inserted', () => {
  const { ana, ben, tell } = openScene('One two three.')
  expect(tell(ana, () => textAt(ana, 0).format(0, 7, deletion('one')))).toEqual(['one'])
  expect(tell(ana, () => textAt(ana, 0).format(4, 9, deletion('two')))).toEqual(['two'])
  expect(tell(ben, () => textAt(ben, 0).insert(5, 'x'))).toEqual(['one', 'two'])
  expect(tell(ben, () => textAt(ben, 0).insert(12, 'x'))).toEqual(['two'])
  expect(tell(ben, () => textAt(ben, 0).insert(0, 'x'))).toEqual([])
})

test('[REV-30] a mark counts where it was not before, whatever its stored name', () => {
  const { ana, ben, tell } = openScene('One two three.')
  tell(ana, () => textAt(ana, 0).format(0, 3, deletion('one')))
  // The same mark under another name, on the same text.
  expect(tell(ben, () => textAt(ben, 0).format(0, 3, { 'deletion--BBBBBBBB': { id: 'one' } }))).toEqual([])
  expect(tell(ben, () => textAt(ben, 0).format(0, 7, { 'deletion--BBBBBBBB': { id: 'one' } }))).toEqual(['one'])
  expect(tell(ben, () => textAt(ben, 0).format(0, 3, { insertion: { id: 'one' } }))).toEqual(['one'])
})

test('[REV-31] typing plain text into a mark writes nothing into it', () => {
  const { ana, ben, tell } = openScene('One two three.')
  tell(ana, () => textAt(ana, 0).format(0, 7, deletion('one')))
  const name = Object.keys(deletion('one'))[0] ?? ''
  expect(tell(ben, () => textAt(ben, 0).insert(2, 'plain', { [name]: null }))).toEqual([])
  expect(tell(ben, () => textAt(ben, 0).delete(2, 5))).toEqual([])
  expect(tell(ben, () => textAt(ben, 0).delete(8, 3))).toEqual([])
  expect(tell(ben, () => textAt(ben, 0).format(0, 3, { bold: {} }))).toEqual([])
})

test('[REV-33] taking a mark off some of its text, and deleting some of it, write into it', () => {
  const { ana, ben, tell } = openScene('One two three.', 'Second.')
  const name = Object.keys(deletion('one'))[0] ?? ''
  tell(ana, () => textAt(ana, 0).format(0, 7, deletion('one')))
  expect(tell(ben, () => textAt(ben, 0).format(0, 2, { [name]: null }))).toEqual(['one'])
  expect(tell(ben, () => textAt(ben, 0).delete(4, 2))).toEqual(['one'])
  expect(tell(ben, () => textAt(ben, 0).delete(7, 2))).toEqual([])
  // Also when the block of the text is deleted.
  tell(ana, () => textAt(ana, 1).format(0, 3, deletion('one')))
  expect(tell(ben, () => fragmentOf(ben).delete(1, 1))).toEqual(['one'])
})

test('[REV-33] another format of inserted text, or of what is reformatted, writes into the suggestion', () => {
  const { ana, ben, tell } = openScene('One two three.')
  const link = (href: string) => ({ link: { href } })
  tell(ana, () => textAt(ana, 0).insert(0, 'New ', { insertion: { id: 'one' } }))
  const turned = { id: 'two', mark: 'link', previous: null }
  tell(ana, () => textAt(ana, 0).format(4, 3, { ...link('good'), 'formattingChange--AAAAAAAA': turned }))
  expect(tell(ben, () => textAt(ben, 0).format(0, 3, link('bad')))).toEqual(['one'])
  expect(tell(ben, () => textAt(ben, 0).format(4, 3, link('bad')))).toEqual(['two'])
  expect(tell(ben, () => textAt(ben, 0).format(4, 3, { bold: {} }))).toEqual([])
  expect(tell(ben, () => textAt(ben, 0).format(8, 3, link('bad')))).toEqual([])
  // Rejecting the change would restore this value.
  const forged = { ...turned, previous: '{"href":"bad"}' }
  expect(tell(ben, () => textAt(ben, 0).format(4, 3, { 'formattingChange--AAAAAAAA': forged }))).toEqual(['two'])
})

test('[REV-33] a format that is suggested on top is a change of its own, if it says truly what was', () => {
  const { ana, ben, tell } = openScene('One two three.')
  tell(ana, () => textAt(ana, 0).insert(0, 'New ', { insertion: { id: 'one' } }))
  const own = (previous: string | null) => ({ 'formattingChange--BBBBBBBB': { id: 'own', mark: 'bold', previous } })
  expect(tell(ben, () => textAt(ben, 0).format(0, 3, { bold: {}, ...own(null) }))).toEqual(['own'])
  const back = { bold: null, 'formattingChange--BBBBBBBB': null }
  expect(tell(ben, () => textAt(ben, 0).format(0, 3, back))).toEqual(['own'])
  expect(tell(ben, () => textAt(ben, 0).format(0, 3, { bold: {}, ...own('{}') }))).toEqual(['one', 'own'])
})

function codeBlock(text: string): Y.XmlElement {
  const block = new Y.XmlElement('codeBlock')
  block.insert(0, [new Y.XmlText(text)])
  return block
}

test('[REV-33] taking an entry away, moving it, and another attribute of what is inserted or changed write into it', () => {
  const { ana, ben, tell } = openSceneWith([codeBlock('One.'), paragraph('Two.')])
  const blockIn = (doc: Y.Doc): Y.XmlElement => fragmentOf(doc).get(0) as Y.XmlElement
  const put = (doc: Y.Doc, ...entries: object[]): string[] =>
    tell(doc, () => blockIn(doc).setAttribute('suggestion', JSON.stringify(entries)))
  const one = { id: 'one', operation: 'insert' }
  const two = { id: 'two', operation: 'change', previous: { type: 'codeBlock', attributes: { language: 'left' } } }
  const gone = { id: 'gone', operation: 'delete' }
  expect(put(ana, one, two, gone)).toEqual(['gone', 'one', 'two'])
  expect(put(ben, two, one, gone)).toEqual(['one', 'two'])
  expect(tell(ben, () => blockIn(ben).setAttribute('language', 'right'))).toEqual(['one', 'two'])
  expect(tell(ben, () => blockIn(ben).setAttribute('language', 'right'))).toEqual([])
  expect(tell(ben, () => blockIn(ben).removeAttribute('language'))).toEqual(['one', 'two'])
  expect(put(ben, two, gone)).toEqual(['one'])
  expect(tell(ben, () => blockIn(ben).removeAttribute('suggestion'))).toEqual(['gone', 'two'])
  // Deleting a block deletes its entries.
  put(ana, one)
  expect(tell(ben, () => fragmentOf(ben).delete(0, 1))).toEqual(['one'])
})

test('[REV-33] an attribute that is suggested on top is a change of its own, if it says truly what was', () => {
  const { ana, ben, tell } = openSceneWith([codeBlock('One.')])
  const one = { id: 'one', operation: 'insert' }
  const own = (attributes: object) => ({ id: 'own', operation: 'change', previous: { type: 'codeBlock', attributes } })
  const put = (doc: Y.Doc, align: string | null, ...entries: object[]): string[] =>
    tell(doc, () => {
      const block = fragmentOf(doc).get(0) as Y.XmlElement
      block.setAttribute('suggestion', JSON.stringify(entries))
      if (align === null) block.removeAttribute('language')
      else block.setAttribute('language', align)
    })
  put(ana, 'left', one)
  expect(put(ben, 'right', one, own({ language: 'left' }))).toEqual(['own'])
  expect(put(ben, 'left', one)).toEqual(['own'])
  expect(put(ben, 'right', one, own({ language: 'center' }))).toEqual(['one', 'own'])
})

test("[REV-30] continuing one's own text is recognised without reading the text, until something else happens there", () => {
  const { ana, ben, head, tell } = openScene('One two three.')
  tell(ana, () => textAt(ana, 0).format(0, 7, deletion('one')))
  expect(tell(ben, () => textAt(ben, 0).insert(2, 'a'))).toEqual(['one'])
  expect(tell(ben, () => textAt(ben, 0).insert(3, 'b'))).toEqual(['one'])
  tell(ana, () => textAt(ana, 0).format(0, 10, { [Object.keys(deletion('one'))[0] ?? '']: null }))
  expect(tell(ben, () => textAt(ben, 0).insert(4, 'c'))).toEqual([])
  expect(tell(ben, () => textAt(ben, 0).insert(5, 'd'))).toEqual([])
  // Updates that the candidate document applies without trying them count, too.
  const server = createVerbatimDoc()
  Y.applyUpdate(server, Y.encodeStateAsUpdate(ana))
  const before = Y.encodeStateVector(server)
  textAt(server, 0).format(0, 10, deletion('two'))
  const update = Y.encodeStateAsUpdate(server, before)
  head.apply(update)
  for (const doc of [ana, ben]) Y.applyUpdate(doc, update)
  expect(tell(ben, () => textAt(ben, 0).insert(6, 'e'))).toEqual(['two'])
})

test('[REV-30] an entry of a block counts where it is new or changed, not where others are added next to it', () => {
  const { ana, ben, tell } = openScene('One.', 'Two.')
  const put = (doc: Y.Doc, index: number, ...entries: object[]): string[] =>
    tell(doc, () => (fragmentOf(doc).get(index) as Y.XmlElement).setAttribute('suggestion', JSON.stringify(entries)))
  const one = { id: 'one', operation: 'delete' }
  const two = { id: 'two', operation: 'insert' }
  expect(put(ana, 0, one)).toEqual(['one'])
  expect(put(ben, 0, one, two)).toEqual(['two'])
  expect(put(ben, 0, { ...one, operation: 'insert' }, two)).toEqual(['one'])
  expect(put(ben, 1, one)).toEqual(['one'])
  // A moved block counts as a new one.
  const moved = paragraph('One.')
  const move = (): void => {
    moved.setAttribute('suggestion', JSON.stringify([two]))
    fragmentOf(ben).insert(2, [moved])
  }
  expect(tell(ben, move)).toEqual(['two'])
})

test('[REV-31] typing on looks at the text once, and never where it holds no suggested change', () => {
  const { ana, tell } = openScene('One two three.')
  const name = Object.keys(deletion('one'))[0] ?? ''
  const shown = createVerbatimDoc()
  Y.applyUpdate(shown, Y.encodeStateAsUpdate(ana))
  const looks = countExamined(shown)
  const write = (change: (text: Y.XmlText) => void): number => {
    const before = { looks: looks.count, state: Y.encodeStateVector(ana) }
    tell(ana, () => change(textAt(ana, 0)))
    Y.applyUpdate(shown, Y.encodeStateAsUpdate(ana, before.state))
    return looks.count - before.looks
  }
  expect(write((text) => text.insert(4, 'a'))).toBe(1)
  expect([5, 6, 2].map((place) => write((text) => text.insert(place, 'b')))).toEqual([0, 0, 0])
  expect(write((text) => text.delete(1, 2))).toBe(0)
  expect(write((text) => text.format(1, 8, { [name]: { id: 'one' } }))).toBe(1)
  expect([4, 5, 6, 7].map((place) => write((text) => text.insert(place, 'c')))).toEqual([1, 0, 0, 0])
})

/** Counts the transactions that iterate over the first text of a document from its start. */
function countExamined(doc: Y.Doc): { count: number } {
  const looks = { count: 0 }
  const text = textAt(doc, 0)
  let start = text._start
  let isLooking = false
  Object.defineProperty(text, '_start', {
    get: () => {
      if (isLooking) looks.count++
      isLooking = false
      return start
    },
    set(item: Y.Item | null) {
      start = item
    },
  })
  const written = new WrittenChanges()
  doc.on('beforeObserverCalls', (transaction: Y.Transaction) => {
    const { items } = readTouched(transaction)
    isLooking = true
    written.find(transaction, items)
    isLooking = false
  })
  return looks
}
