import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { schema } from '../extensions.ts'
import { parseMarkdown, serializeMarkdown } from './index.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const runs = Number(process.env.FUZZ_RUNS ?? 150)

// Pieces with a meaning in markdown, separated by `§`, mixed with plain ones.
const pieces =
  'a§Zeile§1§1.§ §  §*§**§_§~§~~§`§``§[§]§(§)§[x]§[ ]§[^1]§:§!§#§##§>§-§+§=§|§$§$$§<§<u>§</u>§<br>§<!--§&§&amp;§\\§/§@§.§www.' +
  '§a@b.co§http://a.b§---§```§日本§。§“§é§\u00A0§\t§{§}§^'
const piece = fc.constantFrom(...pieces.split('§'))
const words = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(''))

const markNames = ['bold', 'italic', 'strike', 'underline', 'highlight', 'code', 'link'] as const
const run = fc.tuple(words, fc.subarray([...markNames], { maxLength: 2 })).map(([value, names]) =>
  schema.text(
    value,
    names.map((name) => schema.mark(name, name === 'link' ? { href: '/u?a=1&b=(2)', title: 'T "q"' } : null)),
  ),
)

function documentOf(blocks: Node[]): Node {
  return schema.node('doc', null, blocks)
}

function roundTrip(doc: Node): Node {
  return parseMarkdown(serializeMarkdown(doc)).doc
}

test('plain text that looks like markdown comes back as the same text', () => {
  const paragraph = words.map((value) => schema.node('paragraph', null, schema.text(value)))
  const heading = words.map((value) => schema.node('heading', { level: 2 }, schema.text(value)))
  const item = words.map((value) =>
    schema.node('bulletList', null, schema.node('listItem', null, schema.node('paragraph', null, schema.text(value)))),
  )
  const cell = words.map((value) => {
    const header = schema.node('tableHeader', null, schema.node('paragraph', null, schema.text(value)))
    return schema.node('table', null, schema.node('tableRow', null, header))
  })
  fc.assert(
    fc.property(fc.oneof(paragraph, heading, item, cell), (block) => {
      const doc = documentOf([block])
      expect(roundTrip(doc).textContent.trim()).toBe(doc.textContent.trim())
      expect(roundTrip(doc).firstChild?.type).toBe(block.type)
    }),
    { seed, numRuns: runs * 4 },
  )
})

test('formatted text keeps its text, and what was written once stays the same bytes', () => {
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 5 }), (line) => {
      const doc = documentOf([schema.node('paragraph', null, line)])
      const first = serializeMarkdown(doc)
      const read = parseMarkdown(first).doc
      expect(read.textContent).toBe(doc.textContent)
      const second = serializeMarkdown(read)
      expect(serializeMarkdown(parseMarkdown(second).doc)).toBe(second)
    }),
    { seed, numRuns: runs * 4 },
  )
})
