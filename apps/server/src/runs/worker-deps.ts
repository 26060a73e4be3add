import type { ModelProvider } from '@copydesk/agent'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Services } from '../services.ts'
import type { ToolLimits } from '@copydesk/tools'
import type { Tables } from '../store/tables.ts'
import type { DocumentMutex } from './document-mutex.ts'

/** What a worker needs to execute runs. */
export type RunWorkerDeps = Pick<
  Services,
  | 'runs'
  | 'undo'
  | 'threads'
  | 'changes'
  | 'highlights'
  | 'images'
  | 'writer'
  | 'signals'
  | 'tokens'
  | 'people'
  | 'runAccess'
  | 'now'
  | 'elapsed'
> & {
  db: Kysely<Tables>
  provider: ModelProvider
  /** The address of `/collab`, where the agent joins documents as a peer. */
  collabUrl: string
  /** What the tools of every run take and give at most, where that isn't the default. */
  toolLimits: Partial<ToolLimits>
  /** Where the runs of this worker wait for each other before they change a document. */
  turns: DocumentMutex
  limits: { runTimeoutMs: number; runTokens: number; dailyTokens: number | undefined }
  logger: Logger
}

/**
 * Why a run's execution was ended from outside. After `shutdown` and `refused` (the server doesn't let this worker's
 * peer in: another has the run, or the server can't check right now) the run stays as it is; after `broken` (the server
 * can't read what the peer sends) and `revoked` (whoever started it lost the right to, or the key for it) it fails.
 */
export type AbortReason = 'stop' | 'timeout' | 'shutdown' | 'refused' | 'revoked' | 'broken'
