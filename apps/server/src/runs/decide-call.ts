import type { CallDecision } from '@copydesk/agent'
import { Approval, type DecideCall, type Run, type User } from '@copydesk/protocol'
import { findTool } from '@copydesk/tools'
import { z } from 'zod'
import { recordAuditEvent } from '../audit/audit.ts'
import { type Refusal, refuse } from '../common/errors.ts'
import type { StepRow } from '../store/tables.ts'
import type { RunStore } from './run-store.ts'

const Arguments = z.record(z.string(), z.unknown())

/**
 * Stores a user's decision on a call that waits for it, and queues the run when none of its calls waits any more. A
 * call takes one decision: a second one, or one on a call that doesn't wait, is a `conflict`. Returns the run as it is
 * afterwards.
 */
export async function decideCall(
  runs: RunStore,
  { run, call, decision, by, at }: { run: string; call: string; decision: DecideCall; by: User; at: number },
): Promise<{ ok: true; run: Run } | Refusal> {
  let refusal: Refusal | undefined
  const shown = await runs.show(run, async ({ trx }) => {
    const steps = await runs.steps(run, trx)
    const step = steps.find(({ id }) => id === call)
    const row = await runs.findRow(run, trx)
    refusal = checkDecision(step, row?.ended_at ?? null, decision)
    if (refusal || !step) return
    const approval: Approval = {
      decision: decision.decision,
      by: { id: by.id, name: by.name, kind: 'person' },
      ...(decision.reason?.trim() ? { reason: decision.reason.trim() } : {}),
    }
    await trx
      .updateTable('run_steps')
      .set({ approval: JSON.stringify(approval), ...effectOf(decision) })
      .where('run', '=', run)
      .where('id', '=', call)
      .execute()
    await recordAuditEvent(trx, {
      at,
      actor: by.id,
      action: 'approval-decided',
      document: row?.document,
      target: run,
      details: { call, tool: step.tool, decision: decision.decision },
    })
    if (steps.some(({ id, status }) => id !== call && status === 'awaiting_approval')) return
    await trx
      .updateTable('runs')
      .set({ status: 'queued' })
      .where('id', '=', run)
      .where('status', '=', 'awaiting_approval')
      .execute()
  })
  if (refusal) return refusal
  return shown ? { ok: true, run: shown } : notFound()
}

// The summary is kept: the approval names the person who decided, and the proposal must remain visible.
function effectOf({ decision, arguments: given }: DecideCall): Partial<StepRow> {
  if (decision === 'reject') return { status: 'rejected' }
  return { status: 'running', ...(given ? { approved_arguments: JSON.stringify(given) } : {}) }
}

function checkDecision(step: StepRow | undefined, endedAt: number | null, decision: DecideCall): Refusal | undefined {
  if (!step) return notFound()
  const hint = 'Read the run again: its steps show its state.'
  const decided = decidedBy(step)
  if (decided) return refuse('conflict', decided, hint)
  if (step.status !== 'awaiting_approval' || endedAt !== null) {
    return refuse('conflict', 'This call does not wait for approval.', hint)
  }
  return decision.decision === 'approve' ? checkArguments(step, decision.arguments) : undefined
}

function notFound(): Refusal {
  return refuse('not_found', 'There is no such call in this run.', "The call's id is the id of a step of the run.")
}

function decidedBy(step: StepRow): string | undefined {
  const approval = readApproval(step)
  if (!approval) return undefined
  return `${approval.by.name} has already ${approval.decision === 'approve' ? 'approved' : 'rejected'} this call.`
}

/**
 * Only arguments that the user changed are validated: the model's own were accepted unchanged, in any form that the
 * tool tolerates.
 */
function checkArguments(step: StepRow, given: Record<string, unknown> | undefined): Refusal | undefined {
  const tool = findTool(step.tool)
  if (!given || !tool) return undefined
  const wanted = tool.normalize(given)
  const parsed = tool.input.safeParse(wanted)
  if (parsed.success) return undefined
  const proposed = tool.normalize(JSON.parse(step.arguments))
  const valueOf = (input: unknown, field: string): unknown => new Map(Object.entries(Object(input))).get(field)
  const isSame = (field: string): boolean =>
    JSON.stringify(valueOf(wanted, field)) === JSON.stringify(valueOf(proposed, field))
  const issue = parsed.error.issues.find(({ path }) => !isSame(String(path[0])))
  if (!issue) return undefined
  return refuse(
    'invalid_input',
    `arguments.${issue.path.join('.')}: ${issue.message}`,
    `Give arguments that ${step.tool} accepts, or leave them out to approve what the agent proposed.`,
  )
}

function readApproval(step: StepRow): Approval | undefined {
  return step.approval === null ? undefined : Approval.parse(JSON.parse(step.approval))
}

/** The users' decisions on the held calls of a run, in the form that the agent's loop takes. */
export function decisionsOf(steps: readonly StepRow[]): Map<string, CallDecision> {
  const decisions = new Map<string, CallDecision>()
  for (const step of steps) {
    const approval = readApproval(step)
    if (approval) decisions.set(step.id, toDecision(approval, step))
    else if (step.status === 'awaiting_approval') decisions.set(step.id, { kind: 'waiting' })
  }
  return decisions
}

function toDecision({ decision, by, reason }: Approval, step: StepRow): CallDecision {
  if (decision === 'reject') return { kind: 'rejected', by: by.name, ...(reason === undefined ? {} : { reason }) }
  const given = step.approved_arguments
  return {
    kind: 'approved',
    by: by.name,
    ...(given === null ? {} : { arguments: Arguments.parse(JSON.parse(given)) }),
  }
}
