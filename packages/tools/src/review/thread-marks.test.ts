import { contentTypes, createBindingMetadata, readFragment, schema } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { applyTransform } from '../session/write/write-steps.ts'
import {
  documentOf,
  documentOfNode,
  markdownOf,
  readNode,
  replicaOf,
  sync,
  typeBeside,
} from '../testing/test-document.ts'
import { contextOf } from './find-quote.ts'
import { flatTextOf } from './flat-text.ts'
import { anchorOf, findThreadRanges, markThread, unmarkThread } from './thread-marks.ts'

function rangeOf(doc: Node, text: string): { from: number; to: number } {
  const flat = flatTextOf(doc)
  const at = flat.text.indexOf(text)
  const range = flat.positionsOf({ from: at, to: at + text.length })
  if (!range) throw new Error(`${text} isn't in ${flat.text}`)
  return range
}

function textsOf(doc: Node, id: string): string[] {
  return (findThreadRanges(doc).get(id) ?? []).map(({ from, to }) => contextOf(doc, from, to).quote)
}

/** Writes a transform into the Y.Doc whose content it was made for. */
function write(doc: Y.Doc, make: (node: Node) => ReturnType<typeof markThread>): void {
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  const metadata = createBindingMetadata()
  const read = readFragment(fragment, schema, metadata.mapping)
  if (!read.ok) throw new Error('unreadable')
  doc.transact(() => applyTransform(fragment, make(read.doc), { metadata }))
}

describe('markThread', () => {
  test.each([
    ['across formatting', 'a **bold** word', 'a bold', ['a bold']],
    ['across blocks', 'one two\n\nthree four', 'two\nthree', ['two', 'three']],
    ['in code and in inline code', 'a `code` b\n\n```\nmore code\n```', 'code b\nmore', ['code b', 'more']],
    ['in cells', '| a | b |\n| - | - |\n| c | d |', 'b\nc', ['b', 'c']],
    ['over inline math and a line break', 'so $x^2$ is\\\nhere', '$x^2$ is\nhere', ['$x^2$ is\nhere']],
    ['over an image and a rule', 'a\n\n![alt](/i.png)\n\n---\n\nb', 'a\n![alt](/i.png)', ['a', '![alt](/i.png)']],
  ])('marks a range %s', (_title, markdown, text, expected) => {
    const before = parseMarkdown(markdown).doc
    const { doc } = markThread(before, 't1', rangeOf(before, text))
    doc.check()
    expect(textsOf(doc, 't1')).toEqual(expected)
    expect(doc.textContent).toBe(before.textContent)
  })

  test('marks nothing but a leaf block, and an empty block by itself', () => {
    const before = schema.node('doc', null, [
      schema.node('paragraph'),
      schema.node('image', { src: '/a.png' }),
      schema.node('paragraph', null, schema.text('x')),
    ])
    expect(findThreadRanges(markThread(before, 'a', { from: 1, to: 1 }).doc).get('a')).toEqual([{ from: 1, to: 1 }])
    expect(findThreadRanges(markThread(before, 'b', { from: 2, to: 3 }).doc).get('b')).toEqual([{ from: 2, to: 3 }])
    expect(markThread(before, 'c', { from: 2, to: 2 }).steps).toEqual([])
  })

  test('an image with as many threads as it can hold keeps them all and takes no more', () => {
    let doc = schema.node('doc', null, [schema.node('image', { src: '/a.png' })])
    for (let number = 0; number < 120; number++) doc = markThread(doc, `t${number}`, { from: 0, to: 1 }).doc
    const threads = findThreadRanges(doc)
    expect(threads.size).toBe(100)
    expect(threads.has('t0') && !threads.has('t119')).toBe(true)
    expect(markThread(doc, 'more', { from: 0, to: 1 }).steps).toEqual([])
  })

  test('marks the first pieces of a block that is made of very many, in the steps that these take', () => {
    const { schema: made } = schema.topNodeType
    const piece = [made.text('x '), made.node('mention', { id: 'agent', label: 'agent', kind: 'agent' })]
    const block = made.node('paragraph', null, Array.from({ length: 3000 }, () => piece).flat())
    const after = made.node('paragraph', null, made.text('after'))
    const doc = made.node('doc', null, [block, after])
    const marked = markThread(doc, 't1', { from: 1, to: doc.content.size })
    expect(marked.steps.length).toBeLessThan(250)
    expect(textsOf(marked.doc, 't1').at(-1)).toBe('after')
  })

  test('leaves other threads and their marks, and says nothing twice', () => {
    const start = parseMarkdown('one two three').doc
    const first = markThread(start, 'a', { from: 1, to: 8 }).doc
    const second = markThread(first, 'b', { from: 5, to: 14 }).doc
    expect([textsOf(second, 'a'), textsOf(second, 'b')]).toEqual([['one two'], ['two three']])
    expect(markThread(second, 'b', { from: 5, to: 14 }).steps).toEqual([])
  })

  test.each([
    { from: -5, to: 3 },
    { from: 10_000, to: 20_000 },
    { from: 3, to: 1 },
  ])('takes any range: $from to $to', (range) => {
    expect(() => markThread(parseMarkdown('one').doc, 'a', range).doc.check()).not.toThrow()
  })

  test('goes through Yjs and stays on its text while others type, format and split', () => {
    const doc = documentOf('The quick brown fox sleeps.\n\n![alt](/i.png)')
    const rival = replicaOf(doc, 7)
    write(doc, (node) => markThread(node, 't1', rangeOf(node, 'brown fox')))
    write(doc, (node) => markThread(node, 't2', rangeOf(node, '![alt](/i.png)')))
    typeBeside(rival, 'brown', ' old')
    typeBeside(rival, 'The ', 'very ')
    sync(doc, rival)
    for (const each of [doc, rival]) {
      expect(markdownOf(each)).toBe('The very quick brown old fox sleeps.\n\n![alt](/i.png)')
      const node = readNode(each)
      expect(textsOf(node, 't2')).toEqual(['![alt](/i.png)'])
      const anchor = anchorOf(findThreadRanges(node).get('t1') ?? [])
      expect(anchor && contextOf(node, anchor.from, anchor.to).quote).toBe('brown old fox')
    }
    write(rival, (node) => unmarkThread(node, 't1'))
    sync(doc, rival)
    expect([...findThreadRanges(readNode(doc)).keys()]).toEqual(['t2'])
  })
})

describe('unmarkThread', () => {
  test('takes away one thread everywhere and leaves the document as it was', () => {
    const before = parseMarkdown('one **two**\n\n---\n\n| a |\n| - |').doc
    const marked = markThread(before, 'a', { from: 0, to: before.content.size }).doc
    const both = markThread(marked, 'b', { from: 0, to: before.content.size }).doc
    const once = unmarkThread(both, 'a').doc
    expect(findThreadRanges(once).has('a')).toBe(false)
    expect(findThreadRanges(once).get('b')).toEqual(findThreadRanges(both).get('b'))
    expect(unmarkThread(once, 'b').doc.eq(before)).toBe(true)
    expect(unmarkThread(before, 'a').steps).toEqual([])
  })
})

describe('anchorOf', () => {
  test('joins what others typed in between and leaves a copy elsewhere out', () => {
    expect(
      anchorOf([
        { from: 1, to: 5 },
        { from: 9, to: 12 },
        { from: 500, to: 510 },
      ]),
    ).toEqual({ from: 1, to: 12 })
    expect(anchorOf([])).toBeUndefined()
  })
})

test('a mention in the range carries the thread, hostile attributes do no harm', () => {
  const mention = schema.node('mention', { id: 'p', label: 'Ada', kind: 'person', threads: 'x x  y' })
  const doc = documentOfNode(schema.node('doc', null, [schema.node('paragraph', null, [schema.text('ask '), mention])]))
  write(doc, (node) => markThread(node, 't', { from: 1, to: 6 }))
  expect(textsOf(readNode(doc), 't')).toEqual(['ask @Ada'])
  expect([...findThreadRanges(readNode(doc)).keys()].toSorted()).toEqual(['t', 'x', 'y'])
})
