import type { AgentMode } from '@copydesk/protocol'
import type { Generated } from 'kysely'

/** Tables of named agents. Times, ids and JSON as in `Tables`. */
export type AgentTables = {
  /**
   * `tools` and `folders` are JSON lists of names and ids, null for all. A deleted agent keeps its row, so that what it
   * has written keeps its colour.
   */
  agents: {
    id: string
    handle: string
    name: string
    description: string
    color: string
    picture: string | null
    instructions: string
    /** The reference of a configured model; null for that of the default agent. */
    model: string | null
    tools: string | null
    mode: AgentMode | null
    daily_tokens: number | null
    max_rounds: number | null
    folders: string | null
    enabled: number
    created_by: string
    created_at: number
    updated_at: number
    deleted_at: Generated<number | null>
  }
  /**
   * What makes agents begin by themselves, with the rights of `owner`. A schedule is due at `next_at`; another trigger
   * waits until then after a failure.
   */
  agent_triggers: {
    id: string
    agent: string
    position: number
    kind: 'schedule' | 'comment' | 'document'
    document: string | null
    folder: string | null
    cron: string | null
    zone: string | null
    instruction: string
    owner: string
    next_at: number | null
    last_at: Generated<number | null>
    /** Its latest run, until the run is over and its outcome is noted here. */
    last_run: Generated<string | null>
    /** How often in a row it could not begin, or its run failed. */
    failures: Generated<number>
    problem: Generated<string | null>
  }
  /** Comments and documents for which triggers have not begun yet; `source` is the comment's or document's id. */
  agent_events: { seq: Generated<number>; trigger: string; document: string; source: string }
}
