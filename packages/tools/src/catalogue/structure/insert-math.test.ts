import { describe, expect, test } from 'vitest'
import { documentOf, fail, markdownOf, readNode, sessionOn, succeed } from '../../testing/test-document.ts'

const after = (anchor: string) => ({ type: 'relative', anchor, placement: 'after' })
const block = (number: number, placement = 'after') => ({ type: 'block', block: number, placement })

async function inserted(markdown: string, input: Record<string, unknown>): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'insert_math', input)
  readNode(doc)
  return markdownOf(doc)
}

describe('insert_math', () => {
  test.each([
    [
      'within a text, kept apart from words',
      'energy is',
      { position: after('energy'), latex: 'E=mc^2' },
      'energy $E=mc^2$ is',
    ],
    ['between two words', 'onetwo', { position: after('one'), latex: 'x' }, 'one $x$ two'],
    ['before a full stop', 'It is .', { position: after('is '), latex: 'x' }, 'It is $x$.'],
    [
      'as a block next to a text',
      'one\n\ntwo',
      { position: after('one'), latex: 'x', display: true },
      'one\n\n$$\nx\n$$\n\ntwo',
    ],
    ['as a block next to a block', 'one', { position: block(0), latex: '\\frac{a}{b}' }, 'one\n\n$$\n\\frac{a}{b}\n$$'],
    ['within the text of a block', 'one', { position: block(0), latex: 'x', display: false }, 'one $x$'],
    ['at the end', 'one', { position: { type: 'absolute', location: 'end' }, latex: 'x' }, 'one\n\n$$\nx\n$$'],
    ['without delimiters of its own', 'one', { position: after('one'), latex: '$$x$$' }, 'one $x$'],
    ['without brackets', 'one', { position: after('one'), latex: '\\(x\\)' }, 'one $x$'],
  ])('inserts %s', async (_title, markdown, input, expected) => {
    expect(await inserted(markdown, input)).toBe(expected)
  })

  test('a formula with dollar signs stays one formula', async () => {
    const markdown = await inserted('one', { position: after('one'), latex: 'a$ **b** $c' })
    expect(readNode(documentOf(markdown)).firstChild?.children.map(({ type }) => type.name)).toEqual([
      'text',
      'inlineMath',
    ])
  })

  test.each([
    ['no formula', { position: after('one'), latex: '$$' }, 'invalid_input'],
    ['a formula that is too long', { position: after('one'), latex: 'x'.repeat(20_001) }, 'too_large'],
    ['an anchor that is not there', { position: after('nothing'), latex: 'x' }, 'not_found'],
    ['a place within a link', { position: after('li'), latex: 'x' }, 'invalid_position'],
  ])('refuses %s', async (_title, input, code) => {
    const doc = documentOf('one [link](https://a.example)')
    expect((await fail(sessionOn(doc), 'insert_math', input)).code).toBe(code)
    expect(markdownOf(doc)).toBe('one [link](https://a.example)')
  })
})
