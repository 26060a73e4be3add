import type { SuggestedChange } from '@copydesk/schema'
import { anchorOf, contextOf, findThreadRanges, flatTextOf, type Range } from '@copydesk/tools'
import type { Transaction } from 'kysely'
import type { Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import type * as Y from 'yjs'
import { type Refusal, refuse } from '../../common/errors.ts'
import { putThread } from '../../room/review.ts'
import type { Tables } from '../../store/tables.ts'
import type { Content } from '../content.ts'
import { findThread, toThread } from '../threads/thread-rows.ts'
import { planSuggestion } from './suggestion.ts'

type Proposal = { thread: string; quote: string; replacement: string }

const noProposal = refuse(
  'not_found',
  'There is no comment with suggested wording here.',
  'Threads show the comments with a replacement.',
)
const noLongerFits = refuse(
  'conflict',
  'The suggestion no longer fits: the text has changed.',
  'Change the text by hand, or ask the agent again.',
)

/** The proposal of a comment; refused as `not_found` if the comment doesn't exist or proposes nothing. */
export async function findProposal(
  trx: Transaction<Tables>,
  document: string,
  comment: string,
): Promise<({ ok: true } & Proposal) | Refusal> {
  const row = await trx
    .selectFrom('comments')
    .innerJoin('threads', (join) =>
      join.onRef('threads.id', '=', 'comments.thread').onRef('threads.document', '=', 'comments.document'),
    )
    .select(['comments.thread', 'comments.replacement', 'threads.quote'])
    .where('comments.document', '=', document)
    .where('comments.id', '=', comment)
    .executeTakeFirst()
  if (!row || row.replacement === null) return noProposal
  return { ok: true, thread: row.thread, quote: row.quote, replacement: row.replacement }
}

/**
 * The proposal as a tracked change under `id`. The new text stays the thread's text. Refused as `conflict` if the text
 * of the thread, with all suggested changes accepted, is no longer the text that the comment quotes.
 */
export function planProposal(
  { node }: Content,
  { thread, quote, replacement }: Proposal,
  id: string,
): { ok: true; transform: Transform; change: SuggestedChange } | Refusal {
  const range = anchorOf(findThreadRanges(node).get(thread) ?? [])
  if (!range || contextOf(node, range.from, range.to).quote !== quote) return noLongerFits
  const { from, to, text } = differingPart(node, range, quote, replacement)
  return planSuggestion(node, { from, to }, text, id, [node.type.schema.mark('comment', { threadId: thread })])
}

/** Stores the suggested change that was created from a comment, and shows it in the room. */
export async function noteSuggested(
  trx: Transaction<Tables>,
  room: Y.Doc,
  at: { document: string; thread: string; comment: string },
  change: string,
): Promise<void> {
  const { document, thread, comment } = at
  await trx
    .updateTable('comments')
    .set({ suggested: change })
    .where('document', '=', document)
    .where('id', '=', comment)
    .execute()
  const found = await findThread(trx, document, thread)
  if (found) putThread(room, toThread(found.row, found.comments))
}

// Unchanged text keeps its formats. A range that would be empty keeps one character of the adjacent text.
function differingPart(node: Node, range: Range, quote: string, replacement: string): Range & { text: string } {
  const shorter = Math.min(quote.length - 1, replacement.length)
  let start = 0
  while (start < shorter && quote[start] === replacement[start]) start += 1
  let end = 0
  const left = Math.min(quote.length - start - 1, replacement.length - start)
  while (end < left && quote.at(-end - 1) === replacement.at(-end - 1)) end += 1
  const flat = flatTextOf(node)
  const offset = flat.offsetsOf(range).from
  const part = flat.positionsOf({ from: offset + start, to: offset + quote.length - end })
  // Formulas and surrogate pairs can't be replaced in part.
  return part ? { ...part, text: replacement.slice(start, replacement.length - end) } : { ...range, text: replacement }
}
