import type { ModelProvider } from '@copydesk/agent'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { RunSessionDeps } from './session/run-session.ts'

/** What a worker needs to execute runs. */
export type RunWorkerDeps = RunSessionDeps & {
  db: Kysely<Tables>
  provider: ModelProvider
  limits: { runTimeoutMs: number; runTokens: number; dailyTokens: number | undefined }
}
