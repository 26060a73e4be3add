import type { z } from 'zod'

type Schema = z.core.$ZodType
type Shape = ReadonlyMap<string, readonly Schema[]>

/**
 * Converts strings from smaller models to the types of the schema: numbers, with or without brackets, booleans, objects
 * and lists as JSON. Drops fields that are null, and replaces lone surrogates, which different peers would read
 * differently. All other values are unchanged, for the schema to accept or refuse.
 */
export function readLeniently(input: unknown, schema: z.ZodObject): unknown {
  return convert(input, [schema])
}

function convert(given: unknown, schemas: readonly Schema[]): unknown {
  const options = schemas.flatMap(optionsOf)
  const takes = (type: string): boolean => options.some((option) => defOf(option).type === type)
  const value = typeof given === 'string' && !given.isWellFormed() ? given.toWellFormed() : given
  if (typeof value === 'string') {
    if (takes('string')) return value
    if (takes('number')) return readNumber(value)
    if (takes('boolean')) return readBoolean(value)
    if (!takes('object') && !takes('array')) return value
    const parsed = parseJson(value)
    return typeof parsed === 'string' ? parsed : convert(parsed, options)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const elements = options.flatMap((option) => defOf(option).element ?? [])
    return elements.length === 0 ? value : value.map((each) => convert(each, elements))
  }
  const shape = shapeOf(options)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, convert(each, shape.get(key) ?? [])]])),
  )
}

type Def = {
  type: string
  innerType?: Schema
  options?: readonly Schema[]
  element?: Schema
  shape?: Readonly<Record<string, Schema>>
}

const defOf = (schema: Schema): Def => schema._zod.def as unknown as Def

/** The schemas that a value may fit, without wrappers such as `optional`. */
function optionsOf(schema: Schema): readonly Schema[] {
  const { innerType, options } = defOf(schema)
  if (innerType) return optionsOf(innerType)
  return options ? options.flatMap(optionsOf) : [schema]
}

/** The fields of all object schemas among these, with their schemas. */
function shapeOf(options: readonly Schema[]): Shape {
  const shape = new Map<string, Schema[]>()
  for (const option of options) {
    for (const [key, schema] of Object.entries(defOf(option).shape ?? {})) {
      shape.set(key, [...(shape.get(key) ?? []), schema])
    }
  }
  return shape
}

function readNumber(text: string): unknown {
  const digits = /^\s*\[?(\d+)\]?\s*$/.exec(text)?.[1]
  return digits === undefined ? text : Number(digits)
}

function readBoolean(text: string): unknown {
  const word = text.trim().toLowerCase()
  return word === 'true' || word === 'false' ? word === 'true' : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
