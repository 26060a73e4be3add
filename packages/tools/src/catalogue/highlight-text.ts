import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { requireHost } from '../review/comments.ts'
import { contextOf } from '../review/find-quote.ts'
import { idOfCall } from '../review/ids.ts'
import { findTarget } from '../review/target.ts'
import { shorten, success } from '../result.ts'
import { blockNumber, occurrence, selected } from './fields.ts'

const input = z.object({
  block: blockNumber.optional().describe('Number of the block, as last shown in [ ]; without find the whole block.'),
  find: z.string().optional().describe('The exact text to highlight.'),
  occurrence: occurrence.optional(),
  selection: selected.optional(),
  color: z.enum(['yellow', 'green', 'blue', 'pink', 'orange']).optional().describe('yellow by default.'),
  duration: z
    .number()
    .int()
    .min(500)
    .max(600_000)
    .optional()
    .describe('Milliseconds until it goes; by default it stays until it is dismissed or the person asks again.'),
})

/** Highlights a range for all users for a limited time; the text itself stays unchanged. */
export const highlightText = defineTool({
  name: 'highlight_text',
  description:
    'Highlights a text, a block or the selection for everyone who has the document open, for a while; it never becomes part of the text. Use it to show what you mean. For a highlight that stays in the text use apply_formatting.',
  input,
  changes: false,
  async handler(given, session, call) {
    const host = requireHost(session)
    if (!host.ok) return host
    const read = session.view()
    if (!read.ok) return read
    const target = findTarget(given, session, read.view)
    if (!target.ok) return target
    const { from, to } = target.range
    const id = idOfCall('highlight', call.callId)
    const color = given.color ?? 'yellow'
    const shown = await host.host.highlight({
      id,
      range: session.rangeAt(from, to),
      color,
      ...(given.duration === undefined ? {} : { durationMs: given.duration }),
    })
    if (!shown.ok) return shown
    const words = shorten(contextOf(read.view.doc, from, to).quote, 60)
    return success(`Highlighted ${target.name} in ${color}.`, words === '' ? 'Highlighted' : `Highlighted "${words}"`, {
      highlightId: id,
      block: session.show(target.block),
      color,
    })
  },
})
