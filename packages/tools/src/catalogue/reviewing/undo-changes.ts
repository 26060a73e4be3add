import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { requireHistory } from '../../review/history.ts'
import { failure, held, success } from '../../common/result.ts'
import type { EarlierRun } from '../../session/host/host.ts'
import { noRun } from './read-history.ts'
import { evident } from '../../tool/fields.ts'
import { inEnglish, localizable } from '../../common/localizable.ts'

const input = z.object({
  run: evident(z.number().int().min(1), 'As read_history shows it.'),
  step: evident(z.number().int().min(1).optional(), 'Only this step.'),
})

/**
 * Undoes the changes of an earlier run or of one of its steps, as the caller: exactly these, without later changes of
 * people. The undo can't be a suggestion; in mode `ask` it waits for approval like any change.
 */
export const undoChanges = defineTool({
  name: 'undo_changes',
  description:
    'Takes back what you changed in an earlier run or one step of it, as "undo that" asks; what people wrote stays.',
  input,
  changes: true,
  editorsOnly: true,
  needs: 'history',
  activity: localizable`Undoing…`,
  async handler({ run, step }, session, call) {
    const found = requireHistory(session)
    if (!found.ok) return found
    if (!session.canEdit || session.mode === 'suggest') {
      return failure(
        'invalid_operation',
        'An undo can’t be suggested: it changes the text at once.',
        'Suggest the old text instead (read_history shows it), or say that an editor can undo the run.',
      )
    }
    const all = await found.history.runs()
    const earlier = all.find(({ number }) => number === run)
    if (!earlier) return noRun(run, all)
    const steps = step === undefined ? earlier.steps : earlier.steps.filter(({ number }) => number === step)
    if (steps.length === 0) return noStep(earlier, step)
    const what = step === undefined ? localizable`run ${run}` : localizable`step ${step} of run ${run}`
    const proposal = steps
      .filter(({ undone }) => !undone)
      .flatMap(({ changes }) => changes.map(({ before, after }) => ({ before: after, after: before })))
    if (session.mode === 'ask' && call.approved !== true) {
      return held(localizable`Undo ${what}`, 'The undo', proposal)
    }
    const undone = await found.history.undo(run, step)
    if (!undone.ok) return undone
    session.others.readAgainAsked()
    return success(
      `Undid ${inEnglish(what)}. Read the document again before you continue.`,
      localizable`Undid ${what}`,
      { run, step },
    )
  },
})

function noStep({ number, steps }: EarlierRun, step: number | undefined): ReturnType<typeof failure> {
  const known = steps.map((each) => each.number).join(', ')
  return failure(
    'not_found',
    localizable`Run ${number} has no step ${step ?? ''} that changed the text.`,
    localizable`Steps that did: ${known}.`,
  )
}
