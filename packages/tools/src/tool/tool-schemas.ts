import { z } from 'zod'
import type { Tool } from './define-tool.ts'

export type JsonSchema = Record<string, unknown>

/** A tool's input schema in the dialect of each provider; every call creates a new copy, which an SDK may modify. */
export type ToolSchemas = { anthropic: JsonSchema; openai: JsonSchema; gemini: JsonSchema }

/**
 * The input schema of a tool for Anthropic (an object at the top, no union there), OpenAI (non-strict function
 * parameters) and Gemini (OpenAPI 3.0 with only the keywords that its API knows). Unions are `anyOf` and constants
 * one-value `enum`s everywhere, which all three accept.
 */
export function toolSchemas(tool: Tool): ToolSchemas {
  const standard = z.toJSONSchema(tool.input, { target: 'draft-07', io: 'input' })
  const openapi = z.toJSONSchema(tool.input, { target: 'openapi-3.0', io: 'input' })
  return { anthropic: portable(standard), openai: portable(standard), gemini: forGemini(portable(openapi)) }
}

/** Tools in the format of the Anthropic Messages API. */
export function toAnthropicTools(
  tools: readonly Tool[],
): { name: string; description: string; input_schema: JsonSchema & { type: 'object' } }[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: { ...toolSchemas(tool).anthropic, type: 'object' },
  }))
}

/** Tools in the format of OpenAI's Chat Completions API. */
export function toOpenAITools(
  tools: readonly Tool[],
): { type: 'function'; function: { name: string; description: string; parameters: JsonSchema } }[] {
  return tools.map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: toolSchemas(tool).openai },
  }))
}

/**
 * Tools in the format of the Gemini API: one entry that declares every function. A tool without fields has no
 * `parameters`, since the service refuses an object without fields.
 */
export function toGeminiTools(
  tools: readonly Tool[],
): { functionDeclarations: { name: string; description: string; parameters?: JsonSchema }[] }[] {
  if (tools.length === 0) return []
  const functionDeclarations = tools.map((tool) => {
    const { name, description } = tool
    const hasFields = Object.keys(tool.input.shape).length > 0
    return hasFields ? { name, description, parameters: toolSchemas(tool).gemini } : { name, description }
  })
  return [{ functionDeclarations }]
}

function portable(schema: object): JsonSchema {
  const result: JsonSchema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === '~standard' || isIntegerBound(key, value)) continue
    if (key === 'const') result.enum = [value]
    else if (key === 'properties') result.properties = mapValues(value)
    else result[key === 'oneOf' ? 'anyOf' : key] = portableValue(value)
  }
  return result
}

function portableValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portableValue)
  return typeof value === 'object' && value !== null ? portable(value) : value
}

function mapValues(properties: unknown): JsonSchema {
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, value]) => [name, portableValue(value)]))
}

// Zod bounds every integer by JavaScript's safe integer range, which only confuses models.
function isIntegerBound(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && typeof value === 'number' && Math.abs(value) === 2 ** 53 - 1
}

const geminiKeywords = new Set(
  'type format title description nullable enum items minItems maxItems properties required minimum maximum minLength maxLength pattern anyOf'.split(
    ' ',
  ),
)

function forGemini(schema: JsonSchema): JsonSchema {
  const result: JsonSchema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (!geminiKeywords.has(key)) continue
    if (key === 'properties') {
      const properties = Object.entries(value ?? {}).map(([name, each]) => [name, geminiValue(each)] as const)
      result.properties = Object.fromEntries(properties)
    } else result[key] = geminiValue(value)
  }
  return result
}

function geminiValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(geminiValue)
  return typeof value === 'object' && value !== null ? forGemini({ ...value }) : value
}
