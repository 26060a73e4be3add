import { contentTypes, schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  documentOf,
  documentOfNode,
  fail,
  markdownOf,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  typeBeside,
} from '../../testing/test-document.ts'

const start = '# Title\n\nIntro.\n\n## One\n\nFirst text.\n\n- a\n- b\n\n## Two\n\nSecond **text**.'

async function updated(markdown: string, input: Record<string, unknown>): Promise<string> {
  const doc = documentOf(markdown)
  await succeed(sessionOn(doc), 'update_section', input)
  readNode(doc)
  return markdownOf(doc)
}

const replace = (sectionIndex: number, content: string, more: object = {}): Record<string, unknown> => ({
  operation: 'replace',
  sectionIndex,
  content,
  ...more,
})

describe('update_section', () => {
  test('answers with the sections as they are now', async () => {
    const doc = documentOf(start)
    const input = { operation: 'insert', sectionIndex: 1, title: 'New', content: 'Text.' }
    const result = await succeed(sessionOn(doc), 'update_section', input)
    expect(result.text).toContain('Inserted section 1 "New" before section 1 "One".')
    expect(result.text).toContain('\nSections now: 0 "Title", 1 "New", 2 "One", 3 "Two".')
    expect(result.summary).toBe('New section "New"')
    expect(result.details).toMatchObject({
      success: true,
      operation: 'insert',
      sectionIndex: 1,
      message: 'Inserted section 1 "New" before section 1 "One".',
      sections: [
        { index: 0, title: 'Title' },
        { index: 1, title: 'New' },
        { index: 2, title: 'One' },
        { index: 3, title: 'Two' },
      ],
      update: { operation: 'insert', sectionIndex: 1, title: 'New', content: '<p>Text.</p>' },
    })
  })

  const one = '## One\n\nFirst text.\n\n- a\n- b'
  test.each([
    ['replaces content', replace(2, 'Other.'), `# Title\n\nIntro.\n\n${one}\n\n## Two\n\nOther.`],
    [
      'renames',
      replace(2, 'Second **text**.', { title: 'Zwei' }),
      `# Title\n\nIntro.\n\n${one}\n\n## Zwei\n\nSecond **text**.`,
    ],
    [
      'replaces section 0',
      replace(0, 'New intro.', { title: 'Name' }),
      `# Name\n\nNew intro.\n\n${one}\n\n## Two\n\nSecond **text**.`,
    ],
    ['strips the heading', replace(2, '## Two\n\nOther.'), `# Title\n\nIntro.\n\n${one}\n\n## Two\n\nOther.`],
    ['takes a heading as title', replace(2, '## Three\n\nOther.'), `# Title\n\nIntro.\n\n${one}\n\n## Three\n\nOther.`],
    [
      'strips # from a title',
      replace(2, 'X', { title: '## Two *b*' }),
      `# Title\n\nIntro.\n\n${one}\n\n## Two *b*\n\nX`,
    ],
    ['empties', replace(1, ''), '# Title\n\nIntro.\n\n## One\n\n## Two\n\nSecond **text**.'],
    ['takes the index as text', replace(0, 'X', { sectionIndex: '2' }), `# Title\n\nIntro.\n\n${one}\n\n## Two\n\nX`],
    ['appends', { operation: 'append', title: 'Three', content: '1. x' }, `${start}\n\n## Three\n\n1. x`],
    [
      'inserts before the first',
      { operation: 'insert', sectionIndex: 1, title: 'Zero', content: 'x' },
      `# Title\n\nIntro.\n\n## Zero\n\nx\n\n${one}\n\n## Two\n\nSecond **text**.`,
    ],
    ['inserts at the end', { operation: 'insert', sectionIndex: 3, title: 'End', content: '' }, `${start}\n\n## End`],
    ['deletes', { operation: 'delete', sectionIndex: 1 }, '# Title\n\nIntro.\n\n## Two\n\nSecond **text**.'],
    [
      'changes a list',
      replace(1, 'First text.\n\n- a\n- new\n- b'),
      '# Title\n\nIntro.\n\n## One\n\nFirst text.\n\n- a\n- new\n- b\n\n## Two\n\nSecond **text**.',
    ],
  ])('%s', async (_title, input, expected) => {
    expect(await updated(start, input)).toBe(expected)
  })

  test.each([
    ['a document without a title', 'Text.', replace(0, 'Text.', { title: 'T' }), '# T\n\nText.'],
    ['an empty document', '', replace(0, 'Text.', { title: 'T' }), '# T\n\nText.'],
    ['an empty document, at the end', '', { operation: 'append', title: 'T', content: 'Text.' }, '## T\n\nText.'],
    [
      'a table in place',
      '## A\n\n| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |',
      replace(1, '| a | b |\n| - | - |\n| 1 | two |\n| 5 | 6 |\n| 3 | 4 |'),
      '## A\n\n| a | b |\n| - | - |\n| 1 | two |\n| 5 | 6 |\n| 3 | 4 |',
    ],
    [
      'another table',
      '## A\n\n| a | b |\n| - | - |\n| 1 | 2 |',
      replace(1, '| a |\n| - |\n| 1 |'),
      '## A\n\n| a |\n| - |\n| 1 |',
    ],
    [
      'code and its language',
      '## A\n\n```js\nlet a = 1\n```',
      replace(1, '```ts\nlet a = 2\n```'),
      '## A\n\n```ts\nlet a = 2\n```',
    ],
    [
      'a paragraph that becomes a heading',
      '## A\n\nsome words',
      replace(1, '### some words'),
      '## A\n\n### some words',
    ],
    ['formats', '## A\n\none **two** three', replace(1, 'one two *three*'), '## A\n\none two *three*'],
    [
      'nested lists',
      '## A\n\n- a\n  - b\n- c',
      replace(1, '- a\n  - b\n  - d\n- [c](/c)'),
      '## A\n\n- a\n  - b\n  - d\n- [c](/c)',
    ],
    ['a formula', '## A\n\nso $x^2$ is', replace(1, 'so $y^2$ is'), '## A\n\nso $y^2$ is'],
    ['the only section there is', '## A\n\nb', { operation: 'delete', sectionIndex: 1 }, ''],
  ])('%s', async (_title, markdown, input, expected) => {
    expect(await updated(markdown, input)).toBe(expected)
  })

  test('equal content is no change', async () => {
    const doc = documentOf(start)
    const result = await succeed(sessionOn(doc), 'update_section', replace(2, 'Second **text**.'))
    expect(result.text).toContain('Nothing to change: section 2 "Two" reads so already.')
    expect(result.details).toMatchObject({ success: true, sections: [{ index: 0 }, { index: 1 }, { index: 2 }] })
    expect(doc.getMap('receipts').size).toBe(0)
  })

  test.each([
    ['deleting section 0', { operation: 'delete', sectionIndex: 0 }, 'invalid_operation'],
    [
      'inserting before section 0',
      { operation: 'insert', sectionIndex: 0, title: 'a', content: 'b' },
      'invalid_operation',
    ],
    ['a section that is not there', replace(3, 'x'), 'out_of_range'],
    ['deleting one that is not there', { operation: 'delete', sectionIndex: 9 }, 'out_of_range'],
    ['inserting beyond the end', { operation: 'insert', sectionIndex: 4, title: 'a', content: 'b' }, 'out_of_range'],
    ['replace without content', { operation: 'replace', sectionIndex: 1 }, 'invalid_input'],
    ['replace without index', { operation: 'replace', content: 'x' }, 'invalid_input'],
    ['append without title', { operation: 'append', content: 'x' }, 'invalid_input'],
    ['insert without content', { operation: 'insert', sectionIndex: 1, title: 'x' }, 'invalid_input'],
    ['a title of nothing', { operation: 'append', title: ' # ', content: 'x' }, 'invalid_input'],
    ['an unknown operation', { operation: 'move', sectionIndex: 1 }, 'invalid_input'],
    ['a negative index', { operation: 'delete', sectionIndex: -1 }, 'invalid_input'],
    ['too long content', replace(1, 'x'.repeat(200_001)), 'too_large'],
  ])('refuses %s', async (_title, input, code) => {
    const doc = documentOf(start)
    const before = Y.encodeStateAsUpdate(doc)
    const result = await fail(sessionOn(doc), 'update_section', input)
    expect(result.code).toBe(code)
    expect(result.hint).not.toBe('')
    expect(Y.encodeStateAsUpdate(doc)).toEqual(before)
  })
})

describe('update_section: the untouched', () => {
  test('keeps comments, links and mentions in a paragraph that changes', async () => {
    const mention = schema.node('mention', { id: 'ada', label: 'Ada', kind: 'person', requestId: 'r', state: 'sent' })
    const comment = schema.mark('comment', { threadId: 't1' })
    const paragraph = schema.node('paragraph', null, [
      schema.text('The '),
      schema.text('old plan', [comment]),
      schema.text(' of '),
      mention,
      schema.text(' is good.'),
    ])
    const doc = documentOfNode(
      schema.node('doc', null, [schema.node('heading', { level: 2 }, schema.text('A')), paragraph]),
    )
    await succeed(sessionOn(doc), 'update_section', replace(1, 'The new plan of @Ada is **very** good.'))
    const after = readNode(doc).child(1)
    expect(markdownOf(doc)).toBe('## A\n\nThe new plan of @Ada is **very** good.')
    expect(after.children.some((node) => node.type.name === 'mention')).toBe(true)
    const commented = after.children.filter((node) => node.marks.some((mark) => mark.eq(comment)))
    expect(commented.map((node) => node.text).join('')).toBe('new plan')
  })

  test('writes only the characters that differ', async () => {
    const doc = documentOf(start)
    const deltas: unknown[] = []
    doc.getXmlFragment(contentTypes.fragment).observeDeep((events) => {
      for (const event of events) deltas.push(event.delta)
    })
    await succeed(sessionOn(doc), 'update_section', replace(1, 'First texts.\n\n- a\n- b'))
    expect(deltas).toEqual([[{ retain: 10 }, { insert: 's' }]])
  })

  test('keeps empty paragraphs where a caret may wait', async () => {
    const paragraph = (text: string) => schema.node('paragraph', null, text === '' ? [] : schema.text(text))
    const heading = schema.node('heading', { level: 2 }, schema.text('A'))
    const doc = documentOfNode(schema.node('doc', null, [heading, paragraph('old'), paragraph('')]))
    await succeed(sessionOn(doc), 'update_section', replace(1, 'wholly new'))
    await succeed(sessionOn(doc), 'update_section', { operation: 'append', title: 'B', content: 'x' })
    expect(readNode(doc).children.map((node) => node.textContent)).toEqual(['A', 'wholly new', 'B', 'x', ''])
  })

  test.each([
    ['replace', replace(1, 'First words.\n\n- a\n- c', { title: 'Uno' })],
    ['append', { operation: 'append', title: 'X', content: 'y' }],
    ['delete', { operation: 'delete', sectionIndex: 1 }],
  ])('undo of its origin takes %s back exactly', async (_title, input) => {
    const doc = documentOf(start)
    const before = readNode(doc).toJSON()
    const origin = {}
    const undo = new Y.UndoManager(doc.getXmlFragment(contentTypes.fragment), {
      trackedOrigins: new Set([origin]),
      captureTimeout: 1e9,
    })
    await succeed(sessionOn(doc, { origin }), 'update_section', input)
    expect(readNode(doc).toJSON()).not.toEqual(before)
    undo.undo()
    expect(readNode(doc).toJSON()).toEqual(before)
  })

  test('keeps what a rival types into the section before they meet', async () => {
    const doc = documentOf(start)
    const rival = replicaOf(doc, 9)
    typeBeside(rival, 'First', 'X')
    typeBeside(rival, 'One', 'Y')
    typeBeside(rival, 'b', 'Z')
    typeBeside(rival, 'Second', 'W')
    const content = 'First changed text.\n\n- a\n- new\n- b'
    await succeed(sessionOn(doc), 'update_section', replace(1, content, { title: 'One more' }))
    sync(doc, rival)
    expect(readNode(doc).toJSON()).toEqual(readNode(rival).toJSON())
    expect(markdownOf(doc)).toBe(
      '# Title\n\nIntro.\n\n## One moreY\n\nFirstX changed text.\n\n- a\n- new\n- bZ\n\n## Two\n\nSecondW **text**.',
    )
  })
})
