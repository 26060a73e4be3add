import { failure, type ToolFailure } from '../common/result.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { HistoryHost } from '../session/host/host.ts'

/** The host's history of earlier runs, or `not_configured` if it keeps none. */
export function requireHistory(session: DocumentSession): { ok: true; history: HistoryHost } | ToolFailure {
  if (session.host?.history) return { ok: true, history: session.host.history }
  return failure('not_configured', 'This session keeps no history of earlier runs.', 'Make the change by hand instead.')
}
