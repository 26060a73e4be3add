import type { Run, UnstartedMention } from '@copydesk/protocol'
import type { MentionAttributes } from '@copydesk/schema'
import { createContext } from 'react'
import type { RoomStore } from '../collaboration/room-store.ts'
import { createStore, type Store } from '../common/store.ts'
import { outcomeOf, type RunOutcome } from '../editor/agent-edits/run-outcome.ts'
import { type EnglishText, t } from '../i18n/translate.ts'

/**
 * The state of the request behind a mention, for `data-run-state`. `sent`: its run isn't known or no longer known;
 * `unstarted`: it started no run.
 */
export type ChipState =
  | 'person'
  | 'draft'
  | 'sent'
  | 'unstarted'
  | 'queued'
  | 'working'
  | 'waiting'
  | RunOutcome
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
      return outcomeOf(run)
    case 'failed':
      return 'failed'
    case 'stopped':
      return 'stopped'
    case 'limit_reached':
      return 'limit'
  }
}

/** The text in the chip next to the name; empty if the name is sufficient. */
export function chipHint(state: ChipState, unstarted?: UnstartedMention): string {
  const hint = hints[state]
  if (hint === '') return ''
  return state === 'unstarted' && unstarted ? `${t(hint)}: ${unstarted.message}` : t(hint)
}

const hints: Record<ChipState, EnglishText | ''> = {
  person: '',
  draft: 'Enter to send',
  sent: '',
  unstarted: 'not started',
  queued: 'queued',
  working: 'working',
  waiting: 'needs your approval',
  done: 'done',
  answered: 'answered',
  'not-done': 'not done',
  failed: 'failed',
  stopped: 'stopped',
  limit: 'reached its limit',
}

/** The run whose menu is open, and the chip that it belongs to. */
export type OpenRunMenu = { run: string; chip: HTMLElement }

/** The shared state of the chips of one document: the room with their runs, and the open menu. */
export type RunChips = { room: RoomStore; menu: Store<OpenRunMenu | null> }

/** Creates the shared state of a document's chips, with no menu open. */
export function createRunChips(room: RoomStore): RunChips {
  return { room, menu: createStore<OpenRunMenu | null>(null) }
}

/** The chips of the shown document; null without one. */
export const RunChipsContext = createContext<RunChips | null>(null)

/** The items of a chip's menu for a run. `changed`: whether the run has changed the text. */
type PossibleActions = { stop: boolean; undo: boolean; redo: boolean; changes: boolean; remove: boolean }

/** The possible actions on a run, for users with or without the right to edit. */
export function possibleActions(run: Run, changed: boolean, canEdit: boolean, canStop: boolean): PossibleActions {
  const isGoing = run.status === 'queued' || run.status === 'running' || run.status === 'awaiting_approval'
  const undone = run.undone === true
  return {
    stop: isGoing && canStop,
    undo: !isGoing && canEdit && changed && !undone,
    redo: !isGoing && canEdit && changed && undone,
    changes: (run.changedBlocks?.length ?? 0) > 0,
    remove: !isGoing && canEdit && run.trigger.kind === 'mention',
  }
}
