import { initProseMirrorDoc } from 'y-prosemirror'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type RandomBelow, seededBelow } from '@copydesk/testing'
import { schema } from '../extensions.ts'
import { checkAdded } from './check-added.ts'
import { completeContainers, isIncomplete } from './complete-containers.ts'
import { readFragment } from './read-fragment.ts'

type Outcome = { refused: string | undefined; completed: boolean }

const fragmentOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment('default')

function element(name: string, ...children: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const made = new Y.XmlElement(name)
  made.insert(0, children)
  return made
}

const paragraph = (text: string): Y.XmlElement => element('paragraph', new Y.XmlText(text))

function list(...texts: string[]): Y.XmlElement {
  return element('bulletList', ...texts.map((text) => element('listItem', paragraph(text))))
}

/** A document with nearly every kind of content. */
function sound(): Y.Doc {
  const doc = new Y.Doc()
  const cell = (text: string): Y.XmlElement => element('tableCell', paragraph(text))
  const task = element('taskItem', paragraph('task'))
  fragmentOf(doc).insert(0, [
    paragraph('plain words'),
    element('codeBlock', new Y.XmlText('code')),
    list('one', 'two'),
    element('taskList', task),
    element('table', element('tableRow', cell('a'), cell('b'))),
    element('blockquote', paragraph('quoted')),
  ])
  return doc
}

/** Applies an edit like the server: as the update of another client, checked before it is forwarded to others. */
function receive(doc: Y.Doc, edit: (copy: Y.Doc) => void): Outcome {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  edit(copy)
  return receiveUpdate(doc, Y.encodeStateAsUpdate(copy, Y.encodeStateVector(doc)))
}

function receiveUpdate(doc: Y.Doc, update: Uint8Array): Outcome {
  let refused: string | undefined
  const touched = new Set<Y.XmlElement>()
  const look = (transaction: Y.Transaction): void => {
    const items = added(transaction)
    refused = checkAdded(items, fragmentOf(doc), schema)
    for (const type of transaction.changed.keys()) if (type instanceof Y.XmlElement) touched.add(type)
    for (const { content } of items) {
      if (content instanceof Y.ContentType && content.type instanceof Y.XmlElement) touched.add(content.type)
    }
  }
  // Yjs may clean up afterwards in separate transactions.
  doc.once('beforeObserverCalls', look)
  Y.applyUpdate(doc, update)
  if (refused !== undefined) return { refused, completed: false }
  const incomplete = [...touched].filter((each) => !each._item?.deleted && isIncomplete(each, schema))
  return { refused, completed: completeContainers(incomplete, schema) }
}

function added({ doc, beforeState, afterState }: Y.Transaction): Y.Item[] {
  return [...afterState].flatMap(([client, clock]) =>
    (doc.store.clients.get(client) ?? []).filter(
      (struct): struct is Y.Item =>
        struct instanceof Y.Item &&
        !struct.deleted &&
        struct.id.clock >= (beforeState.get(client) ?? 0) &&
        clock > (beforeState.get(client) ?? 0),
    ),
  )
}

/** The deletions of an editor that opens the document: it deletes content that it can't read. */
function deletionsOfEditor(doc: Y.Doc): number {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  let deletions = 0
  copy.on('update', () => deletions++)
  initProseMirrorDoc(fragmentOf(copy), schema)
  return deletions
}

const hostile: Record<string, (doc: Y.Doc) => void> = {
  'an unknown node': (doc) => fragmentOf(doc).insert(0, [element('marquee', new Y.XmlText('x'))]),
  'an unknown mark': (doc) => textAt(doc, 0).format(0, 3, { blink: {} }),
  'a list item beside paragraphs': (doc) => fragmentOf(doc).insert(0, [element('listItem', paragraph('x'))]),
  'text beside paragraphs': (doc) => fragmentOf(doc).insert(0, [new Y.XmlText('x')] as never),
  'a paragraph in a paragraph': (doc) => blockAt(doc, 0).insert(0, [paragraph('x')]),
  'a cell in a list': (doc) => blockAt(doc, 2).insert(0, [element('tableCell', paragraph('x'))]),
  'a mark that its kind doesn’t overlap, twice': (doc) =>
    textAt(doc, 0).format(0, 3, { bold: {}, 'bold--abcdefgh': {} }),
  'bold code': (doc) => textAt(doc, 1).format(0, 2, { bold: {} }),
  'an object inside text': (doc) => textAt(doc, 0).insertEmbed(0, { image: 'x' }),
  'a heading of level 9': (doc) => {
    const heading = new Y.XmlElement('heading')
    heading.setAttribute('level', 9 as never)
    fragmentOf(doc).insert(0, [heading])
  },
  'an attribute that the schema lacks': (doc) => blockAt(doc, 0).setAttribute('style', 'x' as never),
  'an attribute of a mark that the schema lacks': (doc) => textAt(doc, 0).format(0, 3, { link: { target: '_blank' } }),
  'a cell that covers a thousand million columns': (doc) => cellAt(doc, 0).setAttribute('colspan', 1e9 as never),
  'cells that together cover too many columns': (doc) => {
    for (let index = 0; index < 6; index++) {
      const cell = element('tableCell', paragraph('x'))
      cell.setAttribute('colspan', 200 as never)
      rowOf(doc).insert(0, [cell])
    }
  },
  'more cells than a row can have': (doc) =>
    rowOf(doc).insert(
      0,
      Array.from({ length: 1000 }, () => element('tableCell', paragraph('x'))),
    ),
  'a cell that comes to cover too many columns': (doc) => {
    for (let index = 0; index < 5; index++) {
      const cell = element('tableCell', paragraph('x'))
      rowOf(doc).insert(0, [cell])
      cell.setAttribute('colspan', 200 as never)
    }
  },
  'a formula of 440 KB': (doc) => {
    const formula = new Y.XmlElement('blockMath')
    formula.setAttribute('latex', 'x'.repeat(440_000))
    fragmentOf(doc).insert(0, [formula])
  },
  'an attribute that is an object': (doc) => blockAt(doc, 1).setAttribute('language', { a: 1 } as never),
  'an attribute that is a type': (doc) => blockAt(doc, 1).setAttribute('language', new Y.Text('x') as never),
  'threads that are no text': (doc) => blockAt(doc, 0).setAttribute('threads', 7 as never),
  'a map among blocks': (doc) => fragmentOf(doc).insert(0, [new Y.Map()] as never),
  'a hook among blocks': (doc) => fragmentOf(doc).insert(0, [new Y.XmlHook('x')] as never),
  'a number among blocks': (doc) => fragmentOf(doc).insert(0, [7] as never),
  'quotes nested without end': (doc) => {
    let quote = element('blockquote', paragraph('x'))
    for (let depth = 0; depth < 400; depth++) quote = element('blockquote', quote)
    fragmentOf(doc).insert(0, [quote])
  },
}

function blockAt(doc: Y.Doc, index: number): Y.XmlElement {
  return fragmentOf(doc).get(index) as Y.XmlElement
}

function rowOf(doc: Y.Doc): Y.XmlElement {
  return blockAt(doc, 4).get(0) as Y.XmlElement
}

function cellAt(doc: Y.Doc, index: number): Y.XmlElement {
  return rowOf(doc).get(index) as Y.XmlElement
}

function textAt(doc: Y.Doc, index: number): Y.XmlText {
  return blockAt(doc, index).get(0) as Y.XmlText
}

test.for(Object.keys(hostile))('[CONTENT-1] %s is refused', (name) => {
  const doc = sound()
  const { refused } = receive(doc, hostile[name]!)
  expect(refused).toMatch(/\S/)
})

test('[CONTENT-4] two people who each widen a table within the editor’s limit are both taken', () => {
  const doc = sound()
  const updates = [0, 1].map(() => {
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
    const cells = Array.from({ length: 198 }, () => element('tableCell', paragraph('x')))
    rowOf(copy).insert(0, cells)
    return Y.encodeStateAsUpdate(copy, Y.encodeStateVector(doc))
  })
  for (const update of updates) expect(receiveUpdate(doc, update).refused).toBeUndefined()
})

test('[CONTENT-5] a peer that repeats what a document holds from before is not at fault', () => {
  const doc = sound()
  cellAt(doc, 0).setAttribute('colspan', 1e9 as never)
  expect(receive(doc, (copy) => textAt(copy, 0).insert(0, 'typed')).refused).toBeUndefined()
  expect(receiveUpdate(doc, Y.encodeStateAsUpdate(doc)).refused).toBeUndefined()
  expect(readFragment(fragmentOf(doc), schema)).toMatchObject({ ok: true })
})

test('[CONTENT-2] what two people leave incomplete together is completed, and nothing is deleted', () => {
  const doc = sound()
  const [one, other] = [0, 1].map((index) => {
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
    blockAt(copy, 2).delete(index, 1)
    return Y.encodeStateAsUpdate(copy, Y.encodeStateVector(doc))
  })
  expect(receiveUpdate(doc, one!)).toEqual({ refused: undefined, completed: false })
  expect(receiveUpdate(doc, other!)).toEqual({ refused: undefined, completed: true })
  expect(blockAt(doc, 2).toString()).toBe('<bulletlist><listitem><paragraph></paragraph></listitem></bulletlist>')
  expect(deletionsOfEditor(doc)).toBe(0)
})

test('[CONTENT-2] an item whose first paragraph is gone keeps what else is in it', () => {
  const doc = sound()
  receive(doc, (copy) => (blockAt(copy, 2).get(0) as Y.XmlElement).insert(1, [list('inner')]))
  receive(doc, (copy) => (blockAt(copy, 2).get(0) as Y.XmlElement).delete(0, 1))
  expect(blockAt(doc, 2).toString()).toContain('inner')
  expect(deletionsOfEditor(doc)).toBe(0)
})

test('[CONTENT-3] a mark stored twice on the same text under two names is read as one, and no editor deletes it', () => {
  const doc = sound()
  const thread = { threadId: 'a' }
  const { refused } = receive(doc, (copy) =>
    textAt(copy, 0).format(0, 5, { comment: thread, 'comment--abcdefgh': thread }),
  )
  expect(refused).toBeUndefined()
  expect(readFragment(fragmentOf(doc), schema)).toMatchObject({ ok: true })
  expect(deletionsOfEditor(doc)).toBe(0)
})

const values: readonly ((random: RandomBelow) => unknown)[] = [
  () => 'text',
  () => null,
  () => 3,
  () => true,
  () => ({ id: 'a' }),
  () => ({ id: 7, href: {} }),
  () => [1],
  () => ({}),
]
const names = [...Object.keys(schema.nodes), 'marquee', 'constructor', '']
const attributeNames = ['level', 'threads', 'suggestion', 'checked', 'colspan', 'start', 'id', 'x', '__proto__', 'src']
const markNames = [
  ...Object.keys(schema.marks),
  'comment--abcdefgh',
  'bold--abcdefgh',
  'insertion--abcdefgh',
  'ychange',
]

function pick<T>(random: RandomBelow, from: readonly T[]): T {
  return from[random(from.length)]!
}

function randomText(random: RandomBelow): Y.XmlText {
  const text = new Y.XmlText()
  for (let parts = random(3); parts >= 0; parts--) {
    const marks = random(3) === 0 ? { [pick(random, markNames)]: pick(random, values)(random) } : {}
    text.insert(0, pick(random, ['ab', 'c', '😀']), marks as object)
  }
  return text
}

function randomElement(random: RandomBelow, depth: number): Y.XmlElement {
  const made = new Y.XmlElement(pick(random, names))
  for (let left = random(depth); left > 0; left--) {
    made.insert(0, [random(2) === 0 ? randomText(random) : randomElement(random, depth - 1)])
  }
  if (random(4) === 0) made.setAttribute(pick(random, attributeNames), pick(random, values)(random) as never)
  return made
}

function elementsIn(type: Y.XmlFragment): Y.XmlFragment[] {
  const inner = type.toArray().filter((child) => child instanceof Y.XmlElement)
  return [type, ...inner.flatMap(elementsIn)]
}

function randomEdit(doc: Y.Doc, random: RandomBelow): void {
  const type = pick(random, elementsIn(fragmentOf(doc)))
  const at = random(type.length + 1)
  const kind = random(6)
  if (kind < 2) type.insert(at, [randomElement(random, 4)])
  else if (kind === 2 && type.length > 0) type.delete(random(type.length), 1)
  else if (kind === 3 && type instanceof Y.XmlElement) {
    type.setAttribute(pick(random, attributeNames), pick(random, values)(random) as never)
  } else {
    const text: unknown = type.length > 0 ? type.get(random(type.length)) : undefined
    if (!(text instanceof Y.XmlText)) return
    if (random(2) === 0)
      text.format(0, text.length, { [pick(random, markNames)]: pick(random, values)(random) } as object)
    else text.insert(random(text.length + 1), 'typed')
  }
}

test('[CONTENT-3] whatever passes, an editor that opens the document deletes nothing (seeds 1 to 150)', () => {
  let passed = 0
  let refusals = 0
  for (let seed = 1; seed <= 150; seed++) {
    const random = seededBelow(seed)
    let doc = sound()
    for (let round = 0; round < 12; round++) {
      const before = Y.encodeStateAsUpdate(doc)
      const { refused } = receive(doc, (copy) => copy.transact(() => randomEdit(copy, random)))
      if (refused === undefined) {
        passed++
        const read = readFragment(fragmentOf(doc), schema)
        expect(read.ok ? [] : read.problems, `seed ${seed}, round ${round}`).toEqual([])
        expect(deletionsOfEditor(doc), `seed ${seed}, round ${round}`).toBe(0)
      } else {
        refusals++
        doc = new Y.Doc()
        Y.applyUpdate(doc, before)
      }
    }
  }
  expect(passed).toBeGreaterThan(200)
  expect(refusals).toBeGreaterThan(200)
})
