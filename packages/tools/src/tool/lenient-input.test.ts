import { expect, test } from 'vitest'
import { z } from 'zod'
import { readLeniently } from './lenient-input.ts'

const schema = z.object({
  block: z.union([z.number(), z.literal('frontmatter')]).optional(),
  all: z.boolean().optional(),
  find: z.string().optional(),
  pairs: z.array(z.object({ find: z.string(), occurrence: z.number().optional() })).optional(),
  position: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('block'), block: z.number() }),
      z.object({ type: z.literal('text'), value: z.string() }),
    ])
    .optional(),
})
const read = (input: unknown): unknown => readLeniently(input, schema)

test('numbers and booleans may come as strings, numbers in brackets', () => {
  expect(read({ block: '[12]', all: 'True' })).toEqual({ block: 12, all: true })
  expect(read({ block: 'frontmatter', all: 'maybe' })).toEqual({ block: 'frontmatter', all: 'maybe' })
})

test('text stays text, whatever it looks like', () => {
  expect(read({ find: '12' })).toEqual({ find: '12' })
  expect(read({ find: '{"a": 1}' })).toEqual({ find: '{"a": 1}' })
  expect(read({ position: { type: 'text', value: '7' } })).toEqual({ position: { type: 'text', value: '7' } })
})

test('objects and lists may come as JSON, with the same inside', () => {
  expect(read({ position: '{"type": "block", "block": "[3]"}' })).toEqual({ position: { type: 'block', block: 3 } })
  expect(read({ pairs: '[{"find": "1", "occurrence": "2"}]' })).toEqual({ pairs: [{ find: '1', occurrence: 2 }] })
  expect(read({ position: 'here' })).toEqual({ position: 'here' })
})

test('null counts as absent, and lone surrogates are replaced', () => {
  expect(read({ find: null, position: { type: 'text', value: 'a\ud800' } })).toEqual({
    position: { type: 'text', value: 'a\ufffd' },
  })
})

test('what is no object stays as it is', () => {
  for (const input of [undefined, null, 3, 'text', [1]]) expect(read(input)).toEqual(input)
})
