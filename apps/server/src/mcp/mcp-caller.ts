import type { Access, AgentMode } from '@copydesk/protocol'
import type { Need } from '@copydesk/tools'
import type { OutsideAgent, OutsideRuns } from '../runs/outside-runs.ts'

/** A call of the HTTP API in the name of the caller, and its answer: JSON where the route answers with JSON. */
export type ApiCall = { method: 'GET' | 'POST'; url: string; body?: unknown }
export type ApiAnswer = { ok: true; body: unknown; text: string } | { ok: false; message: string }

/** An agent of another program, who calls over MCP, and what it may do. */
export type McpCaller = {
  agent: OutsideAgent
  /** The scope of its key: the limit of what it may do in any document. */
  scope: Access
  /** Its access to a document now; undefined if it may not open it. */
  access: (document: string) => Promise<Access | undefined>
  api: (call: ApiCall) => Promise<ApiAnswer>
}

/** What the MCP server needs from the rest of the server. */
export type McpDeps = {
  outside: OutsideRuns
  /** How changes by agents are made in a document. */
  modeOf: (document: string, person: string) => Promise<AgentMode>
  /** Whether an operator has set up what some tools need. */
  isSetUp: (need: Need) => boolean
  /** How long a call waits for its result; a person may take longer to approve it. */
  waitMs: number
}
