import { Ajv, type ValidateFunction } from 'ajv'
import { describe, expect, test } from 'vitest'
import { briefToolSchemas } from './brief-schema.ts'
import { catalogue } from '../catalogue/index.ts'
import type { Tool } from './define-tool.ts'
import { type JsonSchema, toAnthropicTools, toGeminiTools, toOpenAITools } from './tool-schemas.ts'

type Example = { valid: readonly unknown[]; invalid: readonly unknown[] }

// Valid and invalid inputs of every tool.
const examples: Record<string, Example> = {
  read_document: { valid: [{}, { from: 3, to: 9, offset: 0 }], invalid: [{ from: -1 }, { to: 'end' }] },
  search_document: {
    valid: [{ query: 'cat' }, { query: 'c.t', isRegex: true, matchCase: false, section: 1, from: 2, countOnly: true }],
    invalid: [{}, { query: 3 }],
  },
  get_document: { valid: [{}, { format: 'html', section: 0 }, { from: 3 }], invalid: [{ format: 'docx' }] },
  get_document_info: { valid: [{}], invalid: ['all'] },
  read_selection: { valid: [{}], invalid: [[]] },
  edit_document: {
    valid: [
      { find: 'a', replace: 'b' },
      { find: 'a', replace: '', block: 'frontmatter', occurrence: 'last' },
      { find: 'a', replace: 'b', block: 4, occurrence: 2 },
      { find: 'a', replace: 'b', section: 1, occurrence: 2 },
      { replace: 'b', selection: true },
      { pairs: [{ find: 'a', replace: 'b' }], block: 1, to: 3 },
    ],
    invalid: [
      { find: 'a', replace: 3 },
      { pairs: [{ find: 'a' }] },
      { find: 'a', replace: 'b', occurrence: 0 },
      { find: 'a', replace: 'b', block: 'title' },
    ],
  },
  insert_text: {
    valid: [
      { position: { type: 'absolute', location: 'end' }, content: '# Plan' },
      { position: { type: 'relative', find: 'cat', placement: 'after', occurrence: 1 }, content: 's' },
      { position: { type: 'block', block: 2, placement: 'before' }, content: 'x', as: 'block' },
      { position: { type: 'selection' }, content: 'x' },
    ],
    invalid: [
      { position: 'end', content: 'x' },
      { position: { type: 'absolute', location: 'middle' }, content: 'x' },
      { position: { type: 'relative', find: 'cat' }, content: 'x' },
      { position: { type: 'selection' } },
    ],
  },
  replace_text: {
    valid: [
      { find: 'a', replace: '' },
      { find: 'a+', replace: '$1', matchCase: true, wholeWord: true, isRegex: true, limit: 3 },
      { pairs: [{ find: 'a', replace: 'b' }], selection: true },
    ],
    invalid: [
      { find: '', replace: 'x' },
      { find: 'a', replace: 'b', limit: 0 },
    ],
  },
  apply_formatting: {
    valid: [
      { target: { type: 'text', find: 'cat', occurrence: 'first' }, format: { type: 'bold' } },
      { target: { type: 'selection' }, format: { type: 'link', href: 'https://example.org' } },
      { target: { type: 'block', block: 1, to: 4 }, format: { type: 'heading', level: 3 }, remove: true },
      { target: { type: 'all' }, format: { type: 'paragraph' } },
      { target: { type: 'text', find: 'cat', section: 1 }, format: { type: 'codeBlock', language: 'go' } },
      { target: { type: 'block', block: 1 }, format: { type: 'taskList', checked: true } },
    ],
    invalid: [
      { target: { type: 'text' }, format: { type: 'bold' } },
      { target: { type: 'all' }, format: { type: 'blink' } },
      { target: { type: 'all' }, format: { type: 'heading', level: 7 } },
    ],
  },
  update_section: {
    valid: [
      { operation: 'append', title: 'Costs', content: 'None.' },
      { operation: 'replace', section: 2, content: '<p>None.</p>', format: 'html' },
      { operation: 'delete', section: 1 },
    ],
    invalid: [{ operation: 'move', section: 1 }, { section: 1 }],
  },
  delete_blocks: {
    valid: [{ block: 3 }, { block: 3, to: 5 }, { section: 1 }],
    invalid: [{ block: 'title' }, { section: -1 }],
  },
  move_blocks: {
    valid: [
      { block: 3, to: 5, before: 1 },
      { section: 2, after: 4 },
    ],
    invalid: [
      { block: 3, after: 'end' },
      { section: -1, before: 1 },
    ],
  },
  edit_table: {
    valid: [
      { block: 3, operation: 'insert_row', row: 1, cells: ['a', 'b'] },
      { block: 3, operation: 'sort', column: 'Price', order: 'descending' },
      { block: 3, operation: 'merge', row: 1, column: 0, to: { row: 2, column: 'Price' } },
      { block: 3, operation: 'set_header', column: 0, remove: true },
    ],
    invalid: [
      { block: 3, operation: 'transpose' },
      { operation: 'sort', column: 1 },
      { block: 3, operation: 'insert_row', cells: 'a' },
    ],
  },
  set_title: { valid: [{ title: 'Costs' }], invalid: [{}, { title: 3 }] },
  edit_frontmatter: {
    valid: [
      { key: 'draft', value: false },
      { key: 'tags', value: ['a', 'b'] },
    ],
    invalid: [{ key: '', value: 'x' }, { key: 'a' }, { key: 'a', value: {} }],
  },
  insert_math: {
    valid: [{ position: { type: 'absolute', location: 'end' }, latex: 'x^2', display: true }],
    invalid: [{ position: 'end', latex: 'x' }, { latex: 'x' }],
  },
  insert_image: {
    valid: [
      {
        section: 0,
        imageUrl: 'https://example.org/a.png',
        imageDescription: 'A cat.',
        position: 'before_section',
        caption: 'Our cat.',
        width: '300',
      },
    ],
    invalid: [{ section: 0, imageUrl: '', imageDescription: '' }, { imageUrl: 'https://example.org/a.png' }],
  },
  read_changes: { valid: [{}, { author: 'Ana', type: 'deletion', from: 2 }], invalid: [{ type: 'rename' }] },
  read_comments: {
    valid: [{}, { author: 'Ana', resolved: false }, { thread: 't1', from: 2 }],
    invalid: [{ resolved: 'open' }],
  },
  add_comment: {
    valid: [
      { text: 'Why?', block: 3 },
      { text: 'Why?', find: 'cat', occurrence: 2 },
      { text: 'Why?', selection: true },
      { text: 'Clearer.', find: 'cat', replacement: 'dog' },
    ],
    invalid: [{ block: 3 }, { text: 'Why?', block: -1 }],
  },
  reply_to_comment: { valid: [{ commentId: 't1', text: 'Done.' }], invalid: [{ commentId: '', text: 'Done.' }] },
  resolve_comment: { valid: [{ commentId: 't1' }], invalid: [{}] },
  suggest_replacement: {
    valid: [
      { find: 'cat', replace: 'dog' },
      { block: 2, replace: '' },
      { selection: true, replace: 'x' },
    ],
    invalid: [{ find: 'cat' }, { find: 'cat', replace: 'dog', occurrence: 'second' }],
  },
  suggest_insertion: {
    valid: [
      { block: 2, content: 'x' },
      { block: 2, content: 'x', position: 'before', find: 'cat', occurrence: 1 },
    ],
    invalid: [{ content: 'x' }, { block: 2, content: 'x', position: 'above' }],
  },
  suggest_deletion: { valid: [{ block: 2 }, { find: 'cat', occurrence: 'last' }], invalid: [{ block: '2nd' }] },
  decide_change: {
    valid: [
      { changeId: 'c1', decision: 'accept' },
      { all: true, decision: 'reject' },
    ],
    invalid: [{ changeId: 'c1' }, { all: true, decision: 'maybe' }],
  },
  search_web: {
    valid: [{ query: 'cats' }, { query: 'cats', maxResults: 10 }],
    invalid: [{}, { query: 'x', maxResults: 11 }],
  },
  read_web_page: { valid: [{ url: 'https://example.org' }, { url: 'https://example.org', from: 8000 }], invalid: [{}] },
  search_image: {
    valid: [{ keywords: 'cat' }, { keywords: 'cat', count: 5 }],
    invalid: [{}, { keywords: 'x', count: 6 }],
  },
  update_plan: { valid: [{ items: [{ text: 'Fix it', state: 'open' }] }], invalid: [{}, { items: [] }] },
  read_history: { valid: [{}, { block: 2 }, { run: 3 }], invalid: [{ run: 0 }, { block: 'a' }] },
  list_files: {
    valid: [{ path: '.' }, { path: 'src', recursive: true, page: 2 }],
    invalid: [{}, { path: '' }, { path: '.', page: 0 }],
  },
  find_files: { valid: [{ pattern: '*.ts' }, { pattern: 'a?', path: 'src' }], invalid: [{}, { pattern: '' }] },
  search_files: {
    valid: [{ pattern: 'TODO' }, { pattern: 'a+', path: 'src', filePattern: '*.ts' }],
    invalid: [{}, { pattern: 5, path: [] }],
  },
  find_definition: {
    valid: [{ symbol: 'A' }, { symbol: 'A.b', type: 'import' }],
    invalid: [{}, { symbol: '' }, { symbol: 'A', type: 'method' }],
  },
  find_importers: { valid: [{ modulePath: 'src/a.ts' }], invalid: [{}, { modulePath: 5 }] },
  edit_file: {
    valid: [{ path: 'a.ts', content: 'text', description: 'Why.' }],
    invalid: [
      { path: 'a.ts', content: 'text' },
      { path: '', content: 'text', description: 'Why.' },
    ],
  },
  create_file: {
    valid: [{ path: 'a.ts', content: '', description: 'Why.' }],
    invalid: [{ path: 'a.ts', description: 'Why.' }],
  },
  read_file: { valid: [{ path: 'a.ts' }, { path: 'a.ts', from: 1, to: 9 }], invalid: [{}, { path: 'a', from: 0 }] },
  undo_changes: { valid: [{ run: 3 }, { run: 3, step: 1 }], invalid: [{}, { run: 'last' }] },
  highlight_text: {
    valid: [{ find: 'cat', color: 'green', duration: 5_000 }, { block: 1 }, { selection: true }],
    invalid: [
      { find: 'cat', color: 3 },
      { find: 'cat', duration: 1 },
    ],
  },
  scroll_to: { valid: [{ block: 3, select: true }], invalid: [{}] },
}

const anthropic = new Map(toAnthropicTools(catalogue).map((tool) => [tool.name, tool.input_schema]))
const openai = new Map(toOpenAITools(catalogue).map((tool) => [tool.function.name, tool.function.parameters]))
const declared = toGeminiTools(catalogue).flatMap((group) => group.functionDeclarations)
const gemini = new Map(declared.map((tool) => [tool.name, tool.parameters]))

function compile(schema: JsonSchema | undefined): ValidateFunction {
  const ajv = new Ajv({ strict: true, strictRequired: true, validateSchema: true })
  return ajv.compile(schema ?? { type: 'object' })
}

/** All schemas in a schema, beginning with itself: those of properties, of members, of items. */
function schemasIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own: Record<string, unknown> = Object.fromEntries(Object.entries(schema))
  const members = ['anyOf', 'allOf', 'oneOf', 'items', 'not', 'additionalProperties'].flatMap((key) => own[key] ?? [])
  return [own, ...[...Object.values(own.properties ?? {}), ...members].flatMap(schemasIn)]
}

const cases = catalogue.map((tool) => [tool.name, tool] as const)

test('there are examples for every tool and for no other', () => {
  expect(Object.keys(examples).toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted())
})

describe.each([
  ['Anthropic', anthropic],
  ['OpenAI', openai],
  ['Gemini', gemini],
])('schemas for %s', (_provider, schemas) => {
  test.each(cases)('%s is valid JSON Schema and takes what the tool takes', (name) => {
    const validate = compile(schemas.get(name))
    for (const input of examples[name]?.valid ?? []) expect(validate(input), JSON.stringify(input)).toBe(true)
    for (const input of examples[name]?.invalid ?? []) expect(validate(input), JSON.stringify(input)).toBe(false)
  })
})

test.each(cases)('%s: the tool itself agrees with its examples', (name, tool: Tool) => {
  for (const input of examples[name]?.valid ?? []) {
    expect(tool.input.safeParse(input).success, JSON.stringify(input)).toBe(true)
  }
  for (const input of examples[name]?.invalid ?? []) {
    expect(tool.input.safeParse(input).success, JSON.stringify(input)).toBe(false)
  }
})

test.each(cases)('%s: an object without a union at the top, for Anthropic and OpenAI', (name) => {
  for (const schema of [anthropic.get(name), openai.get(name)]) {
    expect(schema?.type).toBe('object')
    for (const key of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref']) expect(schema).not.toHaveProperty(key)
    for (const each of schemasIn(schema)) expect(Object.keys(each)).not.toContain('$ref')
  }
})

// https://ai.google.dev/api/caching#Schema
const geminiTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object']
const geminiKeywords = new Set(
  [
    ['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'minItems', 'maxItems'],
    ['properties', 'required', 'propertyOrdering', 'minProperties', 'maxProperties'],
    ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'example', 'anyOf', 'default'],
  ].flat(),
)

test.each(cases)("%s: only Gemini's part of OpenAPI, in every corner", (name) => {
  const schema = gemini.get(name)
  for (const each of schemasIn(schema)) {
    for (const key of Object.keys(each)) expect(geminiKeywords, key).toContain(key)
    expect(each.anyOf === undefined ? geminiTypes : [undefined]).toContain(each.type)
    // An enum consists of strings, an object without fields is refused, and every required field exists.
    if (each.enum !== undefined) expect(each).toMatchObject({ type: 'string', enum: expect.any(Array) as unknown })
    if (each.type === 'object') expect(Object.keys(each.properties ?? {})).not.toEqual([])
    expect(Object.keys(each.properties ?? {})).toEqual(expect.arrayContaining([each.required ?? []].flat()))
  }
})

describe.each(['jsonSchema', 'openapi'] as const)('brief schemas as %s', (dialect) => {
  test.each(cases)('%s: valid, within its part of JSON Schema, and the tool takes what they describe', (name, tool) => {
    const schema = briefToolSchemas(tool)[dialect]
    for (const each of schemasIn(schema)) {
      for (const key of Object.keys(each)) expect(geminiKeywords, key).toContain(key)
    }
    const validate = compile(schema)
    for (const input of examples[name]?.valid ?? []) {
      const written = asDescribed(input, schema)
      expect(validate(written), JSON.stringify(written)).toBe(true)
      const read = tool.normalize(written)
      expect(tool.input.safeParse(read).success, JSON.stringify(written)).toBe(true)
      expect(withoutQuotes(read)).toBe(withoutQuotes(input))
    }
  })
})

test.each([
  ['of a plain document', catalogue.filter(({ needs }) => needs === undefined), 2_350],
  ['of all tools for a document', catalogue.filter(({ needs }) => !needs?.startsWith('project')), 3_250],
  ['of all tools, for a project too', catalogue, 3_830],
])(
  'what a run sends each round for the schemas %s is at most so many tokens of four characters',
  (_title, offered, most) => {
    const sent = offered.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: briefToolSchemas(tool).jsonSchema,
    }))
    expect(JSON.stringify(sent).length / 4).toBeLessThan(most)
  },
)

/** Numbers as strings are equal to numbers where a tool accepts both. */
function withoutQuotes(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"(\d+)"/g, '$1')
}

/** An input by a model that follows the schema: numbers as strings where the schema declares a string. */
function asDescribed(input: unknown, schema: unknown): unknown {
  const own: Record<string, unknown> = Object.fromEntries(Object.entries(schema ?? {}))
  if (own.type === 'string') return typeof input === 'number' ? String(input) : input
  if (Array.isArray(input)) return input.map((each) => asDescribed(each, own.items))
  if (typeof input !== 'object' || input === null || own.type !== 'object') return input
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(own.properties ?? {}))
  return Object.fromEntries(Object.entries(input).map(([name, each]) => [name, asDescribed(each, fields[name])]))
}
