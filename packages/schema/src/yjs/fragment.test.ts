import { Fragment, type Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { contentTypes, createBindingMetadata, readFragment, schema, writeFragment } from '../index.ts'

function fragmentOf(ydoc: Y.Doc): Y.XmlFragment {
  return ydoc.getXmlFragment(contentTypes.fragment)
}

function written(doc: Node): Y.Doc {
  const ydoc = new Y.Doc()
  writeFragment(fragmentOf(ydoc), doc, createBindingMetadata())
  return ydoc
}

function read(ydoc: Y.Doc): Node {
  const result = readFragment(fragmentOf(ydoc), schema)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  result.doc.check()
  return result.doc
}

function copyOf(ydoc: Y.Doc): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(ydoc))
  return copy
}

function paragraph(...content: Node[]): Node {
  return schema.node('paragraph', null, content)
}

function documentOf(...blocks: Node[]): Node {
  return schema.node('doc', null, blocks)
}

function textOf(ydoc: Y.Doc, ...path: number[]): Y.XmlText {
  let type: unknown = fragmentOf(ydoc)
  for (const index of path) type = type instanceof Y.XmlFragment ? type.get(index) : undefined
  if (!(type instanceof Y.XmlText)) throw new Error('no text there')
  return type
}

test('two comments on the same text, on plain text, code and a code block, survive a round trip', () => {
  const comments = [schema.mark('comment', { threadId: 'a' }), schema.mark('comment', { threadId: 'b' })]
  const doc = documentOf(
    paragraph(schema.text('x', comments), schema.text('y', [schema.mark('code'), ...comments])),
    schema.node('codeBlock', null, schema.text('z', comments)),
  )
  expect(read(copyOf(written(doc))).eq(doc)).toBe(true)
})

test("a deletion on another's insertion, and two deletions, survive a round trip", () => {
  const marks = [
    schema.mark('insertion', { id: 'i' }),
    schema.mark('deletion', { id: 'd' }),
    schema.mark('deletion', { id: 'e' }),
    schema.mark('formattingChange', { id: 'f', mark: 'bold', previous: null }),
  ]
  const doc = documentOf(paragraph(schema.text('x', marks)))
  expect(read(copyOf(written(doc))).firstChild?.firstChild?.marks).toHaveLength(4)
  expect(read(copyOf(written(doc))).eq(doc)).toBe(true)
})

const attributes = { threads: 't1 t2', suggestion: '[{"id":"s","operation":"insert"}]' }

function everyNode(): Node {
  const node = (name: string, content?: Node | Node[] | Fragment, more?: Record<string, unknown>) =>
    schema.node(name, { ...attributes, ...more }, content)
  const line = () =>
    node('paragraph', [
      schema.text('typed'),
      node('hardBreak'),
      node('inlineMath', undefined, { latex: 'x' }),
      node('mention', undefined, { id: 'agent', label: 'agent', kind: 'agent' }),
    ])
  const row = node('tableRow', [node('tableHeader', line(), { align: 'right' }), node('tableCell', line())])
  return documentOf(
    line(),
    node('heading', schema.text('h'), { level: 2 }),
    node('blockquote', line()),
    node('codeBlock', schema.text('c'), { language: 'js' }),
    node('bulletList', node('listItem', line())),
    node('orderedList', node('listItem', line()), { start: 3 }),
    node('taskList', node('taskItem', line(), { checked: true })),
    node('horizontalRule'),
    node('image', undefined, { src: '/a.png', href: '/b' }),
    node('table', row),
    node('blockMath', undefined, { latex: 'y' }),
  )
}

test('review attributes survive a round trip and concurrent typing on every block and inline atom', () => {
  const plain = everyNode()
  const covered = new Set<string>()
  plain.descendants((node) => void covered.add(node.type.name))
  expect([...covered, 'doc'].toSorted()).toEqual(Object.keys(schema.nodes).toSorted())
  const base = written(plain)
  expect(read(copyOf(base)).eq(plain)).toBe(true)

  const typist = copyOf(base)
  textOf(typist, 0, 0).insert(5, ' on')
  const reviewer = copyOf(base)
  const metadata = createBindingMetadata()
  const before = readFragment(fragmentOf(reviewer), schema, metadata.mapping)
  if (!before.ok) throw new Error('unreadable')
  writeFragment(fragmentOf(reviewer), withThreads(before.doc, 'new'), metadata)
  Y.applyUpdate(typist, Y.encodeStateAsUpdate(reviewer))
  const merged = read(typist)
  expect(merged.firstChild?.firstChild?.text).toBe('typed on')
  merged.descendants((node) => {
    const expected = node.isText ? {} : { threads: 'new', suggestion: attributes.suggestion }
    expect(node.attrs, node.type.name).toMatchObject(expected)
  })
})

function withThreads(node: Node, threads: string): Node {
  const content = Fragment.fromArray(node.children.map((child) => withThreads(child, threads)))
  if (node.isText || node.type.name === 'doc') return node.isText ? node : node.copy(content)
  return node.type.create({ ...node.attrs, threads }, content, node.marks)
}

function foreign(fill: (fragment: Y.XmlFragment) => void): Y.Doc {
  const ydoc = new Y.Doc()
  fill(fragmentOf(ydoc))
  return ydoc
}

function element(
  name: string,
  values: Record<string, unknown> = {},
  ...children: (Y.XmlElement | Y.XmlText)[]
): Y.XmlElement {
  const made = new Y.XmlElement(name)
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value as string)
  made.insert(0, children)
  return made
}

function marked(text: string, marks: Record<string, object>): Y.XmlText {
  const made = new Y.XmlText()
  made.insert(0, text, marks)
  return made
}

test.each([
  ['an unknown node', element('marquee'), [0], 'marquee'],
  ['an unknown mark', element('paragraph', {}, marked('x', { blink: {} })), [0, 0], 'text'],
  ['a refused structure', element('bulletList', {}, element('paragraph')), [0], 'bulletList'],
  ['a mark that the block refuses', element('codeBlock', {}, marked('x', { bold: {} })), [0], 'codeBlock'],
  ['a heading of no level', element('heading', { level: 'x' }), [0], 'heading'],
  [
    'a huge span',
    element('table', {}, element('tableRow', {}, element('tableCell', { colspan: -1 }, element('paragraph')))),
    [0, 0, 0],
    'tableCell',
  ],
  ['an object as an address', element('paragraph', {}, marked('x', { link: { href: { a: 1 } } })), [0, 0], 'text'],
  [
    'two marks that exclude each other',
    element('paragraph', {}, marked('x', { insertion: { id: 'a' }, 'insertion--abcdefgh': { id: 'b' } })),
    [0, 0],
    'text',
  ],
])('reading %s names the problem and never writes', (_title, child, path, name) => {
  const ydoc = foreign((fragment) => fragment.insert(0, [child]))
  const state = Y.encodeStateAsUpdate(ydoc)
  let updates = 0
  ydoc.on('update', () => updates++)
  ydoc.on('afterTransaction', (transaction) => {
    if (transaction.changed.size > 0 || transaction.deleteSet.clients.size > 0) updates++
  })
  const result = readFragment(fragmentOf(ydoc), schema)
  expect(result).toMatchObject({ ok: false, problems: [{ path, name }] })
  expect(updates).toBe(0)
  expect(Y.encodeStateAsUpdate(ydoc)).toEqual(state)
})

test('all problems of a document are listed', () => {
  const ydoc = foreign((fragment) => fragment.insert(0, [element('a'), element('paragraph'), element('b')]))
  expect(readFragment(fragmentOf(ydoc), schema)).toMatchObject({
    ok: false,
    problems: [
      { path: [0], name: 'a' },
      { path: [2], name: 'b' },
    ],
  })
})

test('text directly in the fragment is a problem of the document', () => {
  const ydoc = foreign((fragment) => fragment.insert(0, [new Y.XmlText('x')]))
  expect(readFragment(fragmentOf(ydoc), schema)).toMatchObject({ ok: false, problems: [{ path: [], name: 'doc' }] })
})

test('an empty fragment reads as one empty paragraph, without a write', () => {
  const ydoc = new Y.Doc()
  expect(read(ydoc).eq(documentOf(paragraph()))).toBe(true)
  expect(fragmentOf(ydoc).length).toBe(0)
})

test('a second read takes what has not changed from the mapping', () => {
  const ydoc = written(documentOf(paragraph(schema.text('one')), paragraph(schema.text('two'))))
  const { mapping } = createBindingMetadata()
  const first = readFragment(fragmentOf(ydoc), schema, mapping)
  const changed = textOf(ydoc, 0, 0)
  changed.insert(3, '!')
  mapping.delete(changed)
  if (changed.parent) mapping.delete(changed.parent)
  mapping.delete(fragmentOf(ydoc))
  const second = readFragment(fragmentOf(ydoc), schema, mapping)
  if (!first.ok || !second.ok) throw new Error('unreadable')
  expect(second.doc.textContent).toBe('one!two')
  expect(second.doc.child(1)).toBe(first.doc.child(1))
  expect(second.doc.eq(read(ydoc))).toBe(true)
})

test('writing an equal document writes nothing', () => {
  const ydoc = written(everyNode())
  let updates = 0
  ydoc.on('update', () => updates++)
  const metadata = createBindingMetadata()
  const result = readFragment(fragmentOf(ydoc), schema, metadata.mapping)
  if (!result.ok) throw new Error('unreadable')
  writeFragment(fragmentOf(ydoc), result.doc, metadata)
  writeFragment(fragmentOf(ydoc), everyNode(), metadata)
  expect(updates).toBe(0)
})

test('a fragment without a document is refused', () => {
  expect(() => writeFragment(new Y.XmlFragment(), documentOf(paragraph()), createBindingMetadata())).toThrow(
    'no document',
  )
})

test('merged updates whose clients begin with a gap are not truncated', () => {
  const updates: Uint8Array[] = []
  const ydoc = new Y.Doc()
  ydoc.on('update', (update: Uint8Array) => void updates.push(update))
  const text = ydoc.getText('t')
  for (let index = 0; index < 6; index++) text.insert(index, String(index))
  const other = copyOf(ydoc)
  other.on('update', (update: Uint8Array) => void updates.push(update))
  for (let index = 0; index < 4; index++) other.getText('t').insert(0, 'x')
  const [first = new Uint8Array(), ...rest] = updates
  // Without its first update, the structs of every client begin with a gap; with it, nothing may be missing.
  const late = Y.mergeUpdates([Y.mergeUpdates(rest.slice(2)), Y.mergeUpdates(rest.slice(0, 2))])
  const merged = new Y.Doc()
  Y.applyUpdate(merged, late)
  Y.applyUpdate(merged, first)
  expect(merged.getText('t').toJSON()).toBe('xxxx012345')
  const gapped = new Y.Doc()
  Y.applyUpdate(gapped, Y.mergeUpdates([Y.mergeUpdates(rest), first]))
  expect(gapped.getText('t').toJSON()).toBe('xxxx012345')
})

test('a review mark, a review attribute or a mention in a form that nothing could use costs no text', () => {
  const ydoc = new Y.Doc()
  const element = (name: string, attributes: Record<string, unknown>, ...children: (Y.XmlElement | Y.XmlText)[]) => {
    const made = new Y.XmlElement<Record<string, never>>(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value as never)
    made.insert(0, children)
    return made as unknown as Y.XmlElement
  }
  const marks = {
    bold: {},
    insertion: { id: { x: 1 } },
    'comment--abcdefgh': { threadId: ['a'] },
    'deletion--abcdefgh': { id: 'd' },
    'formattingChange--abcdefgh': { id: 'f', mark: 'bold', previous: {} },
  }
  const text = new Y.XmlText()
  text.insert(0, 'typed', marks)
  const mention = element('mention', { id: 'ben', label: { a: 1 }, kind: 1, requestId: [], state: 'sent' })
  const wrong = { threads: ['x'], suggestion: { a: 1 } }
  fragmentOf(ydoc).insert(0, [element('heading', { level: 2, ...wrong }, text, mention)])
  const before = Y.encodeStateVector(ydoc)
  const heading = read(ydoc).firstChild
  expect(heading?.attrs).toMatchObject({ level: 2, threads: null, suggestion: null })
  expect(heading?.textContent).toBe('typed')
  expect(heading?.firstChild?.marks.map(({ type, attrs }) => [type.name, attrs.id])).toEqual([
    ['bold', undefined],
    ['deletion', 'd'],
  ])
  const { attrs } = heading?.lastChild ?? {}
  expect(attrs).toMatchObject({ id: 'ben', label: '', kind: 'person', requestId: null, state: 'sent' })
  expect(Y.encodeStateVector(ydoc)).toEqual(before)
})
