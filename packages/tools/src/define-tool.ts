import type { z } from 'zod'
import { invalidInput } from './invalid-input.ts'
import type { ToolResult } from './result.ts'
import type { DocumentSession } from './session/document-session.ts'
import type { ToolCallContext } from './session/session-options.ts'

/** A tool whose input type has been forgotten, as a catalogue holds it. `run` checks the input itself. */
export type Tool = {
  readonly name: string
  /** For the model: what it does and when to use it. */
  readonly description: string
  readonly input: z.ZodObject
  /** Whether it can change the document; such a tool is offered only to who may. */
  readonly changes: boolean
  /** Validates `input` and runs the tool; input that doesn't fit is an `invalid_input` result. */
  run(input: unknown, session: DocumentSession, call: ToolCallContext): ToolResult | Promise<ToolResult>
}

/** What `defineTool` takes. The handler never throws for what a model can cause. */
export type ToolDefinition<Input extends z.ZodObject> = {
  name: string
  description: string
  input: Input
  changes: boolean
  handler(input: z.infer<Input>, session: DocumentSession, call: ToolCallContext): ToolResult | Promise<ToolResult>
}

/** Makes a tool for the catalogue out of its name, description, Zod input and handler. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, description, input, changes } = definition
  return {
    name,
    description,
    input,
    changes,
    run(given, session, call) {
      const parsed = input.safeParse(lenient(given))
      return parsed.success ? definition.handler(parsed.data, session, call) : invalidInput(name, parsed.error)
    },
  }
}

const numberFields = new Set([
  'block',
  'from',
  'to',
  'offset',
  'occurrence',
  'limit',
  'level',
  'sectionIndex',
  'duration',
])
const booleanFields = new Set(['matchCase', 'wholeWord', 'isRegex', 'remove', 'selection', 'all', 'resolved', 'select'])
const objectFields = new Set(['position', 'target', 'format'])

// Smaller models send numbers and objects as strings; that is no reason to make them ask twice.
function lenient(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).flatMap(([key, value]) => lenientField(key, value)))
}

function lenientField(key: string, value: unknown): [string, unknown][] {
  if (value === null) return []
  // Half of a surrogate pair would read differently at every peer.
  if (typeof value === 'string' && !value.isWellFormed()) return lenientField(key, value.toWellFormed())
  if (numberFields.has(key) && typeof value === 'string') {
    const digits = /^\s*\[?(\d+)\]?\s*$/.exec(value)?.[1]
    return [[key, digits === undefined ? value : Number(digits)]]
  }
  if (booleanFields.has(key) && typeof value === 'string') {
    const word = value.trim().toLowerCase()
    return [[key, word === 'true' || word === 'false' ? word === 'true' : value]]
  }
  if (!objectFields.has(key)) return [[key, value]]
  return [[key, lenient(typeof value === 'string' ? parseJson(value) : value)]]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
