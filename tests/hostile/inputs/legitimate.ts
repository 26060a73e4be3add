import * as Y from 'yjs'
import { addBlock, firstClient, paragraphs, textAt, typed, updateOf } from '../blocks.ts'
import {
  always,
  type HostileInput,
  postUpdate,
  sendFullSyncs,
  sendUpdates,
  type Step,
  type Target,
} from '../hostile-input.ts'
import { limits } from '../limits.ts'
import { any, element, type Id, text } from '../update-writer.ts'

const limit = 'what people do'

/** A table of four columns. */
function table(rows: number): Uint8Array {
  return updateOf((to) => {
    const made = to.add(element('table'), { parent: 'default' })
    let row: Id | undefined
    for (let index = 0; index < rows; index++) {
      row = to.add(element('tableRow'), row ? { left: row } : { parent: made })
      let cell: Id | undefined
      for (let column = 0; column < 4; column++) {
        cell = to.add(element(index === 0 ? 'tableHeader' : 'tableCell'), cell ? { left: cell } : { parent: row })
        to.add(any(1), { parent: cell, key: 'colspan' })
        to.add(any(1), { parent: cell, key: 'rowspan' })
        addBlock(to, [text(`Row ${index}, column ${column}`)], { parent: cell })
      }
    }
  })
}

/** The lines that an offline day and others edit. */
const offlineLines = (): Uint8Array =>
  paragraphs(50, (index) => `Line ${index} that several people edit at the same time`)

const ids = 20

/**
 * Edits under many client ids, one after the other, as a browser that reloads its page makes them; `others` writes at
 * the same places meanwhile.
 */
function offlineDay(at: Target, edits: number): Step[] {
  const own = editedUnder(at, edits, firstClient + 1)
  const others = editedUnder(at, edits / 4, firstClient + 1000)
  return [sendUpdates(at, [others], 'Nelly'), sendFullSyncs(at, [own])]
}

function editedUnder({ state }: Target, edits: number, client: number): Uint8Array {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  const before = Y.encodeStateVector(doc)
  for (let index = 0; index < edits; index++) {
    doc.clientID = client + Math.floor((index * ids) / edits)
    const line = textAt(doc, 1 + (index % 40))
    if (index % 5 === 4 && line.length > 10) line.delete(5, 3)
    else line.insert(Math.min(5, line.length), 'word ')
  }
  return Y.encodeStateAsUpdate(doc, before)
}

/** What people do that is large: all of it must be taken. */
export const legitimate: readonly HostileInput[] = [
  {
    name: 'a book that is pasted',
    limit,
    scale: always(5000),
    build: (size, at) => [
      sendUpdates(at, [paragraphs(size, () => 'A sentence of a book that is pasted. '.repeat(3) + 'It is long.')]),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'five million characters of plain paragraphs in almost 16 MiB, by HTTP',
    limit,
    scale: { ci: 0, full: limits.documentCharacters - 10_000 },
    build: (size, at) => [
      postUpdate(
        at,
        paragraphs(Math.floor(size / 1000), () => '字'.repeat(1000)),
      ),
    ],
    expect: 204,
  },
  {
    name: 'a million characters of plain paragraphs, by HTTP',
    limit,
    scale: { ci: 1_000_000, full: 1_000_000 },
    build: (size, at) => [
      postUpdate(
        at,
        paragraphs(Math.floor(size / 1000), () => '字'.repeat(1000)),
      ),
    ],
    expect: 204,
  },
  {
    name: 'a table of 5,000 rows and four columns',
    limit,
    scale: { ci: 1000, full: 5000 },
    build: (size, at) => [sendUpdates(at, [table(size)])],
    expect: 'acknowledged',
  },
  {
    name: 'a day offline, while others change the same lines',
    limit,
    scale: always(2000),
    prepare: offlineLines,
    build: (size, at) => offlineDay(at, size),
    expect: 'acknowledged',
  },
  {
    name: 'keystrokes that are sent at once',
    limit: '20,000 frames at once',
    scale: { ci: 5000, full: 20_000 },
    build: (size, at) => [
      sendUpdates(
        at,
        typed(at.state, firstClient, (doc) => {
          const line = textAt(doc, 0)
          for (let index = 0; index < size; index++) line.insert(line.length, 'x')
        }),
      ),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'keystrokes and deletions that are sent at once',
    limit: '20,000 frames at once',
    scale: { ci: 2000, full: 19_000 },
    build: (size, at) => [
      sendUpdates(
        at,
        typed(at.state, firstClient, (doc) => {
          const line = textAt(doc, 0)
          for (let index = 0; index < size; index++) {
            if (index % 3 === 2) line.delete(line.length - 1, 1)
            else line.insert(line.length, 'x')
          }
        }),
      ),
    ],
    expect: 'acknowledged',
  },
  {
    name: 'headings that are made bold, one update each',
    limit,
    scale: { ci: 500, full: 5000 },
    prepare: (size) => paragraphs(size, (index) => `Heading ${index}`),
    build: (_, at) => [
      sendUpdates(
        at,
        typed(at.state, firstClient + 1, (doc) => {
          const blocks = doc.getXmlFragment('default').toArray()
          for (const block of blocks) {
            const line = block instanceof Y.XmlElement ? block.get(0) : undefined
            if (line instanceof Y.XmlText) line.format(0, line.length, { bold: {} })
          }
        }),
      ),
    ],
    expect: 'acknowledged',
  },
]
