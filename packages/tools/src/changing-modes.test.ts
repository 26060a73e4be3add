import { contentTypes, resolveChanges } from '@copydesk/schema'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { SessionMode } from './session/host/session-options.ts'
import { documentOf, readNode, sessionOn, succeed } from './testing/test-document.ts'

const start = `# Title of it

A first paragraph with **bold words** and a [link](https://a.example) in it.

## Section of lists

- item one
- item two
  - nested three

1. first thing
2. second thing
3. third thing

> quoted words here

## Section of others

| alpha | beta |
| ----- | ---- |
| 1     | **2** |

\`\`\`
code line of words
\`\`\`

The last paragraph, with \`code\`, $x^2$ and 😀 in it.
`

const all = { type: 'all' }
const block = (number: number, to = number): object => ({ type: 'block', block: number, to })
const format = (target: object, type: string, remove = false): [string, object] => [
  'apply_formatting',
  { target, format: { type, href: '/p' }, remove },
]
const rewrite = (sectionIndex: number, content: string, title?: string): [string, object] => [
  'update_section',
  { operation: 'replace', sectionIndex, content, ...(title === undefined ? {} : { title }) },
]

const calls: [string, object][] = [
  ['replace_text', { searchText: 'words', newText: '**terms** said' }],
  ['replace_text', { searchText: 'i', newText: '' }],
  ['replace_text', { searchText: '(\\w+) thing', newText: 'thing $1', isRegex: true }],
  ['replace_text', { searchText: 'quoted words here', newText: '' }],
  ['replace_text', { searchText: 'item two', newText: '' }],
  format({ type: 'text', value: 'words' }, 'bold'),
  format({ type: 'text', value: 'bold' }, 'bold', true),
  format({ type: 'text', value: 'first' }, 'link'),
  format({ type: 'text', value: 'link' }, 'link', true),
  format(all, 'italic'),
  format(block(1), 'heading'),
  format(block(2), 'paragraph'),
  format(block(0), 'heading'),
  format(block(1), 'bulletList'),
  format(block(3, 4), 'orderedList'),
  format(block(7), 'bulletList'),
  format(block(6, 8), 'taskList'),
  format(block(3, 5), 'bulletList', true),
  format(block(1), 'blockquote'),
  format(block(9), 'blockquote', true),
  format(block(9), 'codeBlock'),
  format(block(13), 'paragraph'),
  format(all, 'bulletList'),
  ['apply_formatting', { target: block(13), format: { type: 'codeBlock', language: 'go' } }],
  ['apply_formatting', { target: block(3, 4), format: { type: 'taskList', checked: true } }],
  rewrite(0, 'A second paragraph with **bold terms**.', 'Name of it'),
  rewrite(1, '- item one\n- new\n- item 2\n\n1. first thing\n2. 2nd thing\n\nDone.'),
  rewrite(2, '| alpha | beta |\n| - | - |\n| 1 | two |\n| 3 | 4 |\n\nThe last lines, with $y^2$.'),
  rewrite(1, ''),
  ['update_section', { operation: 'append', title: 'New', content: '- a\n\nb' }],
  ['update_section', { operation: 'insert', sectionIndex: 1, title: 'New', content: 'b\n\n```\nc\n```' }],
  ['update_section', { operation: 'delete', sectionIndex: 1 }],
  ['update_section', { operation: 'delete', sectionIndex: 2 }],
  ['delete_blocks', { block: 1 }],
  ['delete_blocks', { block: 4 }],
  ['delete_blocks', { block: 3, to: 6 }],
  ['delete_blocks', { block: 7, to: 9 }],
  ['delete_blocks', { block: 12 }],
  ['delete_blocks', { block: 11, to: 13 }],
  ['delete_blocks', { block: 0, to: 14 }],
  ['delete_blocks', { section: 2 }],
  ['move_blocks', { block: 1, after: 9 }],
  ['move_blocks', { block: 14, before: 0 }],
  ['move_blocks', { block: 2, to: 9, after: 14 }],
  ['move_blocks', { block: 4, before: 3 }],
  ['move_blocks', { block: 6, after: 8 }],
  ['move_blocks', { block: 6, to: 8, before: 3 }],
  ['move_blocks', { block: 9, before: 1 }],
  ['move_blocks', { block: 11, to: 12, before: 2 }],
  ['move_blocks', { section: 2, before: 1 }],
  ['replace_text', { find: 'words', replace: 'terms', block: 1, to: 9 }],
  [
    'replace_text',
    {
      pairs: [
        ['bold', 'first'],
        ['first', 'bold'],
      ].map(([find, replace]) => ({ find, replace })),
    },
  ],
  [
    'edit_document',
    {
      pairs: [
        ['item one', 'item two'],
        ['item two', '**item** one'],
      ].map(([find, replace]) => ({ find, replace })),
    },
  ],
  ['edit_document', { find: 'words', replace: 'terms', section: 2, occurrence: 'first' }],
  ['edit_document', { find: '- item two', replace: '  - item two' }],
  ['edit_document', { find: '- item one\n- item two', replace: '1. item one\n2. item two' }],
  ['edit_document', { find: '- item two', replace: '- item two\n  - nested\n  - words' }],
  ['edit_document', { find: '> quoted words here', replace: 'quoted words here' }],
  [
    'edit_document',
    {
      pairs: [
        { find: '- item two', replace: '  - item 2' },
        { find: '> quoted words here', replace: 'quoted words here' },
      ],
    },
  ],
  ['set_title', { title: 'The **new** title' }],
  ['insert_math', { position: { type: 'relative', anchor: 'A first', placement: 'after' }, latex: 'y^2' }],
  ['insert_math', { position: { type: 'block', block: 9, placement: 'after' }, latex: 'y^2' }],
  ['edit_table', { block: 12, operation: 'insert_row', cells: ['x', '**y**'] }],
  ['edit_table', { block: 12, operation: 'insert_column', column: 1, cells: ['new', 'z'] }],
  ['edit_table', { block: 12, operation: 'delete_column', column: 'beta' }],
  ['edit_table', { block: 12, operation: 'move_column', column: 1, to: 0 }],
  ['edit_table', { block: 12, operation: 'set_cell', column: 0, cells: ['one', 'two'] }],
  ['edit_table', { block: 12, operation: 'set_header', column: 0 }],
  ['edit_table', { block: 12, operation: 'merge', column: 0, to: 1 }],
  ['edit_table', { block: 12, operation: 'to_list' }],
  ['edit_table', { block: 6, operation: 'from_list', cells: ['What'] }],
]

async function undone(name: string, input: object): Promise<unknown> {
  const doc = documentOf(start)
  const origin = {}
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  const undo = new Y.UndoManager(fragment, { trackedOrigins: new Set([origin]), captureTimeout: 1e9 })
  const session = sessionOn(doc, { origin })
  await succeed(session, 'read_document')
  await succeed(session, name, input)
  undo.undo()
  session.close()
  return readNode(doc).toJSON()
}

async function played(mode: SessionMode, name: string, input: object) {
  const doc = documentOf(start)
  let ids = 0
  const session = sessionOn(doc, { mode, createId: () => `change-${ids++}` })
  await succeed(session, 'read_document')
  const result = await succeed(session, name, input)
  session.close()
  return { node: readNode(doc), result }
}

describe('a changing tool in mode edit', () => {
  test.each(calls)('%s %j: undo of its origin takes it back exactly', async (name, input) => {
    expect(await undone(name, input)).toEqual(readNode(documentOf(start)).toJSON())
  })
})

describe('a changing tool in mode suggest', () => {
  test.each(calls)('%s %j: rejected all is as before, accepted all as in mode edit', async (name, input) => {
    const edited = await played('edit', name, input)
    const suggested = await played('suggest', name, input)
    const before = documentOf(start)
    const markdown = (view: 'original' | 'accepted') => serializeMarkdown(resolveChanges(suggested.node, view))
    expect(markdown('original')).toBe(serializeMarkdown(readNode(before)))
    expect(markdown('accepted')).toBe(serializeMarkdown(edited.node))
    const done = edited.result.text.split('\n', 1)[0] ?? ''
    expect(suggested.result.text).toMatch(done.startsWith('Nothing') ? /^Nothing/ : /^Suggested /)
    expect(suggested.result.text.split('\n')[0]).toContain(done.replace(/^\w+ /, ''))
    expect(suggested.result.summary).toMatch(done.startsWith('Nothing') ? /^Nothing/ : /^Suggested: /)
  })
})
