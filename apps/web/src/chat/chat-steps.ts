import type { ChatAction, ChatStep } from '@copydesk/agent-panel'
import { isFinal, type Run, type Step } from '@copydesk/protocol'
import { describeApproval, editableArgument } from './approval.ts'
import type { RunActions } from './run-actions.ts'
import { stepKey } from './step-key.ts'

const statuses: Record<Step['status'], ChatStep['status']> = {
  running: 'running',
  ok: 'done',
  error: 'failed',
  awaiting_approval: 'waiting',
  rejected: 'rejected',
}

/** The steps of a run as the panel shows them. `canEdit`: whether this user may undo them. */
export function toChatSteps(run: Run, canEdit: boolean, deeds: RunActions): ChatStep[] {
  const canUndo = canEdit && isFinal(run.status)
  return run.steps.map((step) => ({
    id: stepKey(run.id, step.id),
    messageId: run.id,
    title: step.summary || step.tool.replaceAll('_', ' '),
    status: step.approval && step.status === 'awaiting_approval' ? 'running' : statuses[step.status],
    tool: step.tool,
    said: step.said,
    read: step.read,
    changes: step.changes,
    moreChanges: step.moreChanges,
    error: step.error,
    durationMs: durationOf(step),
    group: `${run.id} ${step.round ?? step.id}`,
    proposal: step.proposal,
    text: editableArgument(step)?.text,
    decided: describeApproval(step),
    isUndone: step.undone === true,
    actions: canUndo && step.changed === true ? [undoStep(run, step, deeds)] : [],
  }))
}

function undoStep(run: Run, step: Step, deeds: RunActions): ChatAction {
  const isUndone = step.undone === true
  return {
    id: isUndone ? 'redo-step' : 'undo-step',
    label: isUndone ? 'Redo this step' : 'Undo this step',
    icon: isUndone ? 'redo' : 'undo',
    run: () => (isUndone ? deeds.redo(run.id, step.id) : deeds.undo(run.id, step.id)),
  }
}

// Undefined for a call that waited for approval: most of that time is the user's.
function durationOf({ startedAt, endedAt, approval }: Step): number | undefined {
  return endedAt === undefined || approval ? undefined : Date.parse(endedAt) - Date.parse(startedAt)
}
