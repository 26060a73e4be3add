import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { type NodeSuggestion, resolveChanges, schema, writeSuggestions } from './index.ts'
import { serializeMarkdown } from './markdown/index.ts'

function text(value: string, ...marks: [name: string, attributes?: Record<string, unknown>][]): Node {
  return schema.text(
    value,
    marks.map(([name, attributes]) => schema.mark(name, attributes)),
  )
}

function suggested(...suggestions: NodeSuggestion[]): { suggestion: string | null } {
  return { suggestion: writeSuggestions(suggestions) }
}

function both(...blocks: Node[]): [original: string, accepted: string] {
  const doc = schema.node('doc', null, blocks)
  doc.check()
  for (const view of ['original', 'accepted'] as const) resolveChanges(doc, view).check()
  return [serializeMarkdown(doc), serializeMarkdown(doc, null, { changes: 'accepted' })]
}

function paragraph(attributes: Record<string, unknown> | null, ...content: Node[]): Node {
  return schema.node('paragraph', attributes, content)
}

test('inserted and deleted text', () => {
  const line = paragraph(
    null,
    text('a '),
    text('old', ['deletion', { id: '1' }]),
    text('new', ['insertion', { id: '1' }]),
    text('gone', ['insertion', { id: '1' }], ['deletion', { id: '2' }]),
  )
  expect(both(line)).toEqual(['a old\n', 'a new\n'])
})

test('changed formatting', () => {
  const bold = text('a', ['bold'], ['formattingChange', { id: '1', mark: 'bold', previous: null }])
  const plain = text('b', ['formattingChange', { id: '2', mark: 'italic', previous: '{}' }])
  const link = text(
    'c',
    ['link', { href: '/new' }],
    ['formattingChange', { id: '3', mark: 'link', previous: '{"href":"/old"}' }],
  )
  const broken = text('d', ['formattingChange', { id: '4', mark: 'nothing', previous: '{' }])
  expect(both(paragraph(null, bold, text(' '), plain, text(' '), link, text(' '), broken))).toEqual([
    'a *b* [c](/old) d\n',
    '**a** b [c](/new) d\n',
  ])
})

test('inserted, deleted and retyped blocks', () => {
  const blocks = [
    paragraph(suggested({ id: '1', operation: 'insert' }), text('inserted', ['insertion', { id: '1' }])),
    paragraph(suggested({ id: '2', operation: 'delete' }), text('deleted', ['deletion', { id: '2' }])),
    schema.node(
      'heading',
      { level: 2, ...suggested({ id: '3', operation: 'change', previous: { type: 'paragraph', attributes: {} } }) },
      text('retyped'),
    ),
  ]
  expect(both(...blocks)).toEqual(['deleted\n\nretyped\n', 'inserted\n\n## retyped\n'])
})

test('what others typed into an inserted or deleted block keeps it alive', () => {
  const blocks = [
    paragraph(
      suggested({ id: '1', operation: 'insert' }),
      text('inserted', ['insertion', { id: '1' }]),
      text('+typed'),
    ),
    paragraph(suggested({ id: '2', operation: 'delete' }), text('deleted', ['deletion', { id: '2' }]), text('+typed')),
  ]
  expect(both(...blocks)).toEqual(['+typed\n\ndeleted+typed\n', 'inserted+typed\n\n+typed\n'])
})

test('a document without suggestions is returned as it is, and untouched blocks are the same nodes', () => {
  const untouched = paragraph(null, text('a'))
  const doc = schema.node('doc', null, [untouched, paragraph(null, text('b', ['deletion', { id: '1' }]))])
  expect(resolveChanges(doc, 'accepted').firstChild).toBe(untouched)
  const plain = schema.node('doc', null, [untouched])
  expect(resolveChanges(plain, 'accepted')).toBe(plain)
})

test('a list that loses its items goes, a cell or document that loses its blocks stays', () => {
  const attributes = suggested({ id: '1', operation: 'insert' })
  const inserted: [string, Record<string, unknown>] = ['insertion', { id: '1' }]
  const item = schema.node('listItem', attributes, paragraph(attributes, text('a', inserted)))
  expect(both(schema.node('bulletList', null, item))).toEqual(['', '- a\n'])
  const cell = schema.node('tableHeader', null, paragraph(attributes, text('b', inserted)))
  const table = schema.node('table', null, schema.node('tableRow', null, cell))
  expect(both(table)).toEqual(['| |\n| - |\n', '| b |\n| - |\n'])
})

test('the result holds no suggestion, but keeps comments', () => {
  const comment: [string, Record<string, unknown>] = ['comment', { threadId: 't' }]
  const line = paragraph(
    { threads: 't', ...suggested({ id: '1', operation: 'delete' }) },
    text('a', comment, ['deletion', { id: '2' }]),
  )
  const resolved = resolveChanges(schema.node('doc', null, line), 'original')
  expect(resolved.firstChild?.attrs).toEqual({ threads: 't', suggestion: null })
  expect(resolved.firstChild?.firstChild?.marks.map((mark) => mark.type.name)).toEqual(['comment'])
})
