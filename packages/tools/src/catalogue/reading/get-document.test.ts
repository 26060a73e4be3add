import { describe, expect, test } from 'vitest'
import { documentNode, suggested, suggestion } from '../../testing/suggested.ts'
import { documentOf, documentOfNode, fail, sessionOn, succeed } from '../../testing/test-document.ts'

const sample = '# Title\n\nIntro *x*.\n\n## One\n\n- a\n- b\n\n## Two\n\n| a |\n| - |\n| 1 |'

describe('get_document', () => {
  test('shows all sections without their headings', async () => {
    const result = await succeed(sessionOn(documentOf(sample)), 'get_document')
    expect(result.details).toEqual({
      sections: [
        { index: 0, title: 'Title', content: 'Intro *x*.' },
        { index: 1, title: 'One', content: '- a\n- b' },
        { index: 2, title: 'Two', content: '| a |\n| - |\n| 1 |' },
      ],
      totalSections: 3,
    })
    expect(result.text).toContain('=== Section 1: One ===\n- a\n- b\n\n=== Section 2: Two ===')
    expect(result.summary).toBe('Read 3 sections')
  })

  test('in HTML too', async () => {
    const result = await succeed(sessionOn(documentOf(sample)), 'get_document', { format: 'html', sectionIndex: '1' })
    expect(result.details).toEqual({
      sections: [{ index: 1, title: 'One', content: '<ul><li><p>a</p></li><li><p>b</p></li></ul>' }],
      totalSections: 3,
    })
  })

  test('an empty document has no sections; an index beyond the end is out_of_range', async () => {
    const empty = sessionOn(documentOf(''))
    expect((await succeed(empty, 'get_document')).details).toEqual({ sections: [], totalSections: 0 })
    expect((await fail(empty, 'get_document', { sectionIndex: 0 })).hint).toContain('no sections')
    const beyond = await fail(sessionOn(documentOf(sample)), 'get_document', { sectionIndex: 3 })
    expect(beyond).toMatchObject({ code: 'out_of_range', hint: 'sectionIndex can be 0 to 2.' })
  })

  test('over the limit: titles and sizes, then one section at a time, then where to continue', async () => {
    const long = Array.from({ length: 5 }, (_, i) => `${i}`.repeat(40)).join('\n\n')
    const doc = documentOf(`# T\n\nshort\n\n## Long\n\n${long}\n\n## End`)
    const session = sessionOn(doc, { limits: { readCharacters: 100 } })
    const all = await succeed(sessionOn(doc, { limits: { readCharacters: 150 } }), 'get_document')
    expect(all.details).toEqual({
      sections: [
        { index: 0, title: 'T', characters: 5 },
        { index: 1, title: 'Long', characters: 200 },
        { index: 2, title: 'End', characters: 0 },
      ],
      totalSections: 3,
    })
    expect(all.text).toContain('Section 1: Long: 200 characters, from block [3] on')
    expect((await succeed(session, 'get_document', { sectionIndex: 0 })).text).toContain('short')
    const one = await succeed(session, 'get_document', { sectionIndex: 1 })
    expect(one.details).toMatchObject({
      sections: [{ content: `${'0'.repeat(40)}\n\n${'1'.repeat(40)}`, truncated: true }],
    })
    expect(one.text).toContain('read_document {"from": 5}')
    expect((await succeed(session, 'read_document', { from: 5 })).text).toContain(`[5] ${'2'.repeat(40)}`)
  })

  test('a single block over the limit is cut in markdown, and left out in HTML rather than broken', async () => {
    const session = sessionOn(documentOf(`## S\n\n${'😀'.repeat(80)}`), { limits: { readCharacters: 101 } })
    const markdown = await succeed(session, 'get_document', { sectionIndex: 1 })
    expect(markdown.details).toMatchObject({ sections: [{ content: '😀'.repeat(50), truncated: true }] })
    expect(markdown.text).toContain('read_document {"from": 1}')
    const html = await succeed(session, 'get_document', { sectionIndex: 1, format: 'html' })
    expect(html.details).toMatchObject({ sections: [{ content: '', truncated: true }] })
  })

  test('suggested changes count as accepted', async () => {
    const doc = documentNode(suggested('a -old- +new+'), suggested('-gone-', suggestion('delete')))
    const { details } = await succeed(sessionOn(documentOfNode(doc)), 'get_document')
    expect(details).toMatchObject({ sections: [{ content: 'a  new' }] })
  })
})
