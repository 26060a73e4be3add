import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { findThread, requireHost } from '../../review/comments.ts'
import { shorten, success } from '../../common/result.ts'
import { threadId } from '../../tool/fields.ts'
import { localizable, nothingToChange } from '../../common/localizable.ts'

const input = z.object({
  commentId: threadId,
})

/** Resolves a comment thread; a resolved thread stays resolved. */
export const resolveComment = defineTool({
  name: 'resolve_comment',
  description: 'Resolves a comment thread that is done or settled.',
  input,
  changes: false,
  isNoticed: true,
  needs: 'comments',
  activity: localizable`Resolving a comment…`,
  async handler({ commentId }, session) {
    const host = requireHost(session)
    if (!host.ok) return host
    const found = findThread(commentId, host.host)
    if (!found.ok) return found
    const { thread } = found
    const details = { threadId: thread.id }
    if (thread.resolved) return success(`Thread ${thread.id} was resolved already.`, nothingToChange, details)
    const resolved = await host.host.setResolved(thread.id, true)
    if (!resolved.ok) return resolved
    const about = shorten(thread.quote, 60)
    return success(`Resolved thread ${thread.id}.`, localizable`Resolved the comment on "${about}"`, details)
  },
})
