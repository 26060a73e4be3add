import { describe, expect, test } from 'vitest'
import { documentOf, fail, sessionOn, succeed } from '../../testing/test-document.ts'

describe('search_document', () => {
  test('shows matches with block and one block of context', async () => {
    const session = sessionOn(documentOf('# T\n\nbefore\n\nThe **big** Cat\n\nafter\n\nfar'))
    const result = await succeed(session, 'search_document', { query: 'big cat' })
    expect(result.text).toBe(
      '1 match for "big cat":\n\n"big Cat" in block [2]:\n  [1] before\n> [2] The **big** Cat\n  [3] after',
    )
    expect(result.details).toEqual({ total: 1, matches: [{ block: 2, text: 'big Cat' }] })
    await succeed(session, 'edit_document', { block: 2, find: 'Cat', replace: 'Dog' })
  })

  test('matchCase and typography', async () => {
    const session = sessionOn(documentOf('A “cat” and a Cat – yes'))
    const total = async (input: unknown): Promise<unknown> => (await succeed(session, 'search_document', input)).details
    expect(await total({ query: 'CAT' })).toMatchObject({ total: 2 })
    expect(await total({ query: 'Cat', matchCase: true })).toMatchObject({ total: 1 })
    expect(await total({ query: '"cat"' })).toMatchObject({ total: 1, matches: [{ text: '“cat”' }] })
    expect(await total({ query: 'cat - yes' })).toMatchObject({ total: 1 })
  })

  test('none is a success with an empty list', async () => {
    const result = await succeed(sessionOn(documentOf('a')), 'search_document', { query: 'zzz' })
    expect(result.details).toEqual({ total: 0, matches: [] })
    expect(result.text).toBe('No matches for "zzz".')
  })

  test('regular expressions are RE2; what it refuses is invalid_input', async () => {
    const session = sessionOn(documentOf('v1.2 and V1.30'))
    const result = await succeed(session, 'search_document', { query: 'v\\d+\\.\\d+', isRegex: true })
    expect(result.details).toMatchObject({ total: 2, matches: [{ text: 'v1.2' }, { text: 'V1.30' }] })
    for (const query of ['(a', 'a(?=b)', '(a)\\1']) {
      const refused = await fail(session, 'search_document', { query, isRegex: true })
      expect(refused.code).toBe('invalid_input')
      expect(refused.hint).toContain('query')
    }
    await succeed(session, 'search_document', { query: '(a+)+$', isRegex: true })
  })

  test('stops at the limit with how many more', async () => {
    const session = sessionOn(documentOf(Array.from({ length: 30 }, () => 'cat').join('\n\n')))
    const result = await succeed(session, 'search_document', { query: 'cat' })
    expect(result.text).toContain('30 matches')
    expect(result.text).toMatch(/…and 10 more: search again with "from": 21$/)
    expect(result.details).toMatchObject({ total: 30, matches: { length: 20 } })
  })

  test('goes on from a match, and stays within what one call may print', async () => {
    const words = Array.from({ length: 60 }, (_, i) => `before${i} cat after${i}`)
    const session = sessionOn(documentOf(words.join('\n\n')), { limits: { readCharacters: 800 } })
    const seen: number[] = []
    let from = 1
    for (let round = 0; round < 60 && from > 0; round++) {
      const { text } = await succeed(session, 'search_document', { query: 'cat', from })
      expect(text.length).toBeLessThan(900)
      for (const match of text.matchAll(/^> \[(\d+)\]/gm)) seen.push(Number(match[1]))
      from = Number(/"from": (\d+)/.exec(text)?.[1] ?? 0)
    }
    expect(seen).toEqual(words.map((_, index) => index))
    expect((await fail(session, 'search_document', { query: 'cat', from: 61 })).code).toBe('out_of_range')
  })

  test('shows a long block around its matches, as text that find takes', async () => {
    const long = `${'word '.repeat(200)}the needle in it ${'more '.repeat(200)}`
    const session = sessionOn(documentOf(long))
    const { text } = await succeed(session, 'search_document', { query: 'needle' })
    expect(text).toContain('word the needle in it more')
    expect(text.length).toBeLessThan(500)
    const shown = /> \[0\] …(.*)…/.exec(text)?.[1] ?? ''
    await succeed(session, 'edit_document', { find: shown, replace: 'short' })
  })

  test('keeps line breaks of what it shows', async () => {
    const session = sessionOn(documentOf('```js\nlet a\nlet b\n```\n\nthe cat'))
    expect((await succeed(session, 'search_document', { query: 'cat' })).text).toContain('let a\nlet b')
  })

  test('searches one section, and gives counts and blocks only', async () => {
    const session = sessionOn(documentOf('# T\n\ncat\n\n## A\n\ncat cat\n\nx\n\n## B\n\ncat'))
    const one = await succeed(session, 'search_document', { query: 'cat', section: 1 })
    expect(one.text).toContain('2 matches for "cat" in section 1')
    expect(one.details).toMatchObject({ total: 2 })
    const counts = await succeed(session, 'search_document', { query: 'cat', countOnly: true })
    expect(counts.text).toBe('4 matches for "cat", in blocks [1], [3] (2), [6].')
    expect((await fail(session, 'search_document', { query: 'cat', section: 9 })).code).toBe('out_of_range')
  })

  test('counts matches of a pattern only so far, those of a text all', async () => {
    const session = sessionOn(documentOf(Array.from({ length: 1_200 }, (_, i) => `n${i}`).join('\n\n')))
    const pattern = await succeed(session, 'search_document', { query: 'n\\d+', isRegex: true })
    expect(pattern.summary).toBe('at least 1000 matches for "n\\d+"')
    expect((await succeed(session, 'search_document', { query: 'n' })).summary).toBe('1200 matches for "n"')
  })

  test('never crosses a cell or a block', async () => {
    const session = sessionOn(documentOf('| ab | cd |\n| - | - |\n| x | y |\n\nend\n\nstart'))
    for (const query of ['b c', 'bc', 'b\\s*c', 'end\\s*start', 'endstart']) {
      const result = await succeed(session, 'search_document', { query, isRegex: true })
      expect(result.details).toMatchObject({ total: 0 })
    }
  })

  test('an empty query is invalid_input, a huge one too_large', async () => {
    const session = sessionOn(documentOf('a'))
    expect((await fail(session, 'search_document', { query: '' })).code).toBe('invalid_input')
    expect((await fail(session, 'search_document', { query: 'x'.repeat(30_000) })).code).toBe('too_large')
  })
})
