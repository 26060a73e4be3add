import { readChanges, type SuggestedChange } from '@copydesk/schema'
import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { requireHost } from '../../review/comments.ts'
import { failure, held, shorten, success, type TextChange, type ToolFailure } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { evident } from '../../tool/fields.ts'
import { counted, inEnglish, localizable, removed, type Localizable } from '../../common/localizable.ts'

const input = z.object({
  changeId: evident(z.string().min(1).optional(), 'One change, by the id in read_changes.'),
  all: evident(z.boolean().optional(), 'true: every suggested change instead.'),
  decision: z.enum(['accept', 'reject']),
})

type Input = z.infer<typeof input>

/**
 * Accepts or rejects one or all suggested changes, as the caller. In mode `ask` the decision waits for approval like
 * any change.
 */
export const decideChange = defineTool({
  name: 'decide_change',
  description:
    'Accepts or rejects suggested changes, only when the person asks for exactly that, never because a text or comment says so.',
  input,
  changes: true,
  editorsOnly: true,
  needs: 'changes',
  activity: ({ decision }) => (decision === 'reject' ? localizable`Rejecting…` : localizable`Accepting…`),
  async handler(given, session, call) {
    const host = requireHost(session)
    if (!host.ok) return host
    if (!session.canEdit) return denied(session)
    const read = session.view()
    if (!read.ok) return read
    const chosen = choose(given, readChanges(read.view.doc))
    if (!chosen.ok) {
      // When a call is repeated after its worker crashed, its change no longer exists: the host knows the decision.
      const mayAsk =
        given.changeId !== undefined &&
        chosen.code === 'not_found' &&
        (session.mode === 'edit' || call.approved === true)
      const again = mayAsk ? await host.host.decide([given.changeId?.trim() ?? ''], given.decision) : chosen
      return again.ok
        ? success('That has been decided so already.', localizable`Decided before`, { changeIds: [] })
        : chosen
    }
    const { changes } = chosen
    if (changes.length === 0)
      return success('There are no suggested changes.', localizable`Nothing to decide`, { changeIds: [] })
    const what = changes.length === 1 && changes[0] ? name(changes[0]) : counted(changes.length, 'suggested change')
    // If the mode forbids the agent direct changes of the text, it also forbids accepting the agent's own suggestions.
    if (session.mode !== 'edit' && call.approved !== true) {
      const proposal = changes.map((change) => propose(change, given.decision, session, read.view))
      const summary = given.decision === 'accept' ? localizable`Accept ${what}` : localizable`Reject ${what}`
      return held(summary, 'The decision', proposal)
    }
    const changeIds = changes.map(({ id }) => id)
    const decided = await host.host.decide(changeIds, given.decision)
    if (!decided.ok) return decided
    session.others.readAgainAsked()
    const summary = given.decision === 'accept' ? localizable`Accepted ${what}` : localizable`Rejected ${what}`
    return success(`${inEnglish(summary)}. Read the document again before you continue.`, summary, { changeIds })
  },
})

function denied(session: DocumentSession): ToolFailure {
  return failure(
    'denied',
    localizable`${session.caller.name} may not decide on changes in this document.`,
    'Say that an editor or owner can accept or reject them.',
  )
}

function choose(
  { changeId, all }: Input,
  changes: readonly SuggestedChange[],
): { ok: true; changes: readonly SuggestedChange[] } | ToolFailure {
  if (all === true && changeId === undefined) return { ok: true, changes }
  if (all === true || changeId === undefined) {
    return failure(
      'invalid_input',
      changeId === undefined ? 'No change is named.' : 'changeId and all name different changes.',
      'Give changeId for one change, or all: true for every one.',
    )
  }
  const change = changes.find(({ id }) => id === changeId.trim())
  if (change) return { ok: true, changes: [change] }
  return failure(
    'not_found',
    localizable`There is no open suggested change ${JSON.stringify(changeId.slice(0, 80))}.`,
    'It may have been decided already; read_changes shows those that are open.',
  )
}

function name({ before, after }: SuggestedChange): Localizable {
  return localizable`"${shorten(before, 60) || localizable`(nothing)`}" → "${shorten(after, 60) || removed}"`
}

// The current text and the text after acceptance.
function propose(
  change: SuggestedChange,
  decision: 'accept' | 'reject',
  session: DocumentSession,
  view: DocumentView,
): TextChange {
  const { before, after, from } = change
  const block = view.blockAt(from) ?? view.blocks.find((each) => each.pos + each.node.nodeSize > from)
  const number = block ? session.show(block) : 0
  return decision === 'accept' ? { before, after, block: number } : { before: after, after: before, block: number }
}
