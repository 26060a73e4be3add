import { createHash } from 'node:crypto'
import type { ForeignToolProblem } from '@copydesk/protocol'
import { cleanText } from './clean-text.ts'
import { convertSchema, type JsonSchema } from './tool-schema.ts'

export type ListedTool = { name: string; description?: string | undefined; inputSchema: unknown }

/** A tool of a tool server with limited texts and its name for agents; a tool with a `problem` can't be offered. */
export type ToolDefinition = {
  name: string
  offeredAs: string
  description: string
  schema: JsonSchema
  problem: ForeignToolProblem | null
}

/** The maximum number of stored tools of one server; further tools are only counted. */
const toolsOfServer = 64
const descriptionLength = 1_000
const nameLength = 64

/**
 * Limits a tool server's list to the first 64 tools, in its order. Of two tools that would have the same name for
 * agents, the second has a `problem`.
 */
export function readDefinitions(
  server: string,
  listed: readonly ListedTool[],
): { tools: ToolDefinition[]; leftOut: number } {
  // The maximum length of a name in the protocol.
  const byName = new Map(listed.filter(({ name }) => name.length <= 128).map((tool) => [tool.name, tool]))
  const taken = new Set<string>()
  const tools = [...byName.values()].slice(0, toolsOfServer).map(({ name, description = '', inputSchema }) => {
    const converted = convertSchema(inputSchema)
    const offeredAs = offeredName(server, name)
    const problem = taken.has(offeredAs) ? 'name_taken' : converted.ok ? null : converted.problem
    taken.add(offeredAs)
    const schema = converted.ok ? converted.schema : { type: 'object', properties: {} }
    return { name, offeredAs, description: cleanText(description, descriptionLength), schema, problem }
  })
  return { tools, leftOut: listed.length - tools.length }
}

/** A hash of the parts of a definition that models are shown, to detect changes after an operator has seen it. */
export function revisionOf({ description, schema }: Pick<ToolDefinition, 'description' | 'schema'>): string {
  return createHash('sha256')
    .update(JSON.stringify([description, schema]))
    .digest('hex')
    .slice(0, 16)
}

/**
 * The name of a tool for agents: `<server>__<tool>`. Names of servers contain no `_` and names of the server's own
 * tools no `__`, so that tools of two servers, or own tools, never have the same name. Characters that providers refuse
 * are replaced, and a hash of the whole name is appended.
 */
function offeredName(server: string, tool: string): string {
  const left = nameLength - server.length - 2
  if (/^[A-Za-z0-9_-]+$/.test(tool) && tool.length <= left) return `${server}__${tool}`
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, 8)
  return `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, left - 9)}_${hash}`
}
