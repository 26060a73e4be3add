import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { describe, expect, test } from 'vitest'
import { documentOf, fail, sessionOn, succeed, typeBeside } from '../../testing/test-document.ts'

const sample = `# Title

Intro *x*.

- item
  - nested
    more
- [ ] odd

  second

1. one
2. two

- [x] done

> quoted

| a | b |
| - | - |
| 1 | **2** |

\`\`\`js
let a
let b
\`\`\`

---

![alt](x.png)

$$
x^2
$$
`

describe('read_document', () => {
  test('shows every block with its number in markdown', async () => {
    const result = await succeed(sessionOn(documentOf(sample)), 'read_document')
    expect(result.text.split('\n').slice(0, 2)).toEqual(['Title: Title', '16 blocks, 20 words'])
    expect(result.text.split('\n').slice(3)).toEqual([
      '[0] # Title',
      '[1] Intro *x*.',
      '[2] - item',
      '[3]   - nested more',
      '[4] - [ ] odd',
      '[5]   second',
      '[6] 1. one',
      '[7] 2. two',
      '[8] - [x] done',
      '[9] > quoted',
      '[10] | a | b |',
      '[11] | 1 | **2** |',
      '[12] ```js',
      'let a',
      'let b',
      '```',
      '[13] ***',
      '[14] ![alt](x.png)',
      '[15] $$',
      'x^2',
      '$$',
    ])
    expect(result.summary).toBe('Read the document')
    expect(result.details).toEqual({ from: 0, to: 15, blocks: 16 })
  })

  test('from and to choose; to is clamped, from beyond the end is out_of_range', async () => {
    const session = sessionOn(documentOf('a\n\nb\n\nc'))
    expect((await succeed(session, 'read_document', { from: 1, to: 1 })).text).toBe('[1] b')
    expect((await succeed(session, 'read_document', { from: 1, to: 99 })).text).toBe(
      '[1] b\n\n[2] c'.replace('\n\n', '\n'),
    )
    const beyond = await fail(session, 'read_document', { from: 3 })
    expect(beyond).toMatchObject({ code: 'out_of_range', hint: 'The document has 3 blocks, the last is [2].' })
    expect((await fail(session, 'read_document', { from: 2, to: 1 })).code).toBe('invalid_input')
    expect((await fail(session, 'read_document', { from: -1 })).code).toBe('invalid_input')
  })

  test('stops at the limit and says where to continue', async () => {
    const doc = documentOf(Array.from({ length: 40 }, (_, i) => `paragraph ${i}`).join('\n\n'))
    const session = sessionOn(doc, { limits: { readCharacters: 100 } })
    const seen: number[] = []
    let input: Record<string, unknown> = {}
    for (let round = 0; round < 20; round++) {
      const { text } = await succeed(session, 'read_document', input)
      for (const match of text.matchAll(/^\[(\d+)\]/gm)) seen.push(Number(match[1]))
      const next = /read_document (\{.*\})/.exec(text)?.[1]
      if (!next) break
      input = JSON.parse(next)
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => i))
  })

  test('a single longer block continues by offset, never within a surrogate pair', async () => {
    const words = Array.from({ length: 60 }, (_, i) => `😀${i}`).join(' ')
    const session = sessionOn(documentOf(`${words}\n\nend`), { limits: { readCharacters: 101 } })
    let read = ''
    let input: Record<string, unknown> = {}
    for (let round = 0; round < 20; round++) {
      const { text } = await succeed(session, 'read_document', input)
      read += /^\[0\] …?(.*)$/m.exec(text)?.[1] ?? ''
      const next = /read_document (\{.*\})/.exec(text)?.[1]
      if (!next) break
      input = JSON.parse(next)
    }
    expect(read).toBe(words)
    expect((await fail(session, 'read_document', { from: 1, offset: 50 })).code).toBe('out_of_range')
  })

  test('frontmatter comes first', async () => {
    const result = await succeed(sessionOn(documentOf('---\ntags: [a]\n---\n\nText')), 'read_document')
    expect(result.text).toBe('Title: (none)\n1 block, 1 word\n\n[frontmatter]\n---\ntags: [a]\n---\n\n[0] Text')
  })

  test('the next read shows a new block under its own number and says that numbers are names', async () => {
    const doc = documentOf('a\n\nb')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'insert_text', {
      position: { type: 'block', block: 0, placement: 'before' },
      content: 'new',
    })
    const again = await succeed(session, 'read_document')
    expect(again.text).toContain('[2] new\n[0] a\n[1] b')
    expect(again.text).toContain('not positions')
    expect((await succeed(session, 'read_document', { from: 1, to: 1 })).text).not.toContain('not positions')
  })

  test('continuing skips and repeats nothing when blocks were added or removed before', async () => {
    const doc = documentOf('a1\n\na2\n\na3\n\na4')
    const session = sessionOn(doc, { limits: { readCharacters: 14 } })
    await succeed(session, 'read_document')
    doc.getXmlFragment(contentTypes.fragment).delete(0, 1)
    expect((await succeed(session, 'read_document', { from: 2 })).text).toContain('[2] a3\n[3] a4')
  })

  test('reading never writes', async () => {
    const doc = documentOf(sample)
    const before = Y.encodeStateAsUpdate(doc)
    let updates = 0
    doc.on('update', () => updates++)
    const session = sessionOn(doc)
    for (const [name, input] of [
      ['read_document', {}],
      ['search_document', { query: 'a' }],
      ['get_document_info', {}],
    ] as const) {
      await succeed(session, name, input)
    }
    session.close()
    session.close()
    expect(updates).toBe(0)
    expect(Y.encodeStateAsUpdate(doc)).toEqual(before)
  })

  test('a document that the schema refuses is unavailable, and stays as it is', async () => {
    const doc = documentOf('a')
    doc.getXmlFragment(contentTypes.fragment).insert(0, [new Y.XmlElement('unheardOf')])
    const session = sessionOn(doc)
    let updates = 0
    doc.on('update', () => updates++)
    expect((await fail(session, 'read_document')).code).toBe('unavailable')
    expect((await fail(session, 'edit_document', { find: 'a', replace: 'b' })).code).toBe('unavailable')
    expect(updates).toBe(0)
    doc.getXmlFragment(contentTypes.fragment).delete(0, 1)
    typeBeside(doc, 'a', 'b')
    expect((await succeed(session, 'read_document')).text).toContain('[0] ab')
  })
})
