import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { checkComment, findThread, requireHost } from '../../review/comments.ts'
import { idOfCall } from '../../review/ids.ts'
import { shorten, success } from '../../common/result.ts'
import { threadId } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  commentId: threadId,
  text: z.string(),
})

/** Replies in a comment thread. Idempotent: a repeated call finds the reply that it created. */
export const replyToComment = defineTool({
  name: 'reply_to_comment',
  description: 'Replies in a comment thread, in a sentence or two.',
  input,
  changes: false,
  isNoticed: true,
  needs: 'comments',
  activity: localizable`Replying…`,
  async handler(given, session, call) {
    const host = requireHost(session)
    if (!host.ok) return host
    const comment = checkComment(given.text)
    if (!comment.ok) return comment
    const found = findThread(given.commentId, host.host)
    if (!found.ok) return found
    const { thread } = found
    const id = idOfCall('comment', call.callId)
    if (thread.comments.every((each) => each.id !== id)) {
      const replied = await host.host.reply(thread.id, { id, text: comment.text })
      if (!replied.ok) return replied
    }
    const state = thread.resolved ? ' The thread is resolved; resolve_comment does not reopen it.' : ''
    return success(`Replied in thread ${thread.id}.${state}`, localizable`Replied: ${shorten(comment.text, 80)}`, {
      threadId: thread.id,
      commentId: id,
    })
  },
})
