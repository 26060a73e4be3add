import type { Kysely } from 'kysely'
import type { Budgets } from '../budgets/budgets.ts'
import type { Model } from '../models/models.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import type { RunSessionDeps } from './session/run-session.ts'

export type RunWorkerDeps = RunSessionDeps & {
  db: Kysely<Tables>
  modelOf(run: RunRow): Promise<Model>
  budgets: Budgets
  limits: { runTimeoutMs: number }
}
