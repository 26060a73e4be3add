import type { Run } from '@copydesk/protocol'
import { hasChanged } from './run-undo.ts'

/** The outcome of a completed run: a change, only an answer, or nothing, since its calls failed or were rejected. */
export type RunOutcome = 'done' | 'answered' | 'not-done'

// The effects of these tools aren't in the text, so `changed` is false for them.
const besideText: ReadonlySet<string> = new Set([
  'add_comment',
  'reply_to_comment',
  'resolve_comment',
  'highlight_text',
  'scroll_to',
])

// A missing file or text is not a failure of the request: the answer describes the result of the search.
const reading = /^(?:read|get|list|find|search)_/

/** The outcome of a completed run, from its steps. */
export function outcomeOf(run: Run): RunOutcome {
  const did = run.steps.some(({ tool, status }) => status === 'ok' && besideText.has(tool))
  if (did || hasChanged(run)) return 'done'
  return run.steps.some(isFailure) ? 'not-done' : 'answered'
}

function isFailure({ tool, status }: Run['steps'][number]): boolean {
  return status === 'rejected' || (status === 'error' && !reading.test(tool))
}
