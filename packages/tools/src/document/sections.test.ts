import { schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import { listSections, type Section } from './sections.ts'
import { suggestedText, suggestion } from '../testing/suggested.ts'
import { documentOf, documentOfNode, sessionOn } from '../testing/test-document.ts'

function sectionsOf(doc: ReturnType<typeof documentOf>): Section[] {
  const read = sessionOn(doc).view()
  if (!read.ok) throw new Error(read.text)
  return listSections(read.view)
}

const brief = ({ index, title, nodes, blocks }: Section) => [
  index,
  title,
  nodes.length,
  blocks.map((each) => each.index),
]

describe('listSections', () => {
  test('each h2 at the top starts one; section 0 is the title and what precedes the first', () => {
    const doc = documentOf('# T\n\na\n\n- b\n- c\n\n## S1\n\n> ## no section\n\n### D\n\n## S2')
    expect(sectionsOf(doc).map(brief)).toEqual([
      [0, 'T', 2, [1, 2, 3]],
      [1, 'S1', 2, [5, 6]],
      [2, 'S2', 0, []],
    ])
  })

  test('positions span the whole document without gaps, headings included', () => {
    const doc = documentOf('![logo](a.png)\n\n# T\n\na\n\n## S1\n\nb\n\n## S2\n\nc')
    const read = sessionOn(doc).view()
    const sections = sectionsOf(doc)
    expect(sections[0]).toMatchObject({ title: 'T', headingPos: 1, from: 0 })
    expect(sections.slice(1).map(({ from, headingPos }) => from === headingPos)).toEqual([true, true])
    expect(sections.map(({ to }) => to)).toEqual([
      sections[1]?.from,
      sections[2]?.from,
      read.ok && read.view.doc.content.size,
    ])
    expect(sections[0]?.nodes.map(({ node }) => node.type.name)).toEqual(['image', 'paragraph'])
  })

  test('without text there is none; without headings one', () => {
    expect(sectionsOf(documentOf(''))).toEqual([])
    expect(sectionsOf(documentOf('text')).map(brief)).toEqual([[0, '', 1, [0]]])
    expect(sectionsOf(documentOf('## only')).map(brief)).toEqual([
      [0, '', 0, []],
      [1, 'only', 0, []],
    ])
  })

  test('a heading that a suggestion deletes starts none', () => {
    const heading = (line: string, attributes = {}) =>
      schema.node('heading', { level: 2, ...attributes }, suggestedText(line))
    const doc = documentOfNode(
      schema.node('doc', null, [
        heading('-Old- New'),
        heading('-Gone-', suggestion('delete')),
        heading('+Added+', suggestion('insert')),
      ]),
    )
    expect(sectionsOf(doc).map(({ title }) => title)).toEqual(['', ' New', 'Added'])
  })
})
