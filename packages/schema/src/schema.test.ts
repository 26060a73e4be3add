import { expect, test } from 'vitest'
import { reviewMarkNames, schema, SCHEMA_VERSION, schemaExtensions } from './index.ts'

// If this list changes, other peers remove unknown content: raise SCHEMA_VERSION in the same commit.
const pinned = {
  version: 2,
  nodes: {
    paragraph: 'inline* | suggestion threads',
    doc: 'block+ |',
    text: ' |',
    heading: 'inline* | level suggestion threads',
    bulletList: 'listItem+ | suggestion threads',
    orderedList: 'listItem+ | start suggestion threads type',
    listItem: 'paragraph block* | suggestion threads',
    taskList: 'taskItem+ | suggestion threads',
    taskItem: 'paragraph block* | checked suggestion threads',
    blockquote: 'block+ | suggestion threads',
    codeBlock: 'text* | language suggestion threads',
    horizontalRule: ' | suggestion threads',
    hardBreak: ' | suggestion threads',
    image: ' | align alt height href src suggestion threads title width',
    table: 'tableRow+ | suggestion threads',
    tableRow: '(tableCell | tableHeader)* | suggestion threads',
    tableHeader: 'block+ | align colspan colwidth rowspan suggestion threads',
    tableCell: 'block+ | align colspan colwidth rowspan suggestion threads',
    inlineMath: ' | latex suggestion threads',
    blockMath: ' | latex suggestion threads',
    mention: ' | id kind label requestId state suggestion threads',
  },
  marks: {
    link: 'href title',
    bold: '',
    italic: '',
    strike: '',
    underline: '',
    code: '',
    highlight: 'color',
    comment: 'threadId',
    insertion: 'id',
    deletion: 'id',
    formattingChange: 'id mark previous',
  },
}

test('nodes, marks and attributes are exactly those of this schema version', () => {
  const attributes = (spec: { attrs?: object }) =>
    Object.keys(spec.attrs ?? {})
      .toSorted()
      .join(' ')
  const nodes = Object.entries(schema.nodes).map(([name, type]): [string, string] => [
    name,
    `${type.spec.content ?? ''} | ${attributes(type.spec)}`.trimEnd(),
  ])
  const marks = Object.entries(schema.marks).map(([name, type]): [string, string] => [name, attributes(type.spec)])
  expect({ version: SCHEMA_VERSION, nodes: Object.fromEntries(nodes), marks: Object.fromEntries(marks) }).toEqual(
    pinned,
  )
})

test('every block and inline atom has the review attributes', () => {
  for (const [name, type] of Object.entries(schema.nodes)) {
    if (name === 'doc' || name === 'text') continue
    expect(Object.keys(type.spec.attrs ?? {}), name).toEqual(expect.arrayContaining(['threads', 'suggestion']))
  }
})

test('every attribute has a default, so that a peer that leaves it out writes a valid node', () => {
  for (const type of [...Object.values(schema.nodes), ...Object.values(schema.marks)]) {
    for (const [name, spec] of Object.entries(type.spec.attrs ?? {})) {
      expect('default' in spec, `${type.name}.${name}`).toBe(true)
    }
  }
})

test('extension names are unique', () => {
  const names = schemaExtensions.map((extension) => extension.name)
  expect(new Set(names).size).toBe(names.length)
})

test('code and code blocks admit the four review marks', () => {
  expect(reviewMarkNames).toEqual(['comment', 'insertion', 'deletion', 'formattingChange'])
  const { codeBlock, paragraph } = schema.nodes
  const code = schema.mark('code')
  for (const name of reviewMarkNames) {
    const mark = schema.mark(name)
    expect(codeBlock?.allowsMarkType(mark.type), name).toBe(true)
    const marked = mark.addToSet([code])
    expect(marked, name).toHaveLength(2)
    paragraph?.create(null, schema.text('x', marked)).check()
  }
  expect(codeBlock?.allowsMarkType(schema.mark('bold').type)).toBe(false)
})

test('comments and deletions of different ids overlap; an insertion replaces an insertion', () => {
  const both = (name: string, attribute: string) =>
    schema.mark(name, { [attribute]: 'b' }).addToSet([schema.mark(name, { [attribute]: 'a' })])
  expect(both('comment', 'threadId')).toHaveLength(2)
  expect(both('deletion', 'id')).toHaveLength(2)
  expect(both('formattingChange', 'id')).toHaveLength(2)
  expect(both('insertion', 'id')).toHaveLength(1)
  expect(schema.mark('deletion', { id: 'b' }).addToSet([schema.mark('insertion', { id: 'a' })])).toHaveLength(2)
})
