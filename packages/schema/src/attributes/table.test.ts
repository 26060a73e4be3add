import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { schema } from '../extensions.ts'
import { checkAttributes } from '../yjs/check-added.ts'
import { fitAttributes } from './fit.ts'
import { attributeTable, blockLimits } from './table.ts'

const types = [...Object.values(schema.nodes), ...Object.values(schema.marks)]

test('[CONTENT-4] the table names every attribute of every node and mark, and no other', () => {
  const named = Object.entries(attributeTable).map(([name, rules]) => [name, Object.keys(rules).toSorted()])
  const inSchema = types.map(({ name, spec }) => [name, Object.keys(spec.attrs ?? {}).toSorted()])
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(inSchema))
})

test('[CONTENT-4] the schema’s defaults are allowed, and what isn’t there is no fault', () => {
  for (const { name, spec } of types) {
    const defaults = Object.entries(spec.attrs ?? {}).map(([key, each]): [string, unknown] => [key, each.default])
    expect(() => checkAttributes(name, Object.fromEntries(defaults)), name).not.toThrow()
    const absent = Object.fromEntries(defaults.map(([key]) => [key, undefined]))
    expect(() => checkAttributes(name, absent), name).not.toThrow()
  }
})

const titled = ([name, attributes]: [string, Record<string, unknown>]) =>
  [`${name} ${JSON.stringify(attributes).slice(0, 60)}`, name, attributes] as const

const refused: [string, Record<string, unknown>][] = [
  ['tableCell', { colspan: 1e9 }],
  ['tableCell', { colspan: blockLimits.columns + 1 }],
  ['tableCell', { colspan: 0 }],
  ['tableCell', { colspan: 1.5 }],
  ['tableCell', { colspan: '2' }],
  ['tableCell', { colspan: null }],
  ['tableHeader', { rowspan: blockLimits.rowspan + 1 }],
  ['tableCell', { colwidth: [1, 'x'] }],
  ['tableCell', { colwidth: Array.from({ length: 300 }, () => 10) }],
  ['tableCell', { colwidth: [1e9] }],
  ['tableCell', { align: 'left; position: fixed' }],
  ['heading', { level: 7 }],
  ['orderedList', { start: -1 }],
  ['orderedList', { start: 1e9 }],
  ['orderedList', { type: 'x'.repeat(10) }],
  ['codeBlock', { language: 'x'.repeat(501) }],
  ['codeBlock', { language: 7 }],
  ['taskItem', { checked: 'true' }],
  ['image', { src: `/${'x'.repeat(blockLimits.address)}` }],
  ['image', { alt: 'x'.repeat(4001) }],
  ['image', { width: 1e9 }],
  ['image', { width: '100vw' }],
  ['image', { height: 0 }],
  ['image', { align: 'justify' }],
  ['blockMath', { latex: 'x'.repeat(blockLimits.latex + 1) }],
  ['inlineMath', { latex: null }],
  ['mention', { id: 'x'.repeat(101) }],
  ['mention', { kind: 'robot' }],
  ['mention', { state: 'gone' }],
  ['mention', { requestId: 'x'.repeat(101) }],
  ['paragraph', { threads: 'x'.repeat(65_537) }],
  ['paragraph', { suggestion: 'x'.repeat(65_537) }],
  ['paragraph', { style: 'position: fixed' }],
  ['paragraph', { ['constructor']: 1 }],
  ['link', { href: `https://${'x'.repeat(blockLimits.address)}` }],
  ['link', { target: '_blank' }],
  ['highlight', { color: 'x'.repeat(101) }],
  ['comment', { threadId: 'x'.repeat(101) }],
  ['comment', { author: 'Ana' }],
  ['insertion', { id: 7 }],
  ['formattingChange', { previous: {} }],
  ['bold', { size: 3 }],
]

test.each(refused.map(titled))('[CONTENT-4] %s is refused', (_title, name, attributes) => {
  expect(() => checkAttributes(name, attributes)).toThrow(RangeError)
})

const allowed: [string, Record<string, unknown>][] = [
  ['tableCell', { colspan: blockLimits.columns, rowspan: blockLimits.rowspan, colwidth: [0, 120.5], align: 'right' }],
  ['image', { src: '/a.png', alt: null, width: 640, height: '50%', align: 'center' }],
  ['blockMath', { latex: 'x'.repeat(blockLimits.latex) }],
  ['orderedList', { start: 0, type: 'i' }],
  ['mention', { id: 'a', label: 'Ana', kind: 'person', requestId: null, state: 'sent' }],
  ['link', { href: `https://${'x'.repeat(2000)}`, title: null }],
]

test.each(allowed.map(titled))('%s passes', (_title, name, attributes) => {
  expect(() => checkAttributes(name, attributes)).not.toThrow()
})

test('[CONTENT-5] what a document holds from before fits as the nearest value, and text is kept whole', () => {
  expect(fitAttributes('tableCell', { colspan: 1e9, align: 'x; y' })).toEqual({ colspan: 200, align: null })
  expect(fitAttributes('image', { width: 1e9, alt: 7 })).toEqual({ width: null, alt: '7' })
  expect(fitAttributes('mention', { kind: 'robot' })).toEqual({ kind: 'person' })
  const long = { latex: 'x'.repeat(440_000) }
  expect(fitAttributes('blockMath', long)).toEqual(long)
  expect(() => fitAttributes('heading', { level: 'x' })).toThrow(/level of heading: a whole number/)
  const sound = { level: 2, threads: null }
  expect(fitAttributes('heading', sound)).toBe(sound)
})

test('docs/protocol.md tells the values of every attribute', () => {
  const protocol = readFileSync(new URL('../../../../docs/protocol.md', import.meta.url), 'utf8')
  const rows = new Map<string, string>()
  for (const rules of Object.values(attributeTable)) {
    for (const [name, rule] of Object.entries(rules)) rows.set(`\`${name}\``, rule.range)
  }
  for (const [name, range] of rows) {
    const lines = protocol.split('\n').filter((line) => line.startsWith('|') && line.split('|')[1]?.includes(name))
    expect(
      lines.some((line) => line.includes(range)),
      `${name}: ${range}`,
    ).toBe(true)
  }
})
