import { createHash } from 'node:crypto'
import type { ForeignToolProblem } from '@copydesk/protocol'
import { cleanText } from './clean-text.ts'
import { convertSchema, type JsonSchema } from './tool-schema.ts'

/** A tool as its server lists it. */
export type ListedTool = { name: string; description?: string | undefined; inputSchema: unknown }

/** A tool of a tool server, bounded, with the name under which agents know it; with a `problem` it can't be offered. */
export type ToolDefinition = {
  name: string
  offeredAs: string
  description: string
  schema: JsonSchema
  problem: ForeignToolProblem | null
}

/** The most tools of one server that are noted; the others are only counted. */
const toolsOfServer = 64
const descriptionLength = 1_000
const nameLength = 64

/**
 * Bounds what a tool server lists: the first 64 tools, in its order. Of two tools that would have the same name for
 * agents, the second has a `problem`.
 */
export function readDefinitions(
  server: string,
  listed: readonly ListedTool[],
): { tools: ToolDefinition[]; leftOut: number } {
  // The longest name that the protocol allows.
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

/** What an operator has seen of a tool: equal for two definitions exactly if models are shown the same. */
export function revisionOf({ description, schema }: Pick<ToolDefinition, 'description' | 'schema'>): string {
  return createHash('sha256')
    .update(JSON.stringify([description, schema]))
    .digest('hex')
    .slice(0, 16)
}

/**
 * The name of a tool for agents: `<server>__<tool>`. Names of servers have no `_`, and the server's own tools no `__`,
 * so that two servers can't have the same, nor one of the server's own. What providers refuse in names is replaced,
 * and a hash of the whole name added.
 */
function offeredName(server: string, tool: string): string {
  const left = nameLength - server.length - 2
  if (/^[A-Za-z0-9_-]+$/.test(tool) && tool.length <= left) return `${server}__${tool}`
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, 8)
  return `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, left - 9)}_${hash}`
}
