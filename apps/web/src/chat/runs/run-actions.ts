import type { StepDecision } from '@copydesk/agent-panel'
import type { Step } from '@copydesk/protocol'
import { decideAllChanges } from '../../api/review.ts'
import { continueRun, decideCall, redoRun, stopRun, undoRun } from '../../api/runs.ts'
import type { RoomStore } from '../../collaboration/room-store.ts'
import { sentText, t } from '../../i18n/translate.ts'
import { showError } from '../../ui/toasts/toasts.tsx'

/**
 * The panel's actions on the runs of a document. Failures are shown to the user, and reject so that the panel keeps its
 * draft.
 */
export type RunActions = {
  stop(run: string): Promise<void>
  continueRun(run: string): Promise<void>
  undo(run: string, step?: string): Promise<void>
  redo(run: string, step?: string): Promise<void>
  decideSuggestions(run: string, decision: 'accept' | 'reject'): Promise<void>
  decide(decisions: readonly StepDecision[]): Promise<void>
}

/** The actions by HTTP; their results arrive in the room. */
export function createRunActions(document: string, room: Pick<RoomStore, 'get'>): RunActions {
  return {
    stop: (run) => shown(stopRun(document, run)),
    continueRun: (run) => shown(continueRun(document, run)),
    undo: (run, step) => shown(undoRun(document, run, step)),
    redo: (run, step) => shown(redoRun(document, run, step)),
    decideSuggestions: (run, decision) => shown(decideAllChanges(document, decision, { run })),
    async decide(decisions) {
      let failure: unknown
      // One failure, for example because another user decided first, doesn't prevent the other decisions.
      for (const decision of decisions) {
        const problem = await decideOne(document, room, decision).then(
          () => undefined,
          (error: unknown) => ({ error }),
        )
        failure ??= problem
      }
      if (failure !== undefined) throw new Error('not all of it could be decided', { cause: failure })
    },
  }
}

async function decideOne(document: string, room: Pick<RoomStore, 'get'>, given: StepDecision): Promise<void> {
  const { run, step: id } = readStepKey(given.step)
  const step = room
    .get()
    .runs.get(run)
    ?.steps.find((each) => each.id === id)
  const edited = step && given.text !== undefined ? editedArguments(step, given.text) : undefined
  const { decision, reason } = given
  await shown(
    decideCall(document, run, id, {
      decision,
      ...(edited ? { arguments: edited } : {}),
      ...(reason === undefined ? {} : { reason }),
    }),
  )
}

async function shown(action: Promise<void>): Promise<void> {
  try {
    await action
  } catch (error) {
    showError(error)
    throw error
  }
}

/** The number of these steps that wait for approval. */
export function countWaiting(steps: readonly Step[]): number {
  return steps.filter(({ status, approval }) => status === 'awaiting_approval' && !approval).length
}

/** The panel's id of a step: step ids of the protocol are unique only within their run. */
export function stepKey(run: string, step: string): string {
  return `${run} ${step}`
}

/** Reads `stepKey`. */
function readStepKey(key: string): { run: string; step: string } {
  const at = key.indexOf(' ')
  return { run: key.slice(0, at), step: key.slice(at + 1) }
}

/** The one text among a call's arguments that a user would want to edit before approving it. */
type EditableArgument = { name: string; text: string }

const candidates = ['replace', 'replaceWith', 'newText', 'content', 'text', 'query', 'keywords'] as const

/** Finds that argument; undefined if the call has none, for example a change of formatting. */
export function editableArgument({ arguments: given }: Pick<Step, 'arguments'>): EditableArgument | undefined {
  for (const name of candidates) {
    const value = given[name]
    if (typeof value === 'string') return { name, text: value }
  }
  return undefined
}

/** The arguments to approve with: undefined if the text is unchanged, so that the agent's own are used. */
export function editedArguments(step: Step, text: string): Record<string, unknown> | undefined {
  // The content of a file isn't in the room.
  if ('path' in step.arguments) return { ...step.arguments, content: text }
  const editable = editableArgument(step)
  return editable && editable.text !== text ? { ...step.arguments, [editable.name]: text } : undefined
}

/** Why a call waits although the mode doesn't hold it, in a sentence; `undefined` for a change that the mode holds. */
export function approvalReason({ status, reason }: Pick<Step, 'status' | 'reason'>): string | undefined {
  return reason && status === 'awaiting_approval' ? (sentText(reason.key, reason) ?? reason.key) : undefined
}

/** The person who decided on a call and the decision, in a sentence; undefined before the decision. */
export function describeApproval({ approval }: Pick<Step, 'approval'>): string | undefined {
  if (!approval) return undefined
  const { name } = approval.by
  const decided =
    approval.decision === 'approve' ? t('Approved by {name}', { name }) : t('Rejected by {name}', { name })
  return approval.reason ? `${decided}: ${approval.reason}` : decided
}
