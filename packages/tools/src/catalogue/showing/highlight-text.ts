import { isCssColor } from '@copydesk/schema'
import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { requireHost } from '../../review/comments.ts'
import { contextOf } from '../../review/find-quote.ts'
import { idOfCall } from '../../review/ids.ts'
import { findTarget } from '../../review/target.ts'
import { failure, shorten, success } from '../../common/result.ts'
import { evident, exactText, occurrence, selected, wholeBlock } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

// A year.
const longestMs = 31_536_000_000

const input = z.object({
  block: wholeBlock.optional(),
  find: exactText.optional(),
  occurrence: occurrence.optional(),
  selection: selected.optional(),
  color: evident(z.string().optional(), 'Any CSS colour; yellow by default.'),
  duration: evident(z.number().int().min(100).max(longestMs).optional(), 'Milliseconds; else until it is dismissed.'),
})

/** Highlights a range for all users for a limited time; the text itself stays unchanged. */
export const highlightText = defineTool({
  name: 'highlight_text',
  description: 'Shows everyone a text, a block or the selection in a colour, for a while.',
  input,
  changes: false,
  isNoticed: true,
  activity: ({ find }) => activityOn('Highlighting', find),
  async handler(given, session, call) {
    const host = requireHost(session)
    if (!host.ok) return host
    const color = given.color?.trim().toLowerCase() || 'yellow'
    if (!isCssColor(color)) {
      return failure(
        'invalid_input',
        localizable`"${shorten(color, 60)}" is no CSS colour.`,
        'color: a name such as green, #rrggbb, or rgb(…).',
      )
    }
    const read = session.view()
    if (!read.ok) return read
    const target = findTarget(given, session, read.view)
    if (!target.ok) return target
    const { from, to } = target.range
    const id = idOfCall('highlight', call.callId)
    const shown = await host.host.highlight({
      id,
      range: session.rangeAt(from, to),
      color,
      ...(given.duration === undefined ? {} : { durationMs: given.duration }),
    })
    if (!shown.ok) return shown
    const words = shorten(contextOf(read.view.doc, from, to).quote, 60)
    return success(
      `Highlighted ${target.name} in ${color}.`,
      words === '' ? localizable`Highlighted` : localizable`Highlighted "${words}"`,
      {
        highlightId: id,
        block: session.show(target.block),
        color,
      },
    )
  },
})
