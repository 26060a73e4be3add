import type { ForeignToolProblem } from '@copydesk/protocol'
import { cleanText } from './clean-text.ts'

export type JsonSchema = Record<string, unknown>

/** A schema in the subset of JSON Schema that every provider supports, or the reason why there is none. */
export type ConvertedSchema = { ok: true; schema: JsonSchema } | { ok: false; problem: ForeignToolProblem }

const deepest = 10
const mostNodes = 500
const longest = 8_000
const describedIn = 200
const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']
const types: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean']

/** Thrown for a schema that can't be converted; never leaves this file. */
class UnfitSchema extends Error {
  readonly problem: ForeignToolProblem
  constructor(problem: ForeignToolProblem) {
    super(problem)
    this.problem = problem
  }
}

/**
 * Converts the input schema of a tool server's tool, which may be hostile: references are resolved, texts are cut, and
 * keywords that only some providers support are omitted. The result allows all inputs that the original allows; the
 * tool server checks its input itself.
 */
export function convertSchema(given: unknown): ConvertedSchema {
  try {
    const root = asObject(given)
    const converter = new Converter(root)
    const schema = converter.convert(root, 0)
    if (schema.type !== 'object') return { ok: false, problem: 'schema' }
    return JSON.stringify(schema).length > longest ? { ok: false, problem: 'too_large' } : { ok: true, schema }
  } catch (error) {
    if (error instanceof UnfitSchema) return { ok: false, problem: error.problem }
    throw error
  }
}

class Converter {
  readonly #root: JsonSchema
  #nodes = 0
  constructor(root: JsonSchema) {
    this.#root = root
  }

  convert(given: unknown, depth: number): JsonSchema {
    if (++this.#nodes > mostNodes) throw new UnfitSchema('too_large')
    if (depth > deepest) throw new UnfitSchema('recursive')
    const node = this.#resolve(asObject(given), depth)
    const description = typeof node.description === 'string' ? cleanText(node.description, describedIn) : ''
    return { ...this.#kind(node, depth), ...(description === '' ? {} : { description }) }
  }

  /** The node after resolving references within the schema, and any `allOf` with a single part. */
  #resolve(node: JsonSchema, depth: number): JsonSchema {
    let found = node
    for (let hop = 0; hop <= deepest; hop++) {
      if (typeof found.$ref === 'string') found = { ...asObject(this.#find(found.$ref)), ...without(found, '$ref') }
      else if (Array.isArray(found.allOf) && found.allOf.length === 1)
        found = { ...asObject(found.allOf[0]), ...without(found, 'allOf') }
      else if (found.allOf !== undefined || found.not !== undefined) throw new UnfitSchema('schema')
      else return found
    }
    throw new UnfitSchema(depth > 0 ? 'recursive' : 'schema')
  }

  #find(reference: string): unknown {
    if (reference === '#') return this.#root
    if (!reference.startsWith('#/')) throw new UnfitSchema('schema')
    let at: unknown = this.#root
    for (const part of reference.slice(2).split('/')) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) throw new UnfitSchema('schema')
      at = new Map(Object.entries(at)).get(key)
    }
    return at
  }

  #kind(node: JsonSchema, depth: number): JsonSchema {
    const union = node.anyOf ?? node.oneOf
    if (Array.isArray(union)) return this.#union(union, depth)
    if (node.const !== undefined) return this.#kind({ ...without(node, 'const'), enum: [node.const] }, depth)
    if (Array.isArray(node.type)) {
      const each = node.type.map((type: unknown) => ({ ...without(node, 'description'), type }))
      return this.#union(each, depth)
    }
    const type = typeOf(node)
    if (type === 'object') return this.#object(node, depth)
    if (type === 'array') return { type, ...pick(node), items: this.convert(itemsOf(node), depth + 1) }
    const values = Array.isArray(node.enum)
      ? node.enum.filter((value) => typeof value === type || type === 'integer')
      : []
    return { type, ...pick(node), ...(values.length === 0 ? {} : { enum: values.map(cleanValue) }) }
  }

  // For every provider, an omitted value replaces null.
  #union(members: readonly unknown[], depth: number): JsonSchema {
    const kept = members.filter((member) => asObject(member).type !== 'null')
    const [first] = kept
    if (first === undefined) return { type: 'string' }
    if (kept.length === 1) return this.convert(first, depth + 1)
    if (depth === 0) throw new UnfitSchema('schema')
    return { anyOf: kept.map((member) => this.convert(member, depth + 1)) }
  }

  #object(node: JsonSchema, depth: number): JsonSchema {
    const properties = Object.entries(asObject(node.properties ?? {}))
    // The names that all providers accept.
    if (properties.some(([name]) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name) || name === '__proto__'))
      throw new UnfitSchema('schema')
    const required = Array.isArray(node.required)
      ? node.required.filter((name) => properties.some(([each]) => each === name))
      : []
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map(([name, each]) => [name, this.convert(each, depth + 1)])),
      ...(required.length === 0 ? {} : { required }),
    }
  }
}

/**
 * The same schema in OpenAPI 3.0 as Gemini supports it: only strings can be enumerated, and an inner object without
 * fields is a string that contains JSON.
 */
export function toOpenApi(schema: JsonSchema, isRoot = true): JsonSchema {
  const { properties, items, anyOf, enum: values, ...rest } = schema
  const fields = Object.entries(asObject(properties ?? {}))
  if (!isRoot && rest.type === 'object' && fields.length === 0) {
    return { type: 'string', description: `${textOf(rest.description)} As JSON.`.trim() }
  }
  const inner = (each: unknown): JsonSchema => toOpenApi(asObject(each), false)
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(fields.map(([name, each]) => [name, inner(each)])) }),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(inner) } : {}),
    ...(rest.type === 'string' && values !== undefined ? { enum: values } : {}),
  }
}

/** Arguments that match the schema: objects and lists that a model wrote as JSON strings are parsed. */
export function readArguments(given: unknown, schema: JsonSchema): unknown {
  const { type, properties, items } = schema
  if (typeof given === 'string' && (type === 'object' || type === 'array') && /^\s*[[{]/.test(given)) {
    try {
      return readArguments(JSON.parse(given), schema)
    } catch {
      return given
    }
  }
  if (Array.isArray(given)) return given.map((each) => readArguments(each, asSchema(items)))
  if (typeof given !== 'object' || given === null) return given
  const known = new Map(Object.entries(asSchema(properties)))
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => [name, readArguments(each, asSchema(known.get(name)))]),
  )
}

function asObject(given: unknown): JsonSchema {
  if (given === true) return {}
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new UnfitSchema('schema')
  return { ...given }
}

function asSchema(given: unknown): JsonSchema {
  return typeof given === 'object' && given !== null ? { ...given } : {}
}

function typeOf(node: JsonSchema): unknown {
  if (types.includes(node.type)) return node.type
  if (node.type !== undefined) throw new UnfitSchema('schema')
  if (node.properties !== undefined) return 'object'
  if (node.items !== undefined) return 'array'
  const [first]: unknown[] = Array.isArray(node.enum) ? node.enum : []
  return typeof first === 'number' || typeof first === 'boolean' ? typeof first : 'string'
}

function itemsOf({ items }: JsonSchema): unknown {
  return typeof items === 'object' && items !== null && !Array.isArray(items) ? items : { type: 'string' }
}

function pick(node: JsonSchema): JsonSchema {
  return Object.fromEntries(bounds.flatMap((name) => (typeof node[name] === 'number' ? [[name, node[name]]] : [])))
}

function without(node: JsonSchema, name: string): JsonSchema {
  return Object.fromEntries(Object.entries(node).filter(([each]) => each !== name))
}

function cleanValue(value: unknown): unknown {
  return typeof value === 'string' ? cleanText(value, describedIn) : value
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
