import { type Author, fileTools, Message, PlanItem, Run, Step } from '@copydesk/protocol'
import { z } from 'zod'
import { iso } from '../common/time.ts'
import { millionth } from '../budgets/usage.ts'
import { agentIdentity } from '../common/identity.ts'
import { changedBlocksOf } from './step-changes.ts'
import { shownDetails } from './step-details.ts'
import type { MessageRow, RunRow, StepRow } from '../store/tables.ts'

/** A field of an object, left out where there is no value. */
const optional = <K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } =>
  value === null || value === undefined ? {} : ({ [key]: value } as { [P in K]?: V })

/** The agent of a run as an author: the default agent, a named one, or an outside agent. */
export function agentOf({ agent, agent_name: name }: Pick<RunRow, 'agent' | 'agent_name'>): Author {
  return { id: agent ?? agentIdentity.id, name: name ?? agentIdentity.name, kind: 'agent' }
}

/** A run's row and its steps as a protocol `Run`. */
export function toRun(row: RunRow, steps: readonly StepRow[]): Run {
  const changedBlocks = changedBlocksOf(steps)
  return Run.parse({
    id: row.id,
    documentId: row.document,
    status: row.status,
    trigger: { kind: row.trigger_kind, id: row.trigger_id },
    instruction: row.instruction,
    invokedBy: { id: row.invoked_by, name: row.invoked_by_name, kind: 'person' },
    mode: row.mode,
    ...optional('agentName', row.agent_name),
    ...(row.agent !== null && row.agent_handle !== null ? { agent: { id: row.agent, handle: row.agent_handle } } : {}),
    rounds: row.rounds,
    maxRounds: row.max_rounds,
    steps: steps.map((step) => toStep(step, row.undone === 1)),
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens },
    ...optional('cost', row.cost === null ? null : row.cost / millionth),
    ...optional('plan', planOf(steps)),
    ...optional('answer', row.answer),
    ...optional('notice', row.notice),
    ...optional('error', row.error === null ? null : (JSON.parse(row.error) as unknown)),
    ...(changedBlocks.length === 0 ? {} : { changedBlocks }),
    ...optional('undone', row.undone === 1 ? true : null),
    createdAt: iso(row.created_at),
    ...optional('endedAt', row.ended_at === null ? null : iso(row.ended_at)),
  })
}

const Plan = z.object({ items: z.array(PlanItem) })

/** The plan of the last successful call of `update_plan`. */
function planOf(steps: readonly StepRow[]): PlanItem[] | null {
  const last = steps.findLast(({ tool, status }) => tool === 'update_plan' && status === 'ok')
  const parsed = Plan.safeParse(last && JSON.parse(last.arguments))
  return parsed.success ? parsed.data.items : null
}

function toStep(row: StepRow, isRunUndone: boolean): Step {
  return Step.parse({
    id: row.id,
    tool: row.tool,
    arguments: shownArguments(row),
    status: row.status,
    summary: row.summary,
    ...optional('localizable', row.localizable === null ? null : (JSON.parse(row.localizable) as unknown)),
    startedAt: iso(row.started_at),
    ...optional('endedAt', row.ended_at === null ? null : iso(row.ended_at)),
    ...optional('proposal', row.proposal === null ? null : (JSON.parse(row.proposal) as unknown)),
    ...optional('approval', row.approval === null ? null : (JSON.parse(row.approval) as unknown)),
    ...optional('changed', row.changed === 1 ? true : null),
    ...optional('undone', row.changed === 1 && (isRunUndone || row.undone === 1) ? true : null),
    ...shownDetails(row),
  })
}

// The text of a file is only for people who may decide on it, and is too large for the room.
function shownArguments({ tool, arguments: given, approved_arguments: approved }: StepRow): unknown {
  const parsed: unknown = JSON.parse(approved ?? given)
  return fileTools.includes(tool) ? { ...Object(parsed), content: undefined } : parsed
}

/** A message's row as a protocol `Message`. */
export function toMessage(row: MessageRow): Message {
  return Message.parse({
    id: row.id,
    role: row.role,
    author: { id: row.author_id, name: row.author_name, kind: row.author_kind },
    text: row.text,
    ...optional('mentions', row.mentions === null ? null : (JSON.parse(row.mentions) as unknown)),
    status: row.status,
    ...optional('conversation', row.conversation),
    ...optional('run', row.run),
    createdAt: iso(row.created_at),
  })
}
