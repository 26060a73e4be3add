import { schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import { documentOf, documentOfNode, fail, markdownOf, sessionOn, succeed } from '../../testing/test-document.ts'

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
    ['a formula becomes text', 'so $b$ and $c^2$ is', '$b$ and', 'b and', 'so b and $c^2$ is'],
    ['a box alone', '- [ ] one', 'one', '[x] one', '- [x] one'],
    ['a box without its bullet', '- [ ] one', '- [ ] one', '[x] one', '- [x] one'],
    ['a box with a bullet that was not named', '- [ ] one', '[ ] one', '- [x] one', '- [x] one'],
    ['the number where a list begins', '3. c\n4. d', '3. c', '5. c', '5. c\n6. d'],
    ['a format after a number', '## Board', 'Board', '4. **Board**', '## 4. **Board**'],
    ['a format after a sign', 'text', 'text', '- *really* good', '\\- *really* good'],
    ['a formula in place of code', '`code` 5', '`code` 5', '$x^2$ y', '$x^2$ y'],
    ['HTML of a line', 'one x', 'x', '<p>so <b>bold</b></p>', 'one so **bold**'],
    ['a format as a tag', 'one x', 'x', 'an <em>x</em> ', 'one an *x*&#x20;'],
    ['a line break as it is shown', 'one', 'one', 'one\\\ntwo', 'one\\\ntwo'],
  ])('%s', async (_title, markdown, find, replace, expected) => {
    const result = await edited(markdown, find, replace)
    expect(result.markdown).toBe(expected)
    expect(result.text).toMatch(/^Replaced .*\nNow:\n\[0\] /)
  })

  test('a text quoted with its markup, and an item that is emptied for its sub-list', async () => {
    const { text } = await edited('a **bold** word', '**bold**', 'bold')
    expect(text).toMatch(/^Replaced "\*\*bold\*\*" by "bold" in block \[0\]/)
    const emptied = await edited('- one\n  - sub', 'one', '')
    expect(emptied.text).toBe('Emptied block [0]: "one".\nNow:\n[0] - ')
  })

  test('a number that an item cannot have', async () => {
    const session = sessionOn(documentOf('3. c\n4. d'))
    const alone = await fail(session, 'edit_document', { find: '4. d', replace: '9. d' })
    const pairs = await fail(session, 'edit_document', { pairs: [{ find: '4. d', replace: '9. d' }] })
    for (const { code, message } of [alone, pairs]) {
      expect([code, message]).toEqual(['invalid_operation', expect.stringContaining('items are numbered in order')])
    }
  })

  test('of a long block the part that changed', async () => {
    const [before, after] = ['word '.repeat(1_000), ' tail'.repeat(1_000)]
    const { text } = await edited(`${before}end${after}`, 'end', 'the very end')
    expect(text).toMatch(/\[0\] ….*word the very end tail.*…$/)
    expect(text.length).toBeLessThan(2_000)
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
