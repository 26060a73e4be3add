import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { success } from '../../common/result.ts'
import { evident } from '../../tool/fields.ts'
import { inEnglish, localizable } from '../../common/localizable.ts'

const mostItems = 20

const input = z.object({
  items: evident(
    z
      .array(z.object({ text: z.string().min(1).max(200), state: z.enum(['open', 'doing', 'done']) }))
      .min(1)
      .max(mostItems),
    'The whole plan; each call replaces the last.',
  ),
})

/** Shows people the plan of a long task, stored with the run. Only the call itself contains the plan. */
export const updatePlan = defineTool({
  name: 'update_plan',
  description: 'Shows people your plan for a long task; call it before and after each part.',
  input,
  changes: false,
  activity: localizable`Planning…`,
  handler({ items }) {
    const done = items.filter(({ state }) => state === 'done').length
    const summary = localizable`Plan: ${done} of ${items.length} done`
    return success(`${inEnglish(summary)}.`, summary, { items })
  },
})
