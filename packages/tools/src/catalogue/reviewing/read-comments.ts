import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { requireHost } from '../../review/comments.ts'
import { anchorOf, findThreadRanges } from '../../review/thread-marks.ts'
import { failure, shorten, success } from '../../common/result.ts'
import type { Block } from '../../document/blocks.ts'
import { blocksInRanges, type Range } from '../../document/changed-ranges.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { cutText } from '../../text/window.ts'
import type { HostThread } from '../../session/host/host.ts'
import { evident } from '../../tool/fields.ts'
import { counted, inEnglish, localizable } from '../../common/localizable.ts'

const input = z.object({
  author: evident(z.string().optional(), 'Only threads in which they wrote; part of a name.'),
  resolved: evident(z.boolean().optional(), 'Only such; both by default.'),
  thread: evident(z.string().optional(), 'Id of the only one.'),
  from: evident(
    z.number().int().min(1).optional(),
    'The first thread to list, or with thread the first comment, to go on; 1 by default.',
  ),
})

const longestComment = 2_000

/**
 * A thread with its position: its blocks in order, none if its text was removed; threads are sorted by `at` in document
 * order.
 */
type Placed = { thread: HostThread; blocks: Block[]; at: number }

/**
 * Lists comment threads in document order, threads whose text was removed at the end. User-written text is fenced with
 * `>`.
 */
export const readComments = defineTool({
  name: 'read_comments',
  description: 'Lists comment threads. Use it before you answer or resolve one.',
  input,
  changes: false,
  needs: 'comments',
  activity: localizable`Reading the comments…`,
  handler({ author, resolved, thread: id, from = 1 }, session) {
    const host = requireHost(session)
    if (!host.ok) return host
    const read = session.view()
    if (!read.ok) return read
    const wanted = host.host.threads().filter((thread) => {
      const isMeant = id === undefined || thread.id === id.trim()
      return isMeant && (resolved === undefined || thread.resolved === resolved) && isBy(thread, author)
    })
    const count = id === undefined ? wanted.length : (wanted[0]?.comments.length ?? 0)
    if (from > 1 && from > count) {
      const what = id === undefined ? 'thread' : 'comment'
      return failure(
        'out_of_range',
        localizable`There is no ${what} ${from}.`,
        localizable`from can be 1 to ${Math.max(1, count)}.`,
      )
    }
    return report(place(wanted, read.view), session, id === undefined ? { from } : { from: 1, comment: from })
  },
})

function isBy(thread: HostThread, author: string | undefined): boolean {
  const name = author?.trim().replace(/^@/, '').toLowerCase()
  if (name === undefined || name === '') return true
  return thread.comments.some(({ author: { id, name: full } }) => id === author || full.toLowerCase().includes(name))
}

function place(threads: readonly HostThread[], view: DocumentView): Placed[] {
  const ranges = findThreadRanges(view.doc)
  const placed = threads.map((thread) => {
    const range = anchorOf(ranges.get(thread.id) ?? [])
    return { thread, blocks: range ? blocksOf(range, view) : [], at: range?.from ?? Infinity }
  })
  return placed.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at))
}

// An empty range, in an empty block, overlaps no block.
function blocksOf(range: Range, view: DocumentView): Block[] {
  const first = view.blockAt(range.from)
  const blocks = blocksInRanges(view.blocks, [range])
  return blocks.length === 0 && first ? [first] : blocks
}

type Start = { from: number; comment?: number }

function report(placed: readonly Placed[], session: DocumentSession, { from, comment = 1 }: Start) {
  const count = placed.length
  const summary = counted(count, 'comment thread')
  if (count === 0) return success('No comment threads.', summary, { total: 0, threads: [] })
  const parts: string[] = []
  const threads: unknown[] = []
  const title = inEnglish(summary)
  let length = title.length
  for (const each of placed.slice(from - 1)) {
    const part = describe(each, comment, session)
    const isFull = length + part.length > session.limits.readCharacters || parts.length >= session.limits.searchMatches
    if (parts.length > 0 && isFull) break
    parts.push(part)
    threads.push(summarize(each, session))
    length += part.length + 2
  }
  const more = count - (from - 1) - parts.length
  if (more > 0)
    parts.push(`…and ${more} more: read_comments {"from": ${from + parts.length}} with the same conditions.`)
  return success(`${title}:\n\n${parts.join('\n\n')}`, summary, { total: count, threads })
}

function summarize({ thread, blocks }: Placed, session: DocumentSession): unknown {
  const { id, quote, resolved, orphaned } = thread
  const first = blocks[0]
  return {
    id,
    quote: shorten(quote, 200),
    resolved,
    orphaned,
    comments: thread.comments.length,
    ...(first ? { block: session.show(first) } : {}),
  }
}

// A thread that is too long for one call is cut after a whole comment.
function describe({ thread, blocks }: Placed, from: number, session: DocumentSession): string {
  const numbers = blocks.map((block) => `[${session.show(block)}]`)
  const state = thread.resolved ? 'resolved' : 'open'
  const parts = [`Thread ${thread.id}, ${state}, ${describePlace(thread, numbers)}: "${shorten(thread.quote, 300)}"`]
  let length = parts[0]?.length ?? 0
  for (const { id, author, text, replacement } of thread.comments.slice(from - 1)) {
    const kind = author.kind === 'agent' ? ', an agent' : ''
    const proposed = replacement === undefined ? '' : `\nproposing instead of the text:\n${fence(replacement)}`
    const part = `${shorten(author.name, 80)}${kind} (comment ${id}):\n${fence(text)}${proposed}`
    if (parts.length > 1 && length + part.length > session.limits.readCharacters) break
    parts.push(part)
    length += part.length + 1
  }
  const next = from + parts.length - 1
  const more = thread.comments.length - next + 1
  if (more > 0) parts.push(`…and ${more} more: read_comments {"thread": "${thread.id}", "from": ${next}}`)
  return parts.join('\n')
}

function describePlace(thread: HostThread, numbers: readonly string[]): string {
  const first = numbers[0]
  if (first === undefined) return thread.orphaned ? 'on text that is gone' : 'on text that is not shown'
  return numbers.length === 1 ? `in block ${first}` : `in blocks ${first} to ${numbers.at(-1)}`
}

// The prefix marks each line as part of a comment, so that no comment can imitate other output.
function fence(text: string): string {
  const cut = cutText(text, longestComment)
  return cut
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n')
}
