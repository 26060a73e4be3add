import { readChanges as listChanges, type SuggestedChange } from '@copydesk/schema'
import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { failure, shorten, success } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import type { HostAuthor, HostChangeAuthor } from '../../session/host/host.ts'
import { evident, continueFrom } from '../../tool/fields.ts'
import { counted, inEnglish, type Localizable, localizable } from '../../common/localizable.ts'

const types = ['insertion', 'deletion', 'replacement', 'formatting', 'block'] as const

const input = z.object({
  author: evident(z.string().min(1).optional(), "A name, an id, 'agent' or 'person'."),
  type: z.enum(types).optional(),
  from: continueFrom.min(1).optional(),
})

const longestList = 100
const longestText = 400

type Listed = { change: SuggestedChange; author: HostChangeAuthor | undefined }

/**
 * Lists the open suggested changes in document order, at most 100. A change whose acceptance leaves no block at its
 * position has `block: null` and, if there is one, the preceding block as `afterBlock`.
 */
export const readChanges = defineTool({
  name: 'read_changes',
  description: 'Lists open suggested changes: id, type, block, old and new text, author.',
  input,
  changes: false,
  needs: 'changes',
  activity: localizable`Reading the suggested changes…`,
  handler({ author, type, from = 1 }, session) {
    const read = session.view()
    if (!read.ok) return read
    const { view } = read
    const all = listChanges(view.doc).map((change): Listed => {
      return { change, author: session.host?.authorOfChange(change.id) }
    })
    const found = all.filter((listed) => {
      return (type === undefined || listed.change.type === type) && (author === undefined || isBy(listed, author))
    })
    const summary = counted(found.length, 'suggested change')
    if (found.length === 0) {
      const others =
        all.length > 0 ? ` Without these conditions there ${all.length === 1 ? 'is' : 'are'} ${all.length}.` : ''
      return success(`There are no such suggested changes.${others}`, summary, { total: 0, changes: [] })
    }
    if (from > found.length) {
      return failure(
        'out_of_range',
        localizable`There is no change ${from}.`,
        localizable`from can be 1 to ${found.length}.`,
      )
    }
    return report(found, from, summary, session, view)
  },
})

function isBy({ author }: Listed, wanted: string): boolean {
  if (!author) return false
  const name = wanted.trim().toLowerCase()
  return author.id === wanted || author.name.toLowerCase() === name || author.kind === name
}

function report(
  found: readonly Listed[],
  from: number,
  summary: Localizable,
  session: DocumentSession,
  view: DocumentView,
) {
  const lines: string[] = []
  const changes: unknown[] = []
  let length = 0
  for (const listed of found.slice(from - 1, from - 1 + longestList)) {
    const place = placeOf(listed.change, session, view)
    const line = describe(listed, place)
    if (lines.length > 0 && length + line.length > session.limits.readCharacters) break
    length += line.length + 1
    lines.push(line)
    const { id, type, before, after } = listed.change
    changes.push({ id, type, ...place, before, after, author: listed.author ?? null })
  }
  const rest = found.length - (from - 1) - lines.length
  const more = rest > 0 ? `\n…and ${rest} more: read_changes {"from": ${from + lines.length}}` : ''
  return success(`${inEnglish(summary)}:\n${lines.join('\n')}${more}`, summary, { total: found.length, changes })
}

type Place = { block: number | null; afterBlock?: number }

function placeOf(change: SuggestedChange, session: DocumentSession, view: DocumentView): Place {
  const inside = view.blocks.find(
    ({ pos, node }) => pos < Math.max(change.to, change.from + 1) && pos + node.nodeSize > change.from,
  )
  if (inside) return { block: session.show(inside) }
  const before = view.blocks.findLast(({ pos }) => pos < change.from)
  return before ? { block: null, afterBlock: session.show(before) } : { block: null }
}

function describe({ change, author }: Listed, place: Place): string {
  const gone = place.afterBlock === undefined ? 'at the start of the document' : `after block [${place.afterBlock}]`
  const where = place.block === null ? gone : `in block [${place.block}]`
  const others = (author?.alsoBy ?? []).map(nameOf).join(', ')
  const who = `${author ? nameOf(author) : 'an unknown person'}${others === '' ? '' : `, also written by ${others}`}`
  const now = shorten(change.after, longestText)
  const old = shorten(change.before, longestText)
  const text = old !== '' && now !== '' ? `"${old}" → "${now}"` : old === '' ? `adds "${now}"` : `removes "${old}"`
  return `- ${change.id}: ${change.type} ${where} by ${who}: ${text}`
}

function nameOf({ name, kind }: HostAuthor): string {
  return `${name} (${kind})`
}
