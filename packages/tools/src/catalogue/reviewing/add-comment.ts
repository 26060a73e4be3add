import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { checkComment, checkReplacement, requireHost } from '../../review/comments.ts'
import { contextOf } from '../../review/find-quote.ts'
import { idOfCall } from '../../review/ids.ts'
import { findTarget } from '../../review/target.ts'
import { shorten, success } from '../../common/result.ts'
import type { ReviewHost } from '../../session/host/host.ts'
import { exactText, occurrence, selected, wholeBlock } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  block: wholeBlock.optional(),
  text: z.string(),
  find: exactText.optional(),
  occurrence: occurrence.optional(),
  selection: selected.optional(),
  replacement: z.string().optional().describe('New wording for exactly that text; people apply it with a click.'),
})

/**
 * Starts a comment thread on a text, a block or the selection. Idempotent: a repeated call finds the thread that it
 * created.
 */
export const addComment = defineTool({
  name: 'add_comment',
  description: 'Comments on a text, a block or the selection: one point, on the words that it is about.',
  input,
  changes: false,
  isNoticed: true,
  activity: ({ find }) => activityOn('Commenting on', find),
  async handler(given, session, call) {
    const found = requireHost(session)
    if (!found.ok) return found
    const { host } = found
    const comment = checkComment(given.text)
    if (!comment.ok) return comment
    const id = idOfCall('thread', call.callId)
    const commentId = idOfCall('comment', call.callId)
    if (host.thread(id)) return report(id, '', host)

    const read = session.view()
    if (!read.ok) return read
    const target = findTarget(given, session, read.view)
    if (!target.ok) return target
    const { from, to } = target.range
    const quote = contextOf(read.view.doc, from, to).quote.slice(0, session.limits.findCharacters).toWellFormed()
    const proposed = checkReplacement(given.replacement, quote, target)
    if (!proposed.ok) return proposed
    const range = session.rangeAt(from, to)
    const thread = { id, comment: commentId, quote, text: comment.text, range, ...proposed.replacement }
    const added = await host.addThread(thread)
    return added.ok ? report(id, ` on ${target.name}`, host) : added
  },
})

function report(id: string, place: string, host: ReviewHost) {
  const thread = host.thread(id)
  const comment = thread?.comments[0]
  return success(
    `Commented${place}. The thread is ${id}.`,
    localizable`Commented: ${shorten(comment?.text ?? '', 80)}`,
    {
      threadId: id,
      ...(comment ? { commentId: comment.id } : {}),
      quote: shorten(thread?.quote ?? '', 200),
    },
  )
}
