import type { ToolOutcome, TranscriptMessage } from '@copydesk/agent'
import { Localizable, type Step, StepError, TextPair } from '@copydesk/protocol'
import { z } from 'zod'
import type { StepRow } from '../store/tables.ts'

const textLimit = 600
const changesLimit = 12

const StepDetail = z.object({
  read: z.string().optional(),
  error: StepError.optional(),
  reason: Localizable.optional(),
})

/**
 * The text that a finished call read, or the reason of its failure, as stored in `run_steps.detail`; null if there is
 * none.
 */
export function detailOf({ ok, excerpt, problem }: ToolOutcome): string | null {
  if (!ok && problem) return JSON.stringify({ error: problem })
  if (ok && excerpt !== undefined) return JSON.stringify({ read: cut(excerpt) } satisfies z.infer<typeof StepDetail>)
  return null
}

/** The reason why a held call waits for approval, as stored in `run_steps.detail`; null if the mode is the reason. */
export function detailOfHeldCall({ reason }: ToolOutcome): string | null {
  return reason === undefined ? null : JSON.stringify({ reason })
}

/** The text of the answer that made this call, if the call is that answer's first and the answer has text. */
export function textBeforeCall(callId: string, answer: TranscriptMessage | undefined): string | null {
  if (answer?.role !== 'assistant' || answer.toolCalls[0]?.id !== callId) return null
  return answer.text.trim() || null
}

/**
 * The fields of a step that users see in its details. Long texts and lists are shortened, since every room contains
 * them.
 */
export function shownDetails(row: StepRow): Partial<Step> {
  const detail = row.detail === null ? {} : StepDetail.parse(JSON.parse(row.detail))
  const blocks = row.blocks === null ? [] : z.array(TextPair).parse(JSON.parse(row.blocks))
  const changed = blocks.filter(({ before, after }) => before !== after)
  return {
    ...(row.round === null ? {} : { round: row.round }),
    ...(row.said === null ? {} : { said: row.said }),
    ...detail,
    ...(changed.length === 0 ? {} : { changes: changed.slice(0, changesLimit).map(cutPair) }),
    ...(changed.length > changesLimit ? { moreChanges: changed.length - changesLimit } : {}),
  }
}

// The excerpt surrounds the difference, which may be at the end of a long block.
function cutPair({ before, after }: TextPair): TextPair {
  if (Math.max(before.length, after.length) <= textLimit) return { before, after }
  let same = 0
  while (same < Math.min(before.length, after.length) && before[same] === after[same]) same += 1
  const from = Math.max(0, same - 60)
  const lead = from > 0 ? '…' : ''
  return { before: lead + cut(before.slice(from)), after: lead + cut(after.slice(from)) }
}

function cut(text: string): string {
  return text.length <= textLimit ? text.toWellFormed() : `${text.slice(0, textLimit).toWellFormed().trimEnd()}…`
}
