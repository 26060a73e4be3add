import { expect, test } from 'vitest'
import { convertSchema, readArguments, toOpenApi } from './tool-schema.ts'

const object = (properties: unknown, more: object = {}) => ({ type: 'object', properties, ...more })

test.each([
  ['no fields', { type: 'object' }, object({})],
  [
    'what only some providers know',
    object({ a: { type: 'string', format: 'uri', pattern: '(a+)+$', title: 'A', default: 'x', minLength: 1 } }),
    object({ a: { type: 'string', minLength: 1 } }),
  ],
  [
    'an optional value as Python writes it',
    object({ a: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null } }, { required: ['a', 'other'] }),
    object({ a: { type: 'integer' } }, { required: ['a'] }),
  ],
  [
    'several types',
    object({ a: { type: ['string', 'number', 'null'] } }),
    object({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }),
  ],
  ['a constant', object({ a: { const: 'x' } }), object({ a: { type: 'string', enum: ['x'] } })],
  ['anything at all', object({ a: {}, b: true }), object({ a: { type: 'string' }, b: { type: 'string' } })],
  ['a list of anything', object({ a: { type: 'array' } }), object({ a: { type: 'array', items: { type: 'string' } } })],
  [
    'references',
    {
      ...object({ a: { $ref: '#/$defs/City', description: 'Where.' } }),
      $defs: { City: object({ name: { type: 'string' } }) },
    },
    object({ a: { ...object({ name: { type: 'string' } }), description: 'Where.' } }),
  ],
])('[MCPC-3] a schema with %s is expressed for all models', (_title, given, schema) => {
  expect(convertSchema(given)).toEqual({ ok: true, schema })
})

const wide = object(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`a_long_name_of_a_field_${at}`, {}])))
/** Each level refers twice to the next: a million nodes. */
const bomb = {
  ...object({ a: { $ref: '#/$defs/0' } }),
  $defs: Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      at,
      object({ a: { $ref: `#/$defs/${at + 1}` }, b: { $ref: `#/$defs/${at + 1}` } }),
    ]),
  ),
}

test.each([
  ['no object', { type: 'string' }, 'schema'],
  ['nothing', null, 'schema'],
  ['a list', [], 'schema'],
  ['a union at the top', { anyOf: [object({}), object({ a: {} })] }, 'schema'],
  ['a reference to elsewhere', object({ a: { $ref: 'https://evil.example/schema' } }), 'schema'],
  ['a reference to nothing', object({ a: { $ref: '#/$defs/x' } }), 'schema'],
  [
    'a reference to itself',
    { ...object({ a: { $ref: '#/$defs/x' } }), $defs: { x: { $ref: '#/$defs/x' } } },
    'recursive',
  ],
  ['itself in itself', object({ a: { $ref: '#' } }), 'recursive'],
  ['a name that providers refuse', object({ 'a b': {} }), 'schema'],
  ['a name of an object itself', JSON.parse('{"type":"object","properties":{"__proto__":{}}}') as unknown, 'schema'],
  ['too many fields', wide, 'too_large'],
  ['a million references', bomb, 'too_large'],
  ['several parts', object({ a: { allOf: [{}, {}] } }), 'schema'],
])('[MCPC-3] a tool with %s in its schema is left out', (_title, given, problem) => {
  const converted = convertSchema(given)
  expect([problem, 'recursive']).toContain(converted.ok ? undefined : converted.problem)
})

test('[MCPC-3] Gemini gets only what it takes, and what a model writes as text is read', () => {
  const schema = object({
    a: object({}),
    b: { type: 'integer', enum: [1, 2] },
    c: { type: 'array', items: object({}) },
  })
  expect(toOpenApi(schema)).toEqual(
    object({
      a: { type: 'string', description: 'As JSON.' },
      b: { type: 'integer' },
      c: { type: 'array', items: { type: 'string', description: 'As JSON.' } },
    }),
  )
  expect(readArguments({ a: '{"x": 1}', b: 1, c: ['{}', '{broken'] }, schema)).toEqual({
    a: { x: 1 },
    b: 1,
    c: [{}, '{broken'],
  })
})
