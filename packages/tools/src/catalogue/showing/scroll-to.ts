import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { requireHost } from '../../review/comments.ts'
import { findTarget } from '../../review/target.ts'
import { success } from '../../common/result.ts'
import { evident, blockNumber } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  block: blockNumber,
  select: evident(z.boolean().optional(), 'Selects the block, too.'),
})

/** Asks the caller's browser to scroll to a block. */
export const scrollTo = defineTool({
  name: 'scroll_to',
  description: "Scrolls the person's view to a block, when they ask where something is.",
  input,
  changes: false,
  isNoticed: true,
  activity: localizable`Showing the place…`,
  handler({ block, select = false }, session) {
    const host = requireHost(session)
    if (!host.ok) return host
    const read = session.view()
    if (!read.ok) return read
    const target = findTarget({ block }, session, read.view)
    if (!target.ok) return target
    const { anchor } = session.rangeAt(target.range.from, target.range.to)
    if (host.host.scrollTo({ position: anchor, select }) === false) {
      return success('Nobody looks at this document now, so nothing was scrolled.', localizable`Nobody looks`, {
        block,
      })
    }
    return success(
      `Asked ${session.caller.name}'s browser to scroll to block [${block}].`,
      localizable`Scrolled there`,
      { block },
    )
  },
})
