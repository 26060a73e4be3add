import { schema } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import { diffDocument } from './diff-document.ts'

const parse = (markdown: string) => parseMarkdown(markdown).doc

const markdowns = [
  '# Plan\n\nWe meet in *Paris* on Monday.\n\nBring the papers.',
  '# Plan\n\nWe meet in **Paris** on Tuesday.\n\nBring the papers.',
  '## The plan\n\nBring the papers.\n\nWe meet in Paris.\n\nNew.',
  '- one\n- two\n  - three\n\n> quoted\n\n```ts\nlet x\n```',
  '- one\n- [ ] two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |',
  '$x^2$ is a [formula](https://example.org) ![image](https://example.org/a.png)\n\n---',
  'aaaa aaaa\n\naaaa\n\naaaa aaaa aaaa',
  'aaaa\n\naaaa aaaa\n\naaaa aaaa',
  '',
]

describe('diffDocument', () => {
  test('leads from any document to any other', () => {
    for (const before of markdowns) {
      for (const after of markdowns) {
        const transform = diffDocument(parse(before), parse(after))
        expect(transform.doc.eq(parse(after)), `${before} → ${after}`).toBe(true)
        transform.doc.check()
      }
    }
  })

  test('touches only what differs', () => {
    const before = parse('# Plan\n\nWe meet in Pari.\n\nStay.\n\nBring the paper.')
    const after = parse('# Plan\n\nWe meet in Paris.\n\nStay.\n\nBring the papers.')
    const { steps, mapping } = diffDocument(before, after)
    expect(steps).toHaveLength(2)
    expect(mapping.map(26, 1)).toBe(27)
    expect(diffDocument(before, before).steps).toEqual([])
    const marks = diffDocument(parse('We meet.'), parse('We **meet**.'))
    expect(marks.steps.map((step) => step.toJSON() as unknown)).toMatchObject([{ stepType: 'addMark', from: 4, to: 8 }])
    expect(schema.nodes['paragraph']).toBeDefined()
  })
})
