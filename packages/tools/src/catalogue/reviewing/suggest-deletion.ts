import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { planDeletion } from '../../review/plan-suggestion.ts'
import { findTarget } from '../../review/target.ts'
import { exactText, occurrence, selected, wholeBlock } from '../../tool/fields.ts'

const input = z.object({
  block: wholeBlock.optional(),
  find: exactText.optional(),
  occurrence: occurrence.optional(),
  selection: selected.optional(),
})

/** Suggests to delete a text, a block or the selection, as a tracked change in any mode. */
export const suggestDeletion = defineTool({
  name: 'suggest_deletion',
  description: 'Suggests deleting a text, a block or the selection, as a tracked change.',
  input,
  changes: true,
  activity: ({ find }) => activityOn('Suggesting to delete', find),
  handler(given, session, call) {
    return session.commit(call, (view) => {
      const target = findTarget(given, session, view)
      return target.ok ? planDeletion(target, view) : target
    })
  },
})
