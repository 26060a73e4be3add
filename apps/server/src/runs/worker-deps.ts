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
  /** Limits for the input and output of every run's tools, where they differ from the defaults. */
  toolLimits: Partial<ToolLimits>
  /** The mutex with which the runs of this worker serialize their changes of a document. */
  turns: DocumentMutex
  limits: { runTimeoutMs: number; runTokens: number; dailyTokens: number | undefined }
  logger: Logger
}

/**
 * Why a run's execution was aborted from outside. After `shutdown` and `refused` (the server rejects this worker's
 * peer: another worker has the run, or the server can't check right now) the run stays unchanged. After `broken` (the
 * server can't read what the peer sends) and `revoked` (the caller lost the right to call the agent, or the key has
 * ended) it fails.
 */
export type AbortReason = 'stop' | 'timeout' | 'shutdown' | 'refused' | 'revoked' | 'broken'
