import { Transform } from '@tiptap/pm/transform'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import {
  decideChanges,
  isShown,
  type NodeSuggestion,
  readChanges,
  resolveChanges,
  schema,
  trackChanges,
  writeSuggestions,
} from '../index.ts'
import { parseMarkdown } from '../markdown/index.ts'

function docOf(...blocks: Node[]): Node {
  return schema.node('doc', null, blocks)
}

function text(value: string, ...marks: [name: string, attributes?: Record<string, unknown>][]): Node {
  return schema.text(
    value,
    marks.map(([name, attributes]) => schema.mark(name, attributes)),
  )
}

function paragraph(...content: Node[]): Node {
  return schema.node('paragraph', null, content)
}

function markdown(source: string): Node {
  return parseMarkdown(source).doc
}

function tracked(before: Node, after: Node, author = 'a', idAt?: (pos: number) => string): Node {
  const transform = trackChanges(before, after, { idAt: idAt ?? (() => author), isOwn: (id) => id.startsWith(author) })
  transform.doc.check()
  return transform.doc
}

/** A text block as its pieces, each with the first letters of its marks: `i:a` is inserted by a. */
function pieces(block: Node | null | undefined): string[] {
  return (block?.children ?? []).map((node) => {
    const marks = node.marks.map(({ type, attrs }) => type.name[0] + (attrs.id ? `:${String(attrs.id)}` : ''))
    return [node.text ?? node.type.name, ...marks].join('|')
  })
}

function listed(doc: Node): unknown[] {
  return readChanges(doc).map(({ type, before, after }) => [type, before, after])
}

function decided(doc: Node, id: string, decision: 'accept' | 'reject'): Node {
  return decideChanges(doc, new Set([id]), decision).doc
}

test('[SUG-2] the author edits the own insertion, and what is typed in it keeps its id', () => {
  const first = tracked(docOf(paragraph(text('one three'))), docOf(paragraph(text('one two three'))), 'a')
  expect(pieces(first.firstChild)).toEqual(['one ', 'two |i:a', 'three'])
  const typed = new Transform(first).replaceWith(6, 7, text('oo', ['insertion', { id: 'a' }])).doc
  expect(pieces(tracked(first, typed, 'a', () => 'a2').firstChild)).toEqual(['one ', 'tooo |i:a', 'three'])
  expect(tracked(first, docOf(paragraph(text('one three'))), 'a').eq(docOf(paragraph(text('one three'))))).toBe(true)
})

test('[SUG-6] an insertion that another wants deleted', () => {
  const doc = docOf(paragraph(text('a '), text('b', ['insertion', { id: 'x' }], ['deletion', { id: 'y' }])))
  expect(pieces(decided(doc, 'x', 'reject').firstChild)).toEqual(['a '])
  expect(pieces(decided(doc, 'y', 'accept').firstChild)).toEqual(['a '])
  expect(pieces(decided(doc, 'x', 'accept').firstChild)).toEqual(['a ', 'b|d:y'])
  expect(pieces(decided(doc, 'y', 'reject').firstChild)).toEqual(['a ', 'b|i:x'])
})

test.each([
  ['the old sum', 'the new sum', ['the ', 'old|d:a', 'new|i:a', ' sum']],
  ['colour', 'color', ['colo', 'u|d:a', 'r']],
  ['a 🎉 b', 'a 🎊 b', ['a ', '🎉|d:a', '🎊|i:a', ' b']],
  [
    'aa bb cc dd ee ff gg',
    'hhhh iiii jjjj kkkk llll mmmm',
    ['aa bb cc dd ee ff gg|d:a', 'hhhh iiii jjjj kkkk llll mmmm|i:a'],
  ],
])('[SUG-7] %s becomes %s', (before, after, expected) => {
  expect(pieces(tracked(docOf(paragraph(text(before))), docOf(paragraph(text(after)))).firstChild)).toEqual(expected)
})

test('[SUG-7] a paragraph edited next to inserted and deleted ones is edited in place', () => {
  const before = markdown('# Title\n\nGoes away entirely.\n\nThe sum is two dollars, due in May.\n\nEnd')
  const after = markdown('# Title\n\nThe sum is six dollars, due in May.\n\nComes in, quite new.\n\nEnd')
  const doc = tracked(before, after, 'a', (pos) => `a${String(pos)}`)
  expect(listed(doc)).toEqual([
    ['block', 'Goes away entirely.', ''],
    ['replacement', 'two', 'six'],
    ['block', '', 'Comes in, quite new.'],
  ])
})

test('[SUG-8] two people change one heading, decided in both orders', () => {
  const heading = (level: number) => docOf(schema.node('heading', { level }, text('Title')))
  const both = tracked(tracked(docOf(paragraph(text('Title'))), heading(1), 'x'), heading(3), 'y')
  expect(listed(both)).toEqual([
    ['block', 'paragraph “Title”', 'heading 3 “Title”'],
    ['block', 'heading 1 “Title”', 'heading 3 “Title”'],
  ])
  expect(decided(both, 'y', 'reject').firstChild?.attrs.level).toBe(1)
  expect(decided(decided(both, 'y', 'reject'), 'x', 'reject').eq(docOf(paragraph(text('Title'))))).toBe(true)
  expect(decided(decided(both, 'x', 'accept'), 'y', 'reject').eq(heading(1))).toBe(true)
  expect(decided(both, 'x', 'reject').eq(docOf(paragraph(text('Title'))))).toBe(true)
  const back = tracked(tracked(heading(1), heading(2), 'x'), heading(1), 'x')
  expect(back.eq(heading(1))).toBe(true)
})

test('[SUG-8] a type that refuses the content is a deletion and an insertion', () => {
  const before = docOf(paragraph(text('x'), schema.node('mention', { id: 'ann', label: 'Ann' })))
  const after = docOf(schema.node('codeBlock', null, text('x')))
  expect(listed(tracked(before, after))).toEqual([['block', 'x@Ann', 'x']])
})

test('[SUG-9] formatting: made, taken back, and contested', () => {
  const plain = docOf(paragraph(text('one two')))
  const bold = docOf(paragraph(text('one '), text('two', ['bold'])))
  const doc = tracked(plain, bold, 'a')
  expect(listed(doc)).toEqual([['formatting', 'plain “two”', 'bold “two”']])
  expect(decided(doc, 'a', 'reject').eq(plain)).toBe(true)
  const unbolded = new Transform(doc).removeMark(5, 8, schema.mark('bold')).doc
  expect(tracked(doc, unbolded, 'a').eq(plain)).toBe(true)
  const contested = tracked(doc, unbolded, 'b')
  expect(listed(contested)).toEqual([
    ['replacement', 'two', 'two'],
    ['formatting', 'plain “two”', 'bold “two”'],
  ])
  expect(decided(contested, 'b', 'reject').eq(doc)).toBe(true)
  expect(resolveChanges(contested, 'accepted').eq(plain)).toBe(true)
})

test('[SUG-10] comments and sending a mention are no changes', () => {
  const mention = (state: string) => schema.node('mention', { id: 'agent', label: 'agent', kind: 'agent', state })
  const before = docOf(paragraph(text('a', ['comment', { threadId: 't' }]), mention('draft')))
  const after = docOf(schema.node('paragraph', { threads: 'u' }, [text('a'), mention('sent')]))
  const doc = tracked(before, after)
  expect(readChanges(doc)).toEqual([])
  expect(doc.firstChild?.firstChild?.marks).toHaveLength(1)
  expect([doc.firstChild?.attrs.threads, doc.firstChild?.lastChild?.attrs.state]).toEqual([null, 'sent'])
})

test('[SUG-11] deleted text stays under an edit, goes with no block, and what is typed in it shows', () => {
  const deleted: [string, Record<string, unknown>] = ['deletion', { id: 'x' }]
  const before = docOf(paragraph(text('keep '), text('gone', deleted), text(' end')))
  const typed = docOf(paragraph(text('keep '), text('goNEne', deleted), text(' end')))
  expect(pieces(tracked(before, typed).firstChild)).toEqual(['keep ', 'go|d:x', 'NE|i:a', 'ne|d:x', ' end'])
  expect(pieces(tracked(before, docOf(paragraph(text('keep  end')))).firstChild)).toEqual(pieces(before.firstChild))
  const joined = docOf(paragraph(text('first'), text('gone', deleted)))
  const apart = docOf(paragraph(text('first')), paragraph(text('gone', deleted)))
  expect(resolveChanges(tracked(apart, joined), 'accepted').textContent).toBe('first')
})

test('[SUG-12] one change with pieces in several places, atoms and a list', () => {
  const before = markdown('one two three four five six seven eight\n\n- a')
  const after = markdown('one 2 three four five six 7 eight\n\n- a\n- b\n- c $x^2$')
  expect(listed(tracked(before, after))).toEqual([['block', 'two … seven', '2 … 7\nb\nc $x^2$']])
  const [change] = readChanges(tracked(markdown('abc'), markdown('abcd')))
  expect(change).toEqual({ id: 'a', type: 'replacement', before: 'abc', after: 'abcd', from: 4, to: 5 })
})

test('a table keeps its shape when a cell is rewritten', () => {
  const before = markdown('| a | b |\n| - | - |\n| one | two |')
  const after = markdown('| a | b |\n| - | - |\n| two | entirely new |')
  const doc = tracked(before, after)
  const widths: number[] = []
  doc.descendants((node) => {
    if (node.type.name === 'tableRow') widths.push(node.childCount)
  })
  expect(widths).toEqual([2, 2])
  expect(resolveChanges(doc, 'accepted').eq(after)).toBe(true)
})

test('[SUG-8] [SUG-12] another width, place and caption of an image are one change, in words', () => {
  const image = (attributes: object) => docOf(schema.node('image', { src: '/a.png', alt: 'Cat', ...attributes }))
  const doc = tracked(image({ width: '100%' }), image({ title: 'Tom', width: 300, align: 'center' }))
  expect(readChanges(doc)).toMatchObject([
    { before: 'image /a.png, Cat, 100% wide', after: 'image /a.png, Cat, Tom, 300 pixels wide, center' },
  ])
  expect(decided(doc, 'a', 'reject').eq(image({ width: '100%' }))).toBe(true)
})

test.each([
  ['text', {}],
  ['doc', {}],
  ['nothing', {}],
  ['heading', { level: { a: 1 } }],
  ['bulletList', {}],
  ['image', { src: '/a.png' }],
])('[SUG-13] a change from %s %j restores nothing and breaks nothing', (type, attributes) => {
  const change: NodeSuggestion = { id: 'x', operation: 'change', previous: { type, attributes } }
  const doc = docOf(schema.node('paragraph', { suggestion: writeSuggestions([change]) }, text('words')))
  const { doc: rejected } = decideChanges(doc, 'all', 'reject')
  rejected.check()
  expect(rejected.eq(docOf(paragraph(text('words'))))).toBe(true)
  expect(resolveChanges(doc, 'original').eq(rejected)).toBe(true)
})

test.each([
  ['insertion', '{}'],
  ['nothing', null],
  ['bold', '{'],
  ['link', '{"href":{}}'],
])('[SUG-13] a format %s with %j is dropped', (mark, previous) => {
  const doc = docOf(paragraph(text('words', ['formattingChange', { id: 'x', mark, previous }])))
  expect(decideChanges(doc, 'all', 'reject').doc.eq(docOf(paragraph(text('words'))))).toBe(true)
  expect(readChanges(doc)).toHaveLength(1)
})

test('[SUG-14] comparing asks only about what differs, and leaves other blocks the same nodes', () => {
  const before = docOf(...Array.from({ length: 500 }, (_, index) => paragraph(text(`paragraph ${String(index)}`))))
  const start = 250 * before.child(250).nodeSize
  const after = new Transform(before).insert(before.resolve(start).before(1) + 1, text('new ')).doc
  const asked: number[] = []
  const transform = trackChanges(before, after, { idAt: (pos) => String(asked.push(pos)), isOwn: () => false })
  expect(asked.length).toBeLessThanOrEqual(2)
  expect(transform.steps).toHaveLength(1)
  const changed = transform.doc.children.filter((node, index) => node !== before.child(index))
  expect(changed).toHaveLength(1)
  expect(transform.doc.children.every((node) => isShown(node, 'accepted'))).toBe(true)
})

test('moved, added and rewritten blocks among thousands of copies are compared in reasonable time', () => {
  const many = (word: string) =>
    Array.from({ length: 1_000 }, (_, index) => paragraph(text(`${word} ${String(index % 7)}`)))
  const before = docOf(...many('old'))
  const after = docOf(paragraph(text('first')), ...many('new'))
  expect(resolveChanges(tracked(before, after), 'accepted').eq(after)).toBe(true)
})

const many = 20_000

test.each([
  ['neighbours', (index: number) => [text('x', ['insertion', { id: `k${index}` }])]],
  ['with text between them', (index: number) => [text('x', ['insertion', { id: `k${index}` }]), text('y')]],
  ['on mentions', () => [schema.node('mention', { suggestion: '[{"id":"k","operation":"insert"}]' }), text('y')]],
])('[SUG-15] many changes in one paragraph, %s, are decided in one go', (_name, piece) => {
  const pieces = Array.from({ length: many }, (_, index) => piece(index)).flat()
  const doc = docOf(
    paragraph(text('first '), ...pieces, text(' last')),
    paragraph(text('other', ['deletion', { id: 'd' }])),
  )
  for (const decision of ['accept', 'reject'] as const) {
    const transform = decideChanges(doc, 'all', decision)
    expect(transform.steps.length).toBeLessThan(10)
    transform.doc.check()
    expect(readChanges(transform.doc)).toEqual([])
    expect(transform.doc.eq(resolveChanges(doc, decision === 'accept' ? 'accepted' : 'original'))).toBe(true)
  }
})

test('many changes in a block that changes its type, and some of many', () => {
  const pieces = Array.from({ length: 150 }, (_, index) => [
    text('x', ['insertion', { id: `k${index}` }]),
    text('y'),
  ]).flat()
  const previous = { type: 'codeBlock', attributes: { language: 'js' } }
  const suggestion = writeSuggestions([{ id: 'k0', operation: 'change', previous }])
  const doc = docOf(schema.node('paragraph', { suggestion }, [...pieces, text('bold', ['bold'])]))
  expect(decideChanges(doc, 'all', 'reject').doc.eq(resolveChanges(doc, 'original'))).toBe(true)
  const odd = new Set(Array.from({ length: 149 }, (_, index) => `k${index + 1}`))
  const some = decideChanges(doc, odd, 'reject').doc
  expect(some.textContent).toBe(`xy${'y'.repeat(149)}bold`)
  expect(readChanges(some).map(({ id }) => id)).toEqual(['k0'])
})

test('[SUG-22] a node that holds as many suggestions as it can stays as it is', () => {
  const suggestions = Array.from({ length: 100 }, (_, index): NodeSuggestion => {
    return { id: `other-${index}`, operation: 'change', previous: { type: 'heading', attributes: { level: 1 } } }
  })
  const heading = (level: number) =>
    schema.node('heading', { level, suggestion: writeSuggestions(suggestions) }, text('x'))
  const doc = tracked(docOf(heading(2)), docOf(heading(3)))
  expect(doc.firstChild?.attrs).toEqual(heading(2).attrs)
  const long = 'y'.repeat(9000)
  const changes = Array.from({ length: 8 }, (_, index): NodeSuggestion => {
    return { id: `other-${index}`, operation: 'change', previous: { type: 'blockMath', attributes: { latex: long } } }
  })
  const formula = (latex: string) =>
    schema.node('blockMath', { latex, suggestion: writeSuggestions(changes.slice(0, 7)) })
  expect(tracked(docOf(formula(long)), docOf(formula('z'))).firstChild?.attrs.latex).toBe(long)
})
