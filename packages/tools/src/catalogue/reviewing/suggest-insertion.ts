import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { type InsertAnchor, planInsert } from '../../edit/structure/plan-insert.ts'
import { asSuggestion } from '../../review/plan-suggestion.ts'
import { findTarget } from '../../review/target.ts'
import { failure, shorten, type ToolFailure, tooLong } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { evident, blockNumber, occurrence } from '../../tool/fields.ts'

const input = z.object({
  block: blockNumber,
  content: evident(z.string(), 'Markdown, with the spaces that a phrase needs.'),
  position: evident(z.enum(['before', 'after']).optional(), "'after' by default."),
  find: evident(z.string().optional(), 'In the block; without it the content becomes blocks.'),
  occurrence: occurrence.optional(),
})

type Input = z.infer<typeof input>

/** Suggests new text next to a block or next to a text in it, as a tracked change in any mode. */
export const suggestInsertion = defineTool({
  name: 'suggest_insertion',
  description: 'Suggests text before or after a block or a text in it, as a tracked change.',
  input,
  changes: true,
  streams: 'content',
  activity: ({ content }) => activityOn('Suggesting', content),
  handler(given, session, call) {
    const { insertCharacters } = session.limits
    if (given.content === '') {
      return failure('invalid_input', 'content is empty.', 'content: give the markdown to insert.')
    }
    const hint = 'Suggest it in several calls, each after the block that the one before made.'
    if (given.content.length > insertCharacters) return tooLong('content', insertCharacters, hint)
    return session.commit(call, (view) => {
      const anchor = findAnchor(given, session, view)
      if (!('kind' in anchor)) return anchor
      const plan = planInsert(view, anchor, { content: given.content })
      return plan.ok ? asSuggestion(plan, `Suggested inserting "${shorten(given.content, 200)}" ${anchor.name}.`) : plan
    })
  },
})

function findAnchor(given: Input, session: DocumentSession, view: DocumentView): InsertAnchor | ToolFailure {
  const placement = given.position ?? 'after'
  const target = findTarget(given, session, view)
  if (!target.ok) {
    if (target.code !== 'invalid_operation') return target
    return failure('invalid_position', target.message, 'Anchor on the whole of it, and insert before or after.')
  }
  const name = `${placement} ${target.name}`
  if (target.kind === 'block') return { kind: 'block', block: target.block, placement, name }
  const pos = placement === 'before' ? target.range.from : target.range.to
  const block = target.kind === 'text' ? target.block : edgeBlock(target.blocks, placement)
  return { kind: 'text', block: block ?? target.block, pos, placement, name }
}

function edgeBlock<T>(blocks: readonly T[], placement: 'before' | 'after'): T | undefined {
  return placement === 'before' ? blocks[0] : blocks.at(-1)
}
