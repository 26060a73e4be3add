import { schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import { documentOf, documentOfNode, markdownOf, sessionOn, succeed } from '../testing/test-document.ts'

async function edited(markdown: string, find: string, replace: string, more: object = {}) {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  const { text } = await succeed(session, 'edit_document', { find, replace, ...more })
  return { markdown: markdownOf(doc), text }
}

describe('a number or sign at the beginning of a text is content, not a marker', () => {
  test.each([
    ['of a heading', '## 4. Board', '4. Board', '3. Board', '## 3. Board'],
    ['of a heading with its marker', '## 4. Board', '## 4. Board', '## 3. Board', '## 3. Board'],
    ['of a heading that had none', '## Board', 'Board', '3. Board', '## 3. Board'],
    ['of a paragraph', '4\\) Board', '4) Board', '3) Board', '3\\) Board'],
    ['of a paragraph that had none', 'Board', 'Board', '- Board', '\\- Board'],
    [
      'of a heading among several lines',
      '## 4. Board\n\ntext',
      '4. Board\ntext',
      '3. Board\nwords',
      '## 3. Board\n\nwords',
    ],
    ['of a row', '| a | b |\n| - | - |\n| 4. x | y |', '4. x', '3. x', '| a | b |\n| - | - |\n| 3. x | y |'],
    ['but not the number of its own item', '1. one\n2. two', 'two', '2. 2nd', '1. one\n2. 2nd'],
    ['but not a bullet', '- one', 'one', '* two', '- two'],
  ])('%s', async (_title, markdown, find, replace, expected) => {
    expect((await edited(markdown, find, replace)).markdown).toBe(expected)
  })
})

describe('a result says what happened', () => {
  test('two lines of tasks are ticked', async () => {
    const tasks = '- [ ] one\n- [ ] two\n- [ ] three'
    const result = await edited(tasks, '- [ ] one\n- [ ] two', '- [x] one\n- [x] two, too')
    expect(result.markdown).toBe('- [x] one\n- [x] two, too\n- [ ] three')
    expect(result.text).toContain('[0] - [x] one\n[1] - [x] two, too')
    const ticked = await edited('- [ ] one', '- [ ] one', '- [x] one')
    expect(ticked.text).toContain('Replaced "- [ ] one" by "- [x] one" in block [0].')
    expect((await edited('- [ ] one', '[ ]', '[x]', { block: 0 })).markdown).toBe('- [x] one')
  })

  test.each([
    ['one block', 'a text', 'a text', 'a text'],
    ['several lines', '- [x] one\n- [x] two', '- [x] one\n- [x] two', '- [x] one\n- [x] two'],
    ['a row', '| a | b |\n| - | - |', '| a | b |', '| a | b |'],
  ])('a call that changes nothing in %s says so', async (_title, markdown, find, replace) => {
    expect((await edited(markdown, find, replace)).text).toMatch(/^Nothing to change/)
  })

  test('spaces at the ends are quoted', async () => {
    const doc = documentOfNode(schema.node('doc', null, [schema.node('paragraph', null, schema.text('a  b'))]))
    const { text } = await succeed(sessionOn(doc), 'edit_document', { find: ' b', replace: ' c ' })
    expect(text).toBe('Replaced " b" by " c " in block [0].\nNow:\n[0] a  c ')
  })

  test.each(['edit', 'suggest'] as const)('update_section shows every row that it made in mode %s', async (mode) => {
    const doc = documentOf('# T\n\n## S\n\n| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |')
    const content = '| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n| 7 | 8 |'
    const input = { operation: 'replace', sectionIndex: 1, content }
    const { text } = await succeed(sessionOn(doc, { mode }), 'update_section', input)
    for (const row of ['| 5 | 6 |', '| 7 | 8 |']) expect(text).toContain(row)
    expect(text).toContain('(3 more blocks of the section read as before.)')
  })

  test('get_document shows no character references either', async () => {
    const paragraph = schema.node('paragraph', null, schema.text('ends '))
    const { text } = await succeed(sessionOn(documentOfNode(schema.node('doc', null, [paragraph]))), 'get_document')
    expect(text).not.toContain('&#x')
  })
})
