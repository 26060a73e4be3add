import { describe, expect, test } from 'vitest'
import { headlessOn } from '../testing/headless.ts'
import { documentOf, sessionOn, succeed } from '../testing/test-document.ts'

const limit = 8_000
/** The maximum length of the text around the limited part of a result: a title, a note on how to continue. */
const around = 1_000

const many = Array.from({ length: 3_000 }, () => 'x').join('\n\n')
const sections = Array.from({ length: 3_000 }, (_, index) => `## S${index}`).join('\n\n')
const frontmatter = `---\n${Array.from({ length: 2_000 }, (_, index) => `key${index}: a value`).join('\n')}\n---\n\n${many}`

describe('limits count what is printed', () => {
  test.each([
    ['read_document of 3,000 one-letter paragraphs', many, 'read_document', {}],
    ['read_document after long frontmatter', frontmatter, 'read_document', {}],
    ['read_document of a block of 100,000 characters', 'word '.repeat(20_000), 'read_document', {}],
    ['get_document of 3,000 empty sections', sections, 'get_document', {}],
    ['get_document going on', sections, 'get_document', { from: 100 }],
    ['get_document of one long section', many, 'get_document', { sectionIndex: 0 }],
    [
      'search_document with long context',
      `${'word '.repeat(2_000)}\n\n`.repeat(40),
      'search_document',
      { query: 'word' },
    ],
    ['search_document with counts', many, 'search_document', { query: 'x', countOnly: true }],
    ['get_document_info', frontmatter, 'get_document_info', {}],
    ['replace_text everywhere', many, 'replace_text', { searchText: 'x', newText: 'yy' }],
    [
      'edit_document of a very long block',
      'word '.repeat(20_000),
      'edit_document',
      { find: 'word', replace: 'x', occurrence: 1 },
    ],
    [
      'edit_document of long frontmatter',
      frontmatter,
      'edit_document',
      { block: 'frontmatter', find: 'key7:', replace: 'key8:' },
    ],
  ])('%s', async (_title, markdown, name, input) => {
    const { text } = await succeed(sessionOn(documentOf(markdown)), name, input)
    expect(text.length).toBeLessThan(limit + around)
  })

  test('read_comments of one thread with very many comments, which goes on', async () => {
    const { session } = headlessOn('a text')
    const made = await succeed(session, 'add_comment', { search: 'text', text: 'first' })
    const { threadId } = made.details as { threadId: string }
    for (let index = 0; index < 30; index++) {
      await succeed(session, 'reply_to_comment', { commentId: threadId, text: `${index} ${'word '.repeat(200)}` })
    }
    const seen = new Set<string>()
    let input: Record<string, unknown> = {}
    for (let round = 0; round < 30; round++) {
      const { text } = await succeed(session, 'read_comments', input)
      expect(text.length).toBeLessThan(limit + around)
      for (const [, comment = ''] of text.matchAll(/\(comment (\S+)\):/g)) seen.add(comment)
      const next = /read_comments (\{.*\})/.exec(text)?.[1]
      if (!next) break
      input = JSON.parse(next)
    }
    expect(seen.size).toBe(31)
  })

  test('a long list of sections goes on to its end', async () => {
    const session = sessionOn(documentOf(sections))
    const seen = new Set<string>()
    let input: Record<string, unknown> = {}
    for (let round = 0; round < 40; round++) {
      const { text } = await succeed(session, 'get_document', input)
      for (const [, index = ''] of text.matchAll(/^Section (\d+):/gm)) seen.add(index)
      const next = /get_document (\{"from.*\})/.exec(text)?.[1]
      if (!next) break
      input = JSON.parse(next)
    }
    expect(seen.size).toBe(3_001)
    expect(session.coordinates().entries.length).toBeLessThan(10)
  })

  test('a read that says more follows shows everything in the end', async () => {
    const session = sessionOn(documentOf(many))
    let blocks = 0
    let input: Record<string, unknown> = {}
    for (let round = 0; round < 20; round++) {
      const { text } = await succeed(session, 'read_document', input)
      blocks += [...text.matchAll(/^\[\d+\] x$/gm)].length
      const next = /read_document (\{.*\})/.exec(text)?.[1]
      if (!next) break
      input = JSON.parse(next)
    }
    expect(blocks).toBe(3_000)
  })
})
