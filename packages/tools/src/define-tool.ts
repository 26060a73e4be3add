import type { z } from 'zod'
import { invalidInput } from './invalid-input.ts'
import type { ToolResult } from './result.ts'
import type { DocumentSession } from './session/document-session.ts'
import type { ToolCallContext } from './session/session-options.ts'

/** A tool with its input type erased, as stored in a catalogue. `run` validates the input itself. */
export type Tool = {
  readonly name: string
  /** For the model: the tool's effect and when to use it. */
  readonly description: string
  readonly input: z.ZodObject
  /** Whether the tool can change the document; such a tool is offered only to callers with write access. */
  readonly changes: boolean
  /** Validates `input` and runs the tool; invalid input gives an `invalid_input` result. */
  run(input: unknown, session: DocumentSession, call: ToolCallContext): ToolResult | Promise<ToolResult>
}

/** The definition of a tool. The handler never throws for anything that a model can cause. */
export type ToolDefinition<Input extends z.ZodObject> = {
  name: string
  description: string
  input: Input
  changes: boolean
  handler(input: z.infer<Input>, session: DocumentSession, call: ToolCallContext): ToolResult | Promise<ToolResult>
}

/** Creates a tool for the catalogue from its name, description, Zod input and handler. */
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
  'section',
  'duration',
])
const booleanFields = new Set([
  'countOnly',
  'matchCase',
  'wholeWord',
  'isRegex',
  'remove',
  'selection',
  'all',
  'resolved',
  'select',
])
const objectFields = new Set(['position', 'target', 'format'])

// Smaller models send numbers and objects as strings; these are converted instead of refused.
function lenient(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).flatMap(([key, value]) => lenientField(key, value)))
}

function lenientField(key: string, value: unknown): [string, unknown][] {
  if (value === null) return []
  // A lone surrogate would read differently at every peer.
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
