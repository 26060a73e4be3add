import type { Toolbox } from '@copydesk/agent'
import type { ToolPolicy } from '@copydesk/protocol'
import { catalogue, type Need, type Tool } from '@copydesk/tools'
import type { Kysely } from 'kysely'
import { toList } from '../../../agents/agent-rows.ts'
import { isFromOutside } from '../../../runs/outside-runs.ts'
import type { AgentRow, RunRow, Tables } from '../../../store/tables.ts'
import type { ForeignOffer, ForeignTools } from '../../../tool-servers/foreign-tools.ts'
import type { ToolPolicies } from '../../../tool-servers/tool-policies.ts'
import type { AgentHost } from '../agent-host.ts'
import type { CallerRight } from '../caller-right.ts'
import { withForeignTools } from './foreign-toolbox.ts'
import type { OutsideText } from '../outside-text.ts'
import type { MissingTool } from '../prompt/prompt.ts'

export type OutgoingToolsDeps = {
  db: Kysely<Tables>
  foreignTools: ForeignTools
  toolPolicies: ToolPolicies
  now: () => number
}

/** The tools that send data out of the server and that a run may use, as operators have decided. */
export type OutgoingTools = {
  readonly policies: ReadonlyMap<string, ToolPolicy>
  /** Tools that an operator has switched off, and those of tool servers that are down. */
  readonly missing: readonly MissingTool[]
  /** The server's own tools that the run's agent has and no operator has switched off. */
  allowed(tools: readonly Tool[]): Tool[]
  /** A toolbox with its own tools and those of tool servers; their results have at most `limit` characters. */
  addTo(own: Toolbox, outside: OutsideText, limit: number): Toolbox
}

/**
 * Reads the tools that a run may use when it begins or continues. The tools of tool servers are for members who could
 * approve their calls, and not for outside agents, which connect to tool servers themselves. `isChosen`: whether the
 * run's agent has a tool.
 */
export async function offerOutgoing(
  run: RunRow,
  right: CallerRight,
  isGuest: boolean,
  isChosen: (name: string) => boolean,
  deps: OutgoingToolsDeps,
): Promise<OutgoingTools> {
  const own = await deps.toolPolicies.list()
  const policies = new Map<string, ToolPolicy>(own.map(({ tool, policy }) => [tool, policy]))
  const denied = own.filter(({ policy }) => policy === 'deny').map(({ tool }) => tool)
  const mayUseForeign = right.canEdit && !isGuest && !isFromOutside(run)
  const { tools, missing }: ForeignOffer = mayUseForeign ? await deps.foreignTools.offer() : { tools: [], missing: [] }
  const foreign = {
    tools: tools.filter(({ name }) => isChosen(name)),
    missing: missing.filter(({ name }) => isChosen(name)),
  }
  return {
    policies,
    missing: [...denied.map((name) => ({ name, reason: 'an operator has switched it off' })), ...foreign.missing],
    allowed: (tools) => tools.filter(({ name }) => isChosen(name) && policies.get(name) !== 'deny'),
    addTo: (toolbox, outside, limit) =>
      withForeignTools(toolbox, { ...deps, tools: foreign.tools, run, right, outside, limit }),
  }
}

/** Returns a predicate for the tools of a run's agent: a named agent may have only some. */
export function toolsOf(agent: AgentRow | undefined): (name: string) => boolean {
  const chosen = toList(agent?.tools ?? null)
  return (name) => chosen?.includes(name) ?? true
}

/** The tools that the caller may use and whose requirements the server fulfils. */
export function toolsFor({ canEdit, canComment }: CallerRight, { project }: AgentHost): Tool[] {
  const isThere: Partial<Record<Need, boolean>> = {
    project: project !== undefined,
    'project-writing': project?.writing !== undefined,
  }
  return catalogue.filter(
    ({ editorsOnly, readsOnly, needs }) =>
      (canEdit || !editorsOnly) && (canComment || readsOnly) && (!needs || isThere[needs] !== false),
  )
}
