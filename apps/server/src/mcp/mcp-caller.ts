import type { Access } from '@copydesk/protocol'
import type { Need } from '@copydesk/tools'
import type { DocumentStore } from '../documents/document-store.ts'
import type { StorageQuotas } from '../quotas/storage.ts'
import type { OutsideAgent, OutsideRuns } from '../runs/outside-runs.ts'

/** An agent of another program that calls over MCP, and its access. */
export type McpCaller = {
  agent: OutsideAgent
  /** The scope of its key: the limit of its access to any document. */
  scope: Access
  /** Its current access to a document; undefined if it may not open the document. */
  access: (document: string) => Promise<Access | undefined>
}

export type McpDeps = {
  outside: OutsideRuns
  documents: Pick<DocumentStore, 'find' | 'list' | 'create' | 'render'>
  /** Whether quotas leave room for the data that a call stores. */
  room: StorageQuotas['logs']['room']
  /** Runs work that occupies a shared thread for long: the tasks of one person run sequentially. */
  runQueued: <T>(person: string, work: () => Promise<T>) => Promise<T>
  /** Whether the server is configured for tools with this need. */
  isSetUp: (need: Need) => boolean
  /** The time in milliseconds for which a call waits for its result; an approval may take longer. */
  waitMs: number
}
