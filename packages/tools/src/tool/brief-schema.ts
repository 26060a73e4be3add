import { isOmittedWhenBrief } from './fields.ts'
import type { Tool } from './define-tool.ts'
import { type JsonSchema, toolSchemas } from './tool-schemas.ts'

/**
 * The information that {@link briefToolSchemas} omits, for the system prompt: the arguments with the same meaning in
 * every tool.
 */
export const sharedArguments =
  'In every tool: block (with to: several) is a number in [ ], without find all of it; section a number from 0, as in get_document; ' +
  "find exact text as shown; occurrence (1, 2, … or 'last') which of several places; selection: true what the person has selected; " +
  'from where a result said to go on.'

/**
 * The input schema of a tool in few tokens, because every round of a run sends it: as JSON Schema and as OpenAPI 3.0.
 * Looser than {@link toolSchemas}: variants of an object that its `type` distinguishes are merged into one, a number or
 * a string is declared as a string, and bounds and the content of {@link sharedArguments} are omitted. A tool parses
 * its input leniently and validates it itself. Computed once for each tool; callers must not change it.
 */
export function briefToolSchemas(tool: Tool): BriefSchemas {
  const known = schemasOf.get(tool)
  if (known) return known
  const { openai, gemini } = toolSchemas(tool)
  // Gemini refuses an object without fields.
  const made = { jsonSchema: withoutRepeats(brief(openai)), openapi: brief(gemini) }
  schemasOf.set(tool, made)
  return made
}

type BriefSchemas = { readonly jsonSchema: JsonSchema; readonly openapi: JsonSchema }

const schemasOf = new WeakMap<Tool, BriefSchemas>()

// The fields of an object that is described "As in" another tool are declared only there.
function withoutRepeats(schema: JsonSchema): JsonSchema {
  const fields = Object.entries(asSchema(schema.properties)).map(([name, each]) => {
    const { type, description } = asSchema(each)
    if (!String(description).startsWith('As in ')) return [name, each]
    return [name, { type, description, ...(type === 'array' ? { items: { type: 'object' } } : {}) }]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}

const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']

function brief(schema: JsonSchema): JsonSchema {
  const { anyOf, properties, items, ...rest } = schema
  if (Array.isArray(anyOf)) return briefUnion(anyOf.map(asSchema), rest)
  for (const bound of bounds) delete rest[bound]
  if (isOmittedWhenBrief(String(rest.description))) delete rest.description
  return {
    ...rest,
    ...(items === undefined ? {} : { items: brief(asSchema(items)) }),
    ...(properties === undefined ? {} : { properties: briefProperties(properties) }),
  }
}

function briefProperties(properties: unknown): JsonSchema {
  return Object.fromEntries(Object.entries(asSchema(properties)).map(([name, each]) => [name, brief(asSchema(each))]))
}

function briefUnion(members: JsonSchema[], rest: JsonSchema): JsonSchema {
  if (members.every((member) => tagOf(member) !== undefined)) return mergeTagged(members, rest)
  const objects = members.filter(({ type }) => type === 'object')
  const isText = members.every((each) => objects.includes(each) || each.type === 'integer' || each.type === 'string')
  const [only, ...more] = isText ? [{ type: 'string' }, ...objects.map(brief)] : members.map(brief)
  return { ...brief(rest), ...(more.length === 0 ? only : { anyOf: [only, ...more] }) }
}

// One object with the fields of all variants; unless the object has a description, the description lists the fields of
// each type.
function mergeTagged(members: JsonSchema[], rest: JsonSchema): JsonSchema {
  const properties: JsonSchema = { type: { type: 'string', enum: members.map(tagOf) } }
  for (const member of members) {
    for (const [name, each] of Object.entries(briefProperties(member.properties))) properties[name] ??= each
  }
  const description = members.flatMap(describeVariant).join(' ')
  return { type: 'object', properties, required: ['type'], description, ...rest }
}

function describeVariant(member: JsonSchema): string[] {
  const required = Array.isArray(member.required) ? member.required : []
  const fields = Object.keys(asSchema(member.properties)).filter((name) => name !== 'type')
  const list = fields.filter((name) => required.includes(name)).join(', ')
  const { description } = member
  const about = typeof description === 'string' ? ` (${description.replace(/\.$/, '')})` : ''
  return list + about === '' ? [] : [`${String(tagOf(member))}${about}${list === '' ? '' : `: ${list}`}.`]
}

function tagOf(member: JsonSchema): unknown {
  const { enum: values } = asSchema(asSchema(member.properties).type)
  return Array.isArray(values) && values.length === 1 ? values[0] : undefined
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}
