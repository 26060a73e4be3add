import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { findShownBlock } from '../../edit/find/find-shown.ts'
import { locate } from '../../edit/find/locate.ts'
import { type InsertAnchor, planInsert } from '../../edit/structure/plan-insert.ts'
import { failure, shorten, type ToolFailure, tooLong } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { type Match, matchBounds, matchRange } from '../../text/find.ts'
import { evident, blockNumber, exactText, occurrence } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const placement = z.enum(['before', 'after'])

/** The input field for the position of the insertion. */
export const position = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('absolute'), location: z.enum(['start', 'end']) })
    .describe('the start is before the title'),
  z.object({
    type: z.literal('relative'),
    find: exactText.min(1),
    placement,
    occurrence: occurrence.optional(),
  }),
  z.object({ type: z.literal('block'), block: blockNumber, placement }),
  z.object({ type: z.literal('selection') }).describe('at the caret, or after what is selected'),
])

const input = z.object({
  position,
  content: z.string().describe('Markdown or HTML, with the spaces it needs.'),
  as: evident(z.enum(['inline', 'block']).optional(), 'By default as the content suggests.'),
})

type Input = z.infer<typeof input>

/** Inserts markdown at a position. Existing text isn't split, moved or reformatted. */
export const insertText = defineTool({
  name: 'insert_text',
  description:
    'Adds markdown. Next to a list item each line becomes an item, after a leading blank line a paragraph. Next to a table row, | a | b | becomes a row.',
  input,
  changes: true,
  streams: 'content',
  activity: localizable`Writing…`,
  handler(given, session, call) {
    const { insertCharacters } = session.limits
    if (given.content.trim() === '' && given.content.length === 0) {
      return failure('invalid_input', 'content is empty.', 'content: give the markdown to insert.')
    }
    const hint = 'Insert it in several calls, each after the block that the one before made.'
    if (given.content.length > insertCharacters) return tooLong('content', insertCharacters, hint)
    return session.commit(call, (view) => {
      const anchor = findAnchor(given.position, session, view)
      return anchor.ok ? planInsert(view, anchor.anchor, given) : anchor
    })
  },
})

type Found = { ok: true; anchor: InsertAnchor } | ToolFailure

/** Resolves a `position` to a document position, or returns the failure. */
export function findAnchor(given: Input['position'], session: DocumentSession, view: DocumentView): Found {
  switch (given.type) {
    case 'absolute': {
      const name = given.location === 'start' ? 'at the start' : 'at the end'
      return { ok: true, anchor: { kind: 'absolute', location: given.location, name } }
    }
    case 'block': {
      const resolved = session.resolve(given.block)
      if (!resolved.ok) return resolved
      const name = `${given.placement} block [${given.block}]`
      return { ok: true, anchor: { kind: 'block', block: resolved.block, placement: given.placement, name } }
    }
    case 'relative':
      return findText(given, session, view)
    case 'selection':
      return findSelection(session, view)
  }
}

function findText(
  given: Extract<Input['position'], { type: 'relative' }>,
  session: DocumentSession,
  view: DocumentView,
): Found {
  const located = locate(given.find, { occurrence: given.occurrence }, session, view)
  if (!located.ok) {
    const shown = located.code === 'not_found' && findShownBlock(given.find, given, session, view)
    if (shown) {
      const name = `${given.placement} block [${session.show(shown)}]`
      return { ok: true, anchor: { kind: 'block', block: shown, placement: given.placement, name } }
    }
    if (located.code !== 'invalid_operation') return located
    return failure('invalid_position', located.message, 'Anchor on the whole of it, and insert before or after.')
  }
  const { match } = located
  const range = matchRange(match)
  const pos = given.placement === 'before' ? range.from : range.to
  const { block } = match.segment
  const name = `${given.placement} "${shorten(given.find, 200)}" in block [${session.show(block)}]`
  const isWhole = block.kind === 'text' && coversSegment(match)
  return { ok: true, anchor: { kind: 'text', block, pos, placement: given.placement, isWhole, name } }
}

function coversSegment(match: Match): boolean {
  const { from, to } = matchBounds(match)
  return from === 0 && to === match.segment.text.length
}

function findSelection(session: DocumentSession, view: DocumentView): Found {
  const selection = session.selection()
  const block = selection && (view.blockAt(selection.to) ?? view.blockAt(selection.to - 1))
  if (!selection || !block) {
    return failure(
      'no_selection',
      localizable`${session.caller.name} has nothing selected and no caret in the text.`,
      'Ask them to select the place, or name it by a text or a block.',
    )
  }
  const name = `at the selection in block [${session.show(block)}]`
  const inText = view.doc.resolve(selection.to).parent.inlineContent
  if (!inText) return { ok: true, anchor: { kind: 'block', block, placement: 'after', name } }
  return { ok: true, anchor: { kind: 'text', block, pos: selection.to, placement: 'after', isCaret: true, name } }
}
