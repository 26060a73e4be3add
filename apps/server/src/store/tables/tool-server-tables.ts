import type { ForeignToolProblem, ToolPolicy, ToolServerTrouble } from '@copydesk/protocol'
import type { Generated } from 'kysely'

/** Tables of tool servers. Times, ids and JSON as in `Tables`. */
export type ToolServerTables = {
  /**
   * A server whose tools agents may use. Those of kind `stdio` are in the configuration, with their commands; the row
   * has their state. `token` is sealed and sent in `header`. `version` grows when it has to be connected again.
   */
  tool_servers: {
    name: string
    kind: 'http' | 'stdio'
    url: string | null
    header: string | null
    token: string | null
    enabled: Generated<number>
    /** The failed attempts since the last success, and when the last of them was. */
    failures: Generated<number>
    failed_at: Generated<number | null>
    down_since: Generated<number | null>
    down_reason: Generated<ToolServerTrouble | null>
    down_detail: Generated<string | null>
    reached_at: Generated<number | null>
    /** How many tools were not even noted, since the server has too many. */
    left_out: Generated<number>
    version: Generated<number>
    created_by: string | null
    created_at: number
  }
  /**
   * The tools of tool servers as operators have last seen them; models are shown these definitions. `changed` is a
   * definition that the server gave later, as JSON: until an operator accepts it, the tool isn't offered. `gone`: the
   * server lists it no longer.
   */
  foreign_tools: {
    server: string
    name: string
    offered_as: string
    description: string
    schema: string
    problem: ForeignToolProblem | null
    policy: ToolPolicy
    changed: Generated<string | null>
    gone: Generated<number>
  }
  /** Policies of the server's own tools that send something out, where they differ from `allow`. */
  tool_policies: { tool: string; policy: ToolPolicy }
}
