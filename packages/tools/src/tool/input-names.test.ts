import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { catalogue } from '../catalogue/index.ts'
import { streamToolCall } from '../calls/stream-tool-call.ts'
import { headlessOn } from '../testing/headless.ts'
import { documentOf, fail, markdownOf, readNode, sessionOn, succeed } from '../testing/test-document.ts'

const text = 'one and two\n\n## A\n\nthree'

describe('arguments under earlier names', () => {
  test.each<[name: string, input: Record<string, unknown>, expected: string]>([
    ['replace_text', { searchText: 'one', newText: '1' }, '1 and two'],
    ['replaceText', { searchText: 'one', replace: '1' }, '1 and two'],
    ['insertText', { position: { type: 'relative', anchor: 'one', placement: 'after' }, content: 's' }, 'ones and two'],
    ['applyFormatting', { target: { type: 'text', value: 'one' }, format: { type: 'bold' } }, '**one** and two'],
    [
      'insert_text',
      { position: '{"type":"relative","anchor":"one","placement":"after"}', content: 's' },
      'ones and two',
    ],
    ['edit_document', { search: 'one', replaceWith: '1' }, '1 and two'],
    ['update_section', { operation: 'replace', sectionIndex: '0', content: 'new' }, 'new'],
  ])('%s %j', async (name, input, expected) => {
    const doc = documentOf(text)
    await succeed(sessionOn(doc), name, input)
    expect(markdownOf(doc)).toBe(`${expected}\n\n## A\n\nthree`)
  })

  test('review tools', async () => {
    const { session } = headlessOn(text)
    await succeed(session, 'read_document')
    await succeed(session, 'add_comment', { search: 'one', text: 'Why?' })
    await succeed(session, 'highlight_text', { search: 'two' })
    await succeed(session, 'suggest_replacement', { search: 'one', replaceWith: '1' })
    await succeed(session, 'suggest_insertion', { block: 2, text: 'new' })
    await succeed(session, 'suggest_deletion', { search: 'two' })
    expect((await succeed(session, 'get_document', { sectionIndex: 1 })).text).toContain('three')
  })

  test('are streamed too', async () => {
    const doc = documentOf('one two three')
    const { session } = headlessOn(doc)
    const live = streamToolCall('suggest_replacement', session, { callId: 'c' })
    live?.show('{"search": "one two", "replaceWith": "new words of ')
    expect(readNode(doc).textContent).toContain('new words')
    live?.revert()
  })

  test('an earlier name never overrides the present one', async () => {
    const result = await fail(sessionOn(documentOf(text)), 'replace_text', {
      find: 'one',
      searchText: 'two',
      replace: 'x',
    })
    expect(result).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('searchText') })
  })
})

describe('arguments that a tool does not know', () => {
  test.each<[name: string, input: Record<string, unknown>, hint: RegExp]>([
    [
      'edit_document',
      { find: 'one', replace: 'x', blok: 1 },
      /^blok: did you mean block\? It takes find, replace, block/,
    ],
    ['edit_document', { old_string: 'one', replace: 'x' }, /^old_string: did you mean find\?/],
    ['edit_document', { find: 'one', new_string: 'x' }, /^new_string: did you mean replace\?/],
    ['highlight_text', { target: 'one' }, /^target: did you mean find\?/],
    ['edit_document', { find: 'one', replace: 'x', match_case: true }, /^match_case: no such argument\. It takes/],
    ['replace_text', { find: 'one', replace: 'x', case_sensitive: true }, /^case_sensitive: /],
    ['replace_text', { find: 'one', replace: 'x', regex: true }, /^regex: did you mean isRegex\?/],
    [
      'apply_formatting',
      { target: { type: 'block', block: 0, occurrence: 2 }, format: { type: 'bold' } },
      /^target\.occurrence: /,
    ],
    ['insert_text', { position: { type: 'selection', where: 'after' }, content: 'x' }, /^position\.where: /],
    ['get_document_info', { verbose: true }, /^verbose: no such argument\. It takes no arguments/],
    ['read_document', JSON.parse('{"__proto__": 1}') as Record<string, unknown>, /^__proto__: /],
  ])('%s %j', async (name, input, hint) => {
    const doc = documentOf(text)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const result = await fail(session, name, input)
    expect(result.code).toBe('invalid_input')
    expect(result.hint).toMatch(hint)
    expect(markdownOf(doc)).toBe(text)
  })
})

test('the same thing has the same name in every tool', () => {
  const names = new Set(catalogue.flatMap((tool) => Object.keys(z.toJSONSchema(tool.input).properties ?? {})))
  for (const earlier of ['search', 'searchText', 'newText', 'replaceWith', 'sectionIndex', 'anchor']) {
    expect(names).not.toContain(earlier)
  }
})
