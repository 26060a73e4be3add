import { fileTools, isFinal, type RunStatus } from '@copydesk/protocol'
import type { Kysely, Transaction } from 'kysely'
import { RequestError } from '../common/errors.ts'
import type { RunRow, StepRow, Tables } from '../store/tables.ts'
import type { StepEnd, UndonePart } from './effect-set.ts'
import { cutPart } from './open-calls.ts'

/** The part to undo or redo: a whole run, or one step of it. */
export type UndoOrRedo = { kind: 'undo' | 'redo'; step?: string }

/** The undone steps of a run, and whether the whole run is undone. */
export type UndoState = { undone: boolean; steps: ReadonlyMap<string, boolean> }

/**
 * The undo state of a run and its steps after the requested undo or redo.
 * @throws RequestError `not_found` for an unknown step, `conflict` if there is nothing to undo or redo.
 */
export function stateAfter(run: RunRow, steps: readonly StepRow[], { kind, step }: UndoOrRedo): UndoState {
  if (!isFinal(run.status as RunStatus)) {
    throw new RequestError('conflict', 'This run has not ended yet.', 'Stop it first, or wait until it ends.')
  }
  const wanted = kind === 'undo'
  const changed = steps.filter((row) => row.changed === 1)
  const states = new Map(changed.map((row) => [row.id, run.undone === 1 || row.undone === 1]))
  if (step !== undefined) requireStep(step, steps, states, wanted)
  else if (run.undone === 1 ? wanted : isInState(states, wanted)) throw settled('run', wanted)
  for (const id of step === undefined ? states.keys() : [step]) states.set(id, wanted)
  const undone = wanted && (step === undefined || [...states.values()].every(Boolean))
  return { undone, steps: states }
}

/** The calls among these steps that have written a file and whose undo state changes. */
export function fileCallsOf(run: RunRow, steps: readonly StepRow[], after: UndoState): string[] {
  const isUndone = (step: StepRow): boolean => run.undone === 1 || step.undone === 1
  return steps
    .filter(
      (step) => fileTools.includes(step.tool) && step.changed === 1 && isUndone(step) !== after.steps.get(step.id),
    )
    .map(({ id }) => id)
}

function isInState(states: ReadonlyMap<string, boolean>, wanted: boolean): boolean {
  const all = [...states.values()]
  return wanted ? all.length > 0 && all.every(Boolean) : !all.some(Boolean)
}

function requireStep(step: string, steps: readonly StepRow[], states: ReadonlyMap<string, boolean>, wanted: boolean) {
  if (!steps.some(({ id }) => id === step)) {
    throw new RequestError('not_found', 'This run has no such step.', 'Use the id of one of the run’s steps.')
  }
  const state = states.get(step)
  if (state === undefined) throw nothingToUndo('step')
  if (state === wanted) throw settled('step', wanted)
}

function settled(what: 'run' | 'step', wanted: boolean): RequestError {
  if (wanted)
    return new RequestError(
      'conflict',
      what === 'run' ? 'This run has already been undone.' : 'This step has already been undone.',
      'Redo puts it back.',
    )
  return new RequestError(
    'conflict',
    what === 'run' ? 'This run is not undone.' : 'This step is not undone.',
    'Only what has been undone can be put back.',
  )
}

/** The error for undoing a run or step that has changed nothing. */
export function nothingToUndo(what: 'run' | 'step'): RequestError {
  return new RequestError(
    'conflict',
    what === 'run'
      ? 'There is nothing to undo: this run has not changed the document.'
      : 'There is nothing to undo: this step has not changed the document.',
  )
}

/** Stores the undo state of a run and its steps. */
export async function storeState(trx: Transaction<Tables>, run: string, state: UndoState): Promise<void> {
  await trx
    .updateTable('runs')
    .set({ undone: state.undone ? 1 : 0 })
    .where('id', '=', run)
    .execute()
  for (const [step, undone] of state.steps) {
    await trx
      .updateTable('run_steps')
      .set({ undone: undone ? 1 : 0 })
      .where('run', '=', run)
      .where('id', '=', step)
      .execute()
  }
}

/** The steps and undone parts of all runs of a document, in the form that `EffectSet` takes. */
export async function readParts(
  trx: Kysely<Tables>,
  document: string,
): Promise<{ steps: StepEnd[]; undone: UndonePart[] }> {
  const rows = await trx
    .selectFrom('run_steps')
    .innerJoin('runs', 'runs.id', 'run_steps.run')
    .select([
      'run_steps.run as run',
      'run_steps.id as step',
      'run_steps.last_seq as lastSeq',
      'run_steps.undone as undone',
      'runs.undone as runUndone',
    ])
    .where('runs.document', '=', document)
    .where('run_steps.last_seq', '>', 0)
    // If several steps end with the same row, the first of them wrote it.
    .orderBy('run_steps.last_seq')
    .orderBy('run_steps.ended_at')
    .orderBy('run_steps.position')
    .execute()
  const runs = await trx
    .selectFrom('runs')
    .select('id as run')
    .where('document', '=', document)
    .where('undone', '=', 1)
    .execute()
  const cut = await trx
    .selectFrom('cut_rows')
    .innerJoin('runs', 'runs.id', 'cut_rows.run')
    .select('cut_rows.run as run')
    .distinct()
    .where('runs.document', '=', document)
    .execute()
  return {
    steps: rows.map(({ run, step, lastSeq }) => ({ run, step, lastSeq: lastSeq ?? 0 })),
    undone: [
      ...rows
        .filter(({ undone, runUndone }) => undone === 1 || runUndone === 1)
        .map(({ run, step }) => ({ run, step })),
      ...runs,
      ...cut.map(({ run }) => ({ run: cutPart(run) })),
    ],
  }
}
