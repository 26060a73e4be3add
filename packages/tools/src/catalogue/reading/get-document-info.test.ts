import { contentTypes } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { summarizeOutline } from '../../context/document-info.ts'
import { documentOf, sessionOn, succeed, textHolding } from '../../testing/test-document.ts'

describe('get_document_info', () => {
  test('tells size, languages, people, mode and frontmatter keys', async () => {
    const doc = documentOf(
      '---\ntitle: x\n"odd key": 1\n  nested: 2\n---\n\n# Das Ziel\n\nDas ist ein Satz, der nicht auf Englisch ist und auch nicht kurz.\n\n## Teil\n\n```py\nx = 1\n```',
    )
    const result = await succeed(sessionOn(doc), 'get_document_info')
    expect(result.text.split('\n')).toEqual([
      'Title: Das Ziel',
      'Blocks: 4, sections: 2, words: 18, characters: 82',
      'Languages: German',
      'Code: py',
      'Selection: nothing is selected',
      'Here now: Ada (person)',
      'Agent mode: edit',
      'Frontmatter: title, odd key',
    ])
    doc.getMap(contentTypes.meta).set('title', 'Named')
    expect((await succeed(sessionOn(doc), 'get_document_info')).text).toContain('Title: Named')
  })

  test('shows the live selection', async () => {
    const doc = documentOf('one\n\ntwo three four')
    const text = textHolding(doc, 'two')
    const anchor = Y.createRelativePositionFromTypeIndex(text, 9)
    const head = Y.createRelativePositionFromTypeIndex(text, 4)
    const session = sessionOn(doc, { selection: () => ({ anchor, head }) })
    expect((await succeed(session, 'get_document_info')).text).toContain('Selection: "three" in block [1]')
    text.insert(0, 'XX ')
    expect((await succeed(session, 'get_document_info')).text).toContain('Selection: "three" in block [1]')
    const caret = sessionOn(doc, { selection: () => ({ anchor: head, head }) })
    expect((await succeed(caret, 'get_document_info')).text).toContain('the caret is in block [1]')
  })

  test('an empty document has no sections', async () => {
    const result = await succeed(sessionOn(new Y.Doc()), 'get_document_info')
    expect(result.text).toContain('Blocks: 1, sections: 0, words: 0, characters: 0')
  })
})

describe('summarizeOutline', () => {
  test('lists headings with their places, deeper levels leaving first', () => {
    const doc = documentOf('# T\n\na\n\n## S1\n\n### D\n\nb\n\n## S2')
    const all = summarizeOutline(sessionOn(doc))
    expect(all).toEqual({
      ok: true,
      omitted: 0,
      headings: [
        { level: 1, text: 'T', block: 0, words: 1 },
        { level: 2, text: 'S1', block: 2, words: 0 },
        { level: 3, text: 'D', block: 3, words: 1 },
        { level: 2, text: 'S2', block: 5, words: 0 },
      ],
    })
    const few = summarizeOutline(sessionOn(doc, { limits: { outlineHeadings: 3 } }))
    expect(few).toMatchObject({ omitted: 1, headings: [{ text: 'T' }, { text: 'S1', words: 2 }, { text: 'S2' }] })
  })
})
