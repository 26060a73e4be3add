import type { MentionAttributes } from '@copydesk/schema'
import type { Run, UnstartedMention } from '@copydesk/protocol'

/**
 * The state of the request behind a mention, for `data-run-state`. `sent`: its run isn't known (any more); `unstarted`:
 * it started no run.
 */
export type ChipState =
  | 'person'
  | 'draft'
  | 'sent'
  | 'unstarted'
  | 'queued'
  | 'working'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'stopped'
  | 'limit'

/**
 * Derives a chip's state from its node and, if there is one, the run that it started or the reason why it started none.
 */
export function chipState(
  mention: Pick<MentionAttributes, 'kind' | 'state'>,
  run: Run | undefined,
  unstarted?: UnstartedMention,
): ChipState {
  if (mention.kind === 'person') return 'person'
  if (!run) return unstarted && mention.state === 'sent' ? 'unstarted' : mention.state
  switch (run.status) {
    case 'queued':
      return 'queued'
    case 'running':
      return 'working'
    case 'awaiting_approval':
      return 'waiting'
    case 'completed':
      return 'done'
    case 'failed':
      return 'failed'
    case 'stopped':
      return 'stopped'
    case 'limit_reached':
      return 'limit'
  }
}

/** The words in the chip next to the name; empty if the name is enough. */
export function chipHint(state: ChipState, unstarted?: UnstartedMention): string {
  return state === 'unstarted' && unstarted ? `${hints.unstarted}: ${unstarted.message}` : hints[state]
}

const hints: Record<ChipState, string> = {
  person: '',
  draft: 'Enter to send',
  sent: '',
  unstarted: 'not started',
  queued: 'queued',
  working: 'working',
  waiting: 'needs your word',
  done: 'done',
  failed: 'failed',
  stopped: 'stopped',
  limit: 'reached its limit',
}
