import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { presentReviewIds } from '../../common/review-ids.ts'
import { createVerbatimDoc } from '../../store/updates/verbatim-doc.ts'
import { fragmentOf, paragraph, textAt } from '../../testing/log-scene.ts'
import { CandidateDocument } from './candidate-document.ts'
import { IntroducedReview, reviewLimits } from './review-cost.ts'

/**
 * One person's copy of a document, and the server's verdict on each of their updates: the reason for a refusal, or
 * undefined.
 */
function openScene(...texts: string[]) {
  const own = createVerbatimDoc()
  fragmentOf(own).insert(0, texts.map(paragraph))
  const copy = createVerbatimDoc()
  const head = new CandidateDocument(copy)
  head.apply(Y.encodeStateAsUpdate(own))
  const load = (state: Uint8Array): number => {
    Y.applyUpdate(own, state)
    head.apply(state)
    return presentReviewIds(fragmentOf(copy)).changes.size
  }
  const updateFor = (write: () => void): Uint8Array => {
    const before = Y.encodeStateVector(own)
    own.transact(write)
    return Y.encodeStateAsUpdate(own, before)
  }
  const tell = (write: () => void): string | undefined => {
    const tried = head.try(updateFor(write), false, { isPart: true })
    if (tried.kind === 'refused') return tried.message
    expect(tried.kind).toBe('new')
    return undefined
  }
  return { own, load, tell, store: (write: () => void) => head.apply(updateFor(write)) }
}

/** Words, each with its own mark. */
function marked(from: number, to: number, mark: (index: number) => Record<string, object>): Y.XmlElement[] {
  const blocks: Y.XmlElement[] = []
  for (let at = from; at < to; at += 1000) {
    const block = new Y.XmlElement('paragraph')
    const text = new Y.XmlText()
    const length = Math.min(1000, to - at)
    text.applyDelta(Array.from({ length }, (_, index) => ({ insert: 'word', attributes: mark(at + index) })))
    block.insert(0, [text])
    blocks.push(block)
  }
  return blocks
}

const keyOf = (name: string, index: number): string => `${name}--${String(index).padStart(8, 'A')}`
const insertion = (index: number) => ({ insertion: { id: `c${index}` } })
const comment = (index: number) => ({ [keyOf('comment', index)]: { threadId: `t${index}` } })

test.each([
  ['suggested changes', insertion],
  ['comment threads', comment],
])('[REV-35] more than ten thousand %s are not taken in one update, and no more in one document', (what, mark) => {
  const { own, tell } = openScene('One.')
  const most = reviewLimits.ids
  expect(tell(() => fragmentOf(own).insert(0, marked(0, most, mark)))).toBeUndefined()
  expect(tell(() => fragmentOf(own).insert(0, marked(0, most, mark)))).toBeUndefined()
  expect(tell(() => fragmentOf(own).insert(0, marked(most, most + 501, mark)))).toContain(
    `10000 ${what} in the document`,
  )
  const fresh = openScene('One.')
  const update = (): void => fragmentOf(fresh.own).insert(0, marked(0, most + 1, mark))
  expect(fresh.tell(update)).toContain(`10000 ${what} in one update`)
})

test('[REV-35] an update that brings too many is refused while it is read, before anything is applied', () => {
  const said = (update: Uint8Array): (string | undefined)[] => {
    const brought = new IntroducedReview()
    return Y.decodeUpdate(update).structs.map((struct) =>
      struct instanceof Y.Item ? brought.note(struct, undefined, null) : undefined,
    )
  }
  const updateOf = (blocks: Y.XmlElement[]): Uint8Array => {
    const doc = createVerbatimDoc()
    fragmentOf(doc).insert(0, blocks)
    return Y.encodeStateAsUpdate(doc)
  }
  expect(said(updateOf(marked(0, reviewLimits.ids, insertion))).filter((each) => each)).toEqual([])
  const over = said(updateOf(marked(0, 3 * reviewLimits.ids, comment)))
  const first = over.findIndex((each) => each !== undefined)
  expect(over[first]).toContain('10000 comment threads in one update')
  expect(first / over.length).toBeCloseTo(1 / 3, 1)
})

test('[REV-35] what has gone from the text makes room', () => {
  const { own, tell } = openScene('One.')
  const half = reviewLimits.ids / 2
  for (let round = 0; round < 5; round++) {
    const put = (): void => fragmentOf(own).insert(0, marked(round * half, (round + 1) * half, insertion))
    expect(tell(put)).toBeUndefined()
    if (round < 4) expect(tell(() => fragmentOf(own).delete(0, half / 1000))).toBeUndefined()
  }
})

test('[REV-35] what was stored before there was a limit can be changed and made less, and no more comes in', () => {
  // Without a check, as when a document is opened.
  const stored = createVerbatimDoc()
  fragmentOf(stored).insert(0, marked(0, 2 * reviewLimits.ids, insertion))
  const reopened = openScene()
  expect(reopened.load(Y.encodeStateAsUpdate(stored))).toBe(2 * reviewLimits.ids)
  const again = (): void => textAt(reopened.own, 0).format(0, 1000, { bold: {} })
  expect(reopened.tell(again)).toBeUndefined()
  const rewrite = (): void => fragmentOf(reopened.own).insert(0, marked(0, 1000, insertion))
  expect(reopened.tell(rewrite)).toBeUndefined()
  expect(reopened.tell(() => fragmentOf(reopened.own).delete(0, 3))).toBeUndefined()
  const more = (): void => fragmentOf(reopened.own).insert(0, marked(90_000, 90_100, insertion))
  expect(reopened.tell(more)).toContain('10000 suggested changes in the document')
})

test('[REV-35] the marks of a node’s attributes count like those of text', () => {
  const { own, tell } = openScene('One.')
  const blocks = Array.from({ length: 101 }, (_, block) => {
    const element = paragraph('word')
    const entries = Array.from({ length: 100 }, (_, index) => ({ id: `c${block}-${index}`, operation: 'insert' }))
    element.setAttribute('suggestion', JSON.stringify(entries))
    return element
  })
  expect(tell(() => fragmentOf(own).insert(0, blocks))).toContain('10000 suggested changes in one update')
})

test('[REV-36] marks that lie on one another are not taken beyond a hundred, however they come to', () => {
  const { own, tell } = openScene('One word.')
  const stack = (from: number, to: number): void => {
    for (let index = from; index < to; index++) textAt(own, 0).format(0, 3, comment(index))
  }
  expect(tell(() => stack(0, 100))).toBeUndefined()
  expect(tell(() => stack(100, 101))).toContain('101 comments and suggested changes on one character')

  const { own: older, tell: tellOlder, store } = openScene('One word.')
  store(() => {
    for (let index = 0; index < 101; index++) textAt(older, 0).format(0, 3, comment(index))
  })
  // A change that adds no marks is accepted.
  expect(tellOlder(() => textAt(older, 0).format(5, 2, insertion(1)))).toBeUndefined()

  const side = openScene('')
  const words = Array.from({ length: 150 }, (_, index) => ({ insert: 'w', attributes: comment(index) }))
  expect(side.tell(() => textAt(side.own, 0).applyDelta(words))).toBeUndefined()
  // Without their end markers they overlap.
  const dropEnds = (): void =>
    side.own.transact((transaction) => {
      for (let item = textAt(side.own, 0)._start; item; item = item.right) {
        if (item.content instanceof Y.ContentFormat && item.content.value === null) item.delete(transaction)
      }
    })
  expect(side.tell(dropEnds)).toContain('150 comments and suggested changes on one character')
})

test('[REV-36] nor many pieces under many marks', () => {
  const { own, tell } = openScene('')
  const text = textAt(own, 0)
  const pieces = 1000
  tell(() =>
    text.applyDelta(
      Array.from({ length: pieces }, (_, at) => ({ insert: 'w', attributes: at % 2 ? { bold: {} } : {} })),
    ),
  )
  const stack = (from: number, to: number): void => {
    for (let index = from; index < to; index++) text.format(0, pieces, comment(index))
  }
  expect(tell(() => stack(0, 50))).toBeUndefined()
  expect(tell(() => stack(50, 51))).toContain('51000 marks of comments and suggested changes in one text')
})
