import { schema } from '@copydesk/schema'
import { parseMarkdown, serializeBlock } from '@copydesk/schema/markdown'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { suggested } from '../testing/suggested.ts'
import { plainLine } from './render-block.ts'

const folder = join(import.meta.dirname, '../../../../../shared/data/markdown')
const files = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.md') && statSync(join(folder, name)).size < 60_000)
  : []
if (files.length === 0) console.warn(`SKIPPED: lines of real documents in plainLine, since ${folder} isn't there`)

// The number of paragraphs and headings that took the fast path; each must equal the output of the full writer.
function compare(doc: Node): number {
  let quick = 0
  doc.descendants((node) => {
    const line = plainLine(node)
    if (line === undefined) return true
    quick++
    expect(line).toBe(serializeBlock(node, { changes: 'accepted' }))
    return false
  })
  return quick
}

describe('plainLine', () => {
  test('writes plain text with bold and italic words, without what suggestions delete', () => {
    const first = (markdown: string) => plainLine(parseMarkdown(markdown).doc.child(0))
    expect(first('Some **bold** and *italic words*, yes.')).toBe('Some **bold** and *italic words*, yes.')
    expect(first('## A heading')).toBe('## A heading')
    expect(plainLine(suggested('Keep -drop-+take+'))).toBe('Keep take')
  })

  test('leaves everything that may need escaping to the writer', () => {
    const lines = [
      '1. x',
      'a_b',
      'www.example.org',
      'see http://x',
      'a*b',
      'a <b',
      'AT&T',
      ' x',
      'x ',
      '# x',
      'x!',
      'a\nb',
    ]
    for (const line of lines) expect(plainLine(schema.node('paragraph', null, schema.text(line)))).toBeUndefined()
    expect(plainLine(schema.node('paragraph'))).toBeUndefined()
  })

  test('is what the writer gives for any text', () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from('aAéwp1 .,;:-()"\'?/@#*_>+=&!字😀\u0301')),
      minLength: 1,
      maxLength: 12,
    })
    const part = fc.tuple(
      text,
      fc.constantFrom(undefined, undefined, 'bold', 'italic', 'insertion', 'deletion', 'code'),
    )
    const paragraph = fc.array(part, { maxLength: 5 }).map((parts) => {
      const nodes = parts.map(([words, mark]) => schema.text(words, mark ? [schema.mark(mark, { id: '1' })] : []))
      return schema.node('paragraph', null, nodes)
    })
    fc.assert(
      fc.property(paragraph, (node) => {
        expect(compare(schema.node('doc', null, [node]))).toBeLessThan(2)
      }),
      { numRuns: 2_000 },
    )
  })

  test.skipIf(files.length === 0)('is what the writer gives for real documents, and takes many of their lines', () => {
    let quick = 0
    for (const file of files.slice(0, 4)) quick += compare(parseMarkdown(readFileSync(join(folder, file), 'utf8')).doc)
    expect(quick).toBeGreaterThan(20)
  })
})
