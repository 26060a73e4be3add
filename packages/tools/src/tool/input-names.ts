import { z } from 'zod'
import { editDistance } from '../text/nearest.ts'

/** Alternative names of an argument in calls of models: the argument that each means. */
const earlierNames: Readonly<Record<string, string>> = {
  search: 'find',
  searchText: 'find',
  anchor: 'find',
  value: 'find',
  newText: 'replace',
  replaceWith: 'replace',
  sectionIndex: 'section',
  text: 'content',
}

// Argument names of other editors' tools: not accepted as aliases, but mentioned in hints.
const foreignNames: readonly [string, RegExp][] = [
  ['find', /^(?:old|original|target|query|pattern|before|quote)(?:text|string|str|value|content)?$/],
  ['replace', /^(?:new|replacement|after|with)(?:text|string|str|value|content)?$/],
  ['content', /^(?:markdown|body|html)$/],
  ['section', /^heading$/],
]

/**
 * `input` with its arguments under the names of `schema`: an earlier name is accepted where the schema has only the new
 * one. Arguments in nested objects are renamed too.
 */
export function renameArguments(schema: z.ZodType, input: unknown): unknown {
  if (!isRecord(input)) return input
  const names = fieldsOf(schema, input)
  const renamed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(input)) {
    const known = names && !names.has(key) && Object.hasOwn(earlierNames, key) ? earlierNames[key] : undefined
    const name = known !== undefined && names?.has(known) && !Object.hasOwn(input, known) ? known : key
    const inner = names?.get(name)
    define(renamed, name, inner ? renameArguments(inner, value) : value)
  }
  return renamed
}

/** An argument that is not in the schema, with the most similar one that is. */
export type UnknownArgument = { path: string; nearest: string | undefined; known: string[] }

/** The arguments that the schema doesn't know, also in nested objects. */
export function unknownArguments(schema: z.ZodType, input: unknown, path = ''): UnknownArgument[] {
  if (Array.isArray(input)) {
    const element = bare(schema)
    const item = element instanceof z.ZodArray ? element.element : undefined
    return item instanceof z.ZodType ? input.flatMap((each, at) => unknownArguments(item, each, `${path}${at}.`)) : []
  }
  const names = isRecord(input) ? fieldsOf(schema, input) : undefined
  if (!names || !isRecord(input)) return []
  const known = [...names.keys()]
  return Object.entries(input).flatMap(([key, value]) => {
    const inner = names.get(key)
    if (inner) return unknownArguments(inner, value, `${path}${key}.`)
    return [{ path: `${path}${key}`, nearest: nearestName(key, known), known }]
  })
}

function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

// The fields of an object, or of the union member that matches `input`; `undefined` for other schemas.
function fieldsOf(schema: z.ZodType, input: Record<string, unknown>): Map<string, z.ZodType> | undefined {
  const type = bare(schema)
  if (type instanceof z.ZodObject) return mapOf(type)
  if (!(type instanceof z.ZodUnion)) return undefined
  const members = type.options.filter((option) => option instanceof z.ZodObject)
  const named = members.find((member) => {
    const tag: unknown = member.shape.type
    return tag instanceof z.ZodType && tag.safeParse(input.type).success
  })
  return named ? mapOf(named) : members.length === 1 && members[0] ? mapOf(members[0]) : undefined
}

function mapOf(type: z.ZodObject): Map<string, z.ZodType> {
  return new Map(
    Object.entries(type.shape).flatMap(([name, field]) => (field instanceof z.ZodType ? [[name, field]] : [])),
  )
}

function bare(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodOptional)) return schema
  const inner = schema.unwrap()
  return inner instanceof z.ZodType ? inner : schema
}

// A model may send any text as a name.
const longestName = 40

/** The most similar name to `given`, if the similarity is sufficient. */
function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > longestName) return undefined
  const fold = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')
  const foreign = foreignNames.find(([name, pattern]) => names.includes(name) && pattern.test(fold(given)))
  if (foreign) return foreign[0]
  const ranked = names.map((name) => {
    const [a, b] = [fold(given), fold(name)]
    const holds = a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))
    return { name, distance: holds ? 0.2 : editDistance(a, b) / Math.max(a.length, b.length, 1) }
  })
  const [best] = ranked.toSorted((a, b) => a.distance - b.distance)
  return best && best.distance <= 0.5 ? best.name : undefined
}
