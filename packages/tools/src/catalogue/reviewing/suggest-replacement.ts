import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { planReplacement, planShownReplacement } from '../../review/plan-suggestion.ts'
import { findTarget } from '../../review/target.ts'
import { tooLong } from '../../common/result.ts'
import { evident, exactText, occurrence, selected, wholeBlock } from '../../tool/fields.ts'

const input = z.object({
  block: wholeBlock.optional(),
  find: exactText.optional(),
  replace: evident(z.string(), 'Inline markdown.'),
  occurrence: occurrence.optional(),
  selection: selected.optional(),
})

/** Suggests a replacement for a text, a block or the selection, as a tracked change in any mode. */
export const suggestReplacement = defineTool({
  name: 'suggest_replacement',
  description: 'Suggests another text as a tracked change, in any mode.',
  input,
  changes: true,
  streams: 'replace',
  activity: ({ replace }) => activityOn('Suggesting', replace),
  handler(given, session, call) {
    const { insertCharacters } = session.limits
    if (given.replace.length > insertCharacters)
      return tooLong('replace', insertCharacters, 'Suggest the change in several calls, a few paragraphs each.')
    return session.commit(call, (view) => {
      const target = findTarget(given, session, view)
      if (target.ok) return planReplacement(target, given.replace, session, view)
      const { find: search = '' } = given
      const shown = target.code === 'not_found' && search !== ''
      return (shown && planShownReplacement({ ...given, search }, given.replace, session, view)) || target
    })
  },
})
