import { fenceAsData, type ToolCall, type Toolbox, type ToolDefinition, type ToolOutcome } from '@copydesk/agent'
import {
  createSpelledOut,
  inEnglish,
  type Localizable,
  localizable,
  reasonsToAsk,
  shorten,
  type ToolFailure,
} from '@copydesk/tools'
import type { Kysely } from 'kysely'
import type { RunRow, Tables } from '../../../store/tables.ts'
import type { ForeignTools, OfferedForeignTool } from '../../../tool-servers/foreign-tools.ts'
import { type JsonSchema, toOpenApi } from '../../../tool-servers/tool-schema.ts'
import type { CallerRight } from '../caller-right.ts'
import type { OutsideText } from '../outside-text.ts'

type ForeignToolboxDeps = {
  tools: readonly OfferedForeignTool[]
  foreignTools: Pick<ForeignTools, 'policy' | 'call'>
  run: Pick<RunRow, 'id' | 'instruction'>
  right: Pick<CallerRight, 'canEdit'>
  outside: OutsideText
  db: Kysely<Tables>
  now: () => number
  /** The maximum number of characters of a result. */
  limit: number
}

/**
 * The toolbox of a run: `own` and the tools of tool servers. All texts of a tool server are outside text, also its
 * descriptions: models read them between delimiters.
 */
export function withForeignTools(own: Toolbox, deps: ForeignToolboxDeps): Toolbox {
  const byName = new Map(deps.tools.map((tool) => [tool.name, tool]))
  const definitions = deps.tools.map(toDefinition)
  const isSpelledOut = createSpelledOut(deps.run.instruction)
  return {
    get definitions() {
      return [...own.definitions, ...definitions]
    },
    accepts: (name) => byName.has(name) || own.accepts?.(name) === true,
    async execute(call, options) {
      const tool = byName.get(call.name)
      return tool ? execute(call, tool, options, { ...deps, isSpelledOut }) : own.execute(call, options)
    },
  }
}

async function execute(
  call: ToolCall,
  tool: OfferedForeignTool,
  { signal, approved = false }: { signal: AbortSignal; approved?: boolean },
  deps: ForeignToolboxDeps & { isSpelledOut: (text: string) => boolean },
): Promise<ToolOutcome> {
  const { foreignTools, right, outside, run, limit } = deps
  const policy = await foreignTools.policy(tool)
  if (!right.canEdit || policy === 'deny') return refuse(tool)
  if (!approved) {
    const isWritten = textsOf(call.arguments, tool.schema).every(deps.isSpelledOut)
    const isAllowed = policy === 'allow' && (!outside.mayInfluence || isWritten)
    if (!isAllowed) return hold(call, tool, policy === 'allow' ? reasonsToAsk.readOutside : reasonsToAsk.eachCall)
  }
  const onSend = async (): Promise<boolean> => noteSent(run.id, call.id, deps)
  const result = await foreignTools.call(tool, call.arguments, { limit, onSend, signal })
  // Errors are also texts of the tool server.
  outside.noteRead()
  const { ok, text, summary, localizable: said } = result
  const outcome = { ok, text: fenceAsData(`result of ${call.name}`, text), summary, localizable: said }
  return ok ? { ...outcome, excerpt: text } : { ...outcome, problem: shownProblem(result) }
}

// Every room contains a step's problem.
const longestMessage = 300

/** A failure as users see it, with a long answer of the tool server shortened. */
function shownProblem({ message, hint, words }: ToolFailure): ToolOutcome['problem'] {
  const { message: said, ...other } = words ?? {}
  const values = said?.values.map((value) => (typeof value === 'string' ? shorten(value, longestMessage) : value))
  const localizable = said && values ? { ...other, message: { ...said, values } } : words
  return { message: shorten(message, longestMessage), hint, localizable }
}

/** Stores that a call is sent; false if it was sent before, by a worker that ended before it could store the result. */
async function noteSent(run: string, call: string, { db, now }: Pick<ForeignToolboxDeps, 'db' | 'now'>) {
  const { numUpdatedRows } = await db
    .updateTable('run_steps')
    .set({ sent_at: now() })
    .where('run', '=', run)
    .where('id', '=', call)
    .where('sent_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function hold(call: ToolCall, { server, tool }: OfferedForeignTool, reason: Localizable): ToolOutcome {
  const summary = localizable`Use ${tool} of the tool server ${server}`
  const after = JSON.stringify(call.arguments, undefined, 2)
  return {
    ok: false,
    text: '',
    summary: inEnglish(summary),
    localizable: summary,
    held: [{ before: '', after }],
    reason,
  }
}

function refuse({ name }: OfferedForeignTool): ToolOutcome {
  const message = `${name} may not be used in this run any more.`
  const hint = 'Go on without it, and say so.'
  return { ok: false, text: `Error (denied): ${message}\n${hint}`, summary: message, problem: { message, hint } }
}

function toDefinition({ name, server, description, schema }: OfferedForeignTool): ToolDefinition {
  const own = description === '' ? 'It says nothing about itself.' : fenceAsData('its own description', description)
  const inputSchema = { jsonSchema: schema, openapi: toOpenApi(schema) }
  return { name, description: `A tool of the tool server ${server}, outside of this document.\n${own}`, inputSchema }
}

/**
 * All text that arguments can contain: values, and the names of fields that the schema doesn't define. A boolean field
 * of the schema contains none.
 */
function textsOf(given: unknown, schema: JsonSchema | undefined): string[] {
  if (typeof given !== 'object' || given === null) return [String(given)]
  if (Array.isArray(given)) return given.flatMap((each) => textsOf(each, undefined))
  const fields = new Map(Object.entries(Object(schema?.properties)))
  return Object.entries(given).flatMap(([name, value]) => {
    if (!fields.has(name)) return [name, ...textsOf(value, undefined)]
    const field: unknown = fields.get(name)
    if (typeof value === 'boolean') return []
    return textsOf(value, typeof field === 'object' && field !== null ? { ...field } : undefined)
  })
}
