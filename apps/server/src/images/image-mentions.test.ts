import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createVerbatimDoc } from '../store/updates/verbatim-doc.ts'
import { findMentions, type ImageMention, unknownItemClient } from './image-mentions.ts'

const name = `${'ab'.repeat(16)}.png`
const other = `${'cd'.repeat(16)}.webp`

/** A document whose changes become rows of a log. */
function createLog() {
  const doc = createVerbatimDoc()
  doc.clientID = 7
  const rows: { seq: number; bytes: Uint8Array }[] = []
  doc.on('update', (bytes: Uint8Array) => void rows.push({ seq: rows.length + 1, bytes }))
  return { doc, rows, fragment: doc.getXmlFragment('default') }
}

function image(src: string): Y.XmlElement {
  const element = new Y.XmlElement('image')
  element.setAttribute('src', src)
  return element
}

const seqs = (rows: Parameters<typeof findMentions>[0], open: ImageMention[] = []) =>
  findMentions(rows, open).map(({ seq, added, removed }) => [seq, added.map((m) => m.name), removed.map((m) => m.name)])

test('[IMG-8] an image is named from the row that brings its node to the one that deletes it', () => {
  const { doc, rows, fragment } = createLog()
  fragment.insert(0, [new Y.XmlElement('paragraph')])
  fragment.insert(1, [image(`/api/documents/x/images/${name}`)])
  fragment.insert(2, [image(`https://desk.example/api/documents/y/images/${other}`)])
  fragment.delete(1, 1)
  doc.getMap('meta').set('title', 'T')
  expect(seqs(rows)).toEqual([
    [2, [name], []],
    [3, [other], []],
    [4, [], [name]],
  ])
})

test('[IMG-8] what was named in earlier rows is followed on', () => {
  const { rows, fragment } = createLog()
  fragment.insert(0, [image(name)])
  fragment.delete(0, 1)
  const [first] = findMentions(rows.slice(0, 1), [])
  expect(seqs(rows.slice(1), first?.added)).toEqual([[2, [], [name]]])
  expect(seqs(rows.slice(1))).toEqual([])
})

test('[IMG-8] another address for the same node, and the same row that brings and deletes', () => {
  const { doc, rows, fragment } = createLog()
  const element = image(name)
  fragment.insert(0, [element])
  element.setAttribute('src', other)
  doc.transact(() => {
    fragment.insert(1, [image(name)])
    fragment.delete(0, 2)
  })
  const found = seqs(rows)
  expect(found.slice(0, 2)).toEqual([
    [1, [name], []],
    [2, [other], [name]],
  ])
  // A mention added and deleted in the same row leaves at most its name, and no open mention.
  const [added = [], removed = []] = [found[2]?.[1], found[2]?.[2]] as string[][]
  expect(removed.toSorted()).toEqual([...added, other].toSorted())
})

test('[IMG-8] names in suggestions, texts, marks and comments count, too', () => {
  const { doc, rows, fragment } = createLog()
  const element = new Y.XmlElement('paragraph')
  fragment.insert(0, [element])
  element.setAttribute('suggestion', JSON.stringify([{ was: { src: `/api/documents/x/images/${name}` } }]))
  const text = new Y.XmlText(`![](/api/documents/x/images/${other})`)
  element.insert(0, [text])
  text.format(0, 2, { link: { href: `/api/documents/x/images/${name}` } })
  doc.getMap('threads').set('t', { comments: [{ text: `see ${other}` }] })
  expect(seqs(rows).map(([, added]) => added)).toEqual([[name], [other], [name], [other]])
})

test('[IMG-8] deletions of a part of a text, and rows that can’t be read, leave an image named', () => {
  const { rows, fragment } = createLog()
  const text = new Y.XmlText(name)
  fragment.insert(0, [text])
  text.delete(0, 5)
  expect(seqs(rows)).toEqual([[1, [name], []]])
  const broken = { seq: 9, bytes: new Uint8Array(Buffer.from(`no update ${name}`)) }
  expect(findMentions([broken], [])).toEqual([
    { seq: 9, added: [{ name, client: unknownItemClient, clock: 9, length: 0 }], removed: [] },
  ])
})
