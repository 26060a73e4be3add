import type { Access } from '@copydesk/protocol'
import type { Need } from '@copydesk/tools'
import type { DocumentStore } from '../documents/document-store.ts'
import type { StorageQuotas } from '../quotas/storage.ts'
import type { OutsideAgent, OutsideRuns } from '../runs/outside-runs.ts'

/** An agent of another program, who calls over MCP, and what it may do. */
export type McpCaller = {
  agent: OutsideAgent
  /** The scope of its key: the limit of what it may do in any document. */
  scope: Access
  /** Its access to a document now; undefined if it may not open it. */
  access: (document: string) => Promise<Access | undefined>
}

/** What the MCP server needs from the rest of the server. */
export type McpDeps = {
  outside: OutsideRuns
  documents: Pick<DocumentStore, 'find' | 'list' | 'create' | 'render'>
  /** Whether quotas leave room for what a call stores. */
  room: StorageQuotas['logs']['room']
  /** Runs work that occupies a shared thread for long: that of one person runs sequentially. */
  inTurn: <T>(person: string, work: () => Promise<T>) => Promise<T>
  /** Whether an operator has set up what some tools need. */
  isSetUp: (need: Need) => boolean
  /** How long a call waits for its result; a person may take longer to approve it. */
  waitMs: number
}
