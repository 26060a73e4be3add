import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { groupBy } from '../../common/group-by.ts'
import { renderBlock } from '../../render/render-block.ts'
import { failure, shorten, success, type ToolFailure } from '../../common/result.ts'
import { listSections } from '../../document/sections.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { createSearcher, type Searcher } from '../../text/search.ts'
import { searchedIn } from '../../text/segments.ts'
import { blocksWith } from '../../text/text-index.ts'
import { cutText, windowsAround } from '../../text/window.ts'
import { evident, continueFrom, isRegex, matchCase, sectionNumber } from '../../tool/fields.ts'
import { counted, inEnglish, localizable, type Localizable } from '../../common/localizable.ts'

const input = z.object({
  query: z.string().min(1),
  isRegex: isRegex.optional(),
  matchCase: matchCase.optional(),
  section: sectionNumber.optional(),
  from: continueFrom.min(1).optional(),
  countOnly: evident(z.boolean().optional(), 'Without texts.'),
})

type Input = z.infer<typeof input>

type Hit = { block: Block; text: string; source: string; from: number; to: number }

const contextLength = 300
/** The length of the text on either side of a match in a block that is too long to show. */
const windowLength = 120
// Patterns run in linear time, but slowly: an exact count of more matches is not worth the time.
const mostPatternMatches = 1_000

/**
 * Finds all occurrences of a text, with one block of context on either side. Marks are ignored; no match spans several
 * cells. Matches of a pattern are counted up to about a thousand. Suggested changes count as accepted.
 */
export const searchDocument = defineTool({
  name: 'search_document',
  description: 'Finds a text or pattern, with what is around each match.',
  input,
  changes: false,
  activity: ({ query }) => activityOn('Searching for', query),
  handler(given, session) {
    const { query, isRegex = false, matchCase = false } = given
    if (query.length > session.limits.findCharacters) {
      return failure(
        'too_large',
        localizable`query is longer than ${session.limits.findCharacters} characters.`,
        'Search for a shorter part of it.',
      )
    }
    const read = session.view()
    if (!read.ok) return read
    const made = createSearcher(query, isRegex, matchCase)
    if (!made.ok) return made
    const scope = scopeOf(given.section, session, read.view)
    if (!scope.ok) return scope
    const most = isRegex ? mostPatternMatches : Infinity
    const hits = findIn(read.view, made.searcher, most, scope.holds)
    const where = given.section === undefined ? '' : ` in section ${given.section}`
    const summary = summarize(hits.length, shorten(query, 60), {
      section: given.section,
      isAtLeast: hits.length >= most,
    })
    if (hits.length === 0) {
      return success(`No matches for "${shorten(query, 200)}"${where}.`, summary, { total: 0, matches: [] })
    }
    if (given.countOnly === true) return reportCounts(hits, summary, session)
    return report(hits, summary, given, { session, view: read.view, listed: new Set() })
  },
})

type Scope = { ok: true; holds: (block: Block) => boolean }

function scopeOf(index: number | undefined, session: DocumentSession, view: DocumentView): Scope | ToolFailure {
  if (index === undefined) return { ok: true, holds: () => true }
  const resolved = session.resolveSection(index, view)
  if (!resolved.ok) return resolved
  const sections = listSections(view)
  const section = sections[resolved.index]
  if (!section) {
    return failure(
      'out_of_range',
      localizable`There is no section ${index}.`,
      localizable`section can be 0 to ${sections.length - 1}.`,
    )
  }
  return { ok: true, holds: ({ pos }) => pos >= section.from && pos < section.to }
}

function findIn(view: DocumentView, { literal, search }: Searcher, most: number, holds: (block: Block) => boolean) {
  const hits: Hit[] = []
  for (const block of blocksWith(literal, view)) {
    if (hits.length >= most) break
    if (!holds(block)) continue
    for (const source of textsOf(block, view)) {
      for (const [from, to] of search(source)) hits.push({ block, text: source.slice(from, to), source, from, to })
    }
  }
  return hits
}

function textsOf(block: Block, view: DocumentView): string[] {
  return block.kind === 'leaf' ? [blockText(block.node)] : searchedIn(block, view).map(({ text }) => text)
}

function summarize(
  count: number,
  words: string,
  { section, isAtLeast }: { section: number | undefined; isAtLeast: boolean },
): Localizable {
  const matches = counted(count, 'match', 'matches')
  const found = isAtLeast ? localizable`at least ${matches} for "${words}"` : localizable`${matches} for "${words}"`
  return section === undefined ? found : localizable`${found} in section ${section}`
}

function reportCounts(hits: readonly Hit[], summary: Localizable, session: DocumentSession) {
  const byBlock = [...groupBy(hits, ({ block }) => block)]
  // About eight characters per block number.
  const shown = byBlock.slice(0, Math.max(1, Math.floor(session.limits.readCharacters / 16)))
  const blocks = shown.map(([block, found]) => ({ block: session.show(block), count: found.length }))
  const names = blocks.map(({ block, count }) => (count === 1 ? `[${block}]` : `[${block}] (${count})`))
  const rest = byBlock.length - shown.length
  const more = rest > 0 ? ` and ${rest} more blocks; search one section at a time for all of them` : ''
  return success(`${inEnglish(summary)}, in blocks ${names.join(', ')}${more}.`, summary, {
    total: hits.length,
    blocks,
  })
}

type Context = { session: DocumentSession; view: DocumentView; listed: Set<number> }

function report(hits: readonly Hit[], summary: Localizable, given: Input, context: Context) {
  const { session } = context
  const first = (given.from ?? 1) - 1
  if (first >= hits.length) {
    return failure(
      'out_of_range',
      localizable`There is no match ${first + 1}.`,
      localizable`from can be 1 to ${hits.length}.`,
    )
  }
  const page = hits.slice(first, first + session.limits.searchMatches)
  const parts: string[] = []
  const shown: Hit[] = []
  const title = inEnglish(summary)
  let length = title.length
  for (const [block, found] of groupBy(page, ({ block }) => block)) {
    const part = describe(block, found, context)
    if (parts.length > 0 && length + part.length + 2 > session.limits.readCharacters) break
    parts.push(part)
    shown.push(...found)
    length += part.length + 2
  }
  const rest = hits.length - first - shown.length
  if (rest > 0) parts.push(`…and ${rest} more: search again with "from": ${first + shown.length + 1}`)
  const matches = shown.map(({ block, text }) => ({ block: session.show(block), text: shorten(text, 200) }))
  return success(`${title}:\n\n${parts.join('\n\n')}`, summary, { total: hits.length, matches })
}

function describe(block: Block, hits: readonly Hit[], context: Context): string {
  const { session } = context
  const times = hits.length === 1 ? '' : ` ${hits.length} times`
  const words = [...new Set(hits.map((hit) => shorten(hit.text, 80)))].map((text) => `"${text}"`).join(', ')
  const lines = [`${words}${times} in block [${session.show(block)}]:`]
  for (const index of [block.index - 1, block.index, block.index + 1]) {
    const line = index === block.index ? describeMatch(block, hits, context) : describeContext(index, context)
    if (line !== undefined) lines.push(line)
  }
  return lines.join('\n')
}

// A long block is shown only around its matches, as plain text, which later calls can search for.
function describeMatch(block: Block, hits: readonly Hit[], { session, view, listed }: Context): string {
  listed.add(block.index)
  const rendered = renderBlock(view.doc, block)
  const limit = Math.max(session.limits.readCharacters / session.limits.searchMatches, 2 * contextLength)
  const sources = [...groupBy(hits, ({ source }) => source)]
  const text =
    rendered.length <= limit
      ? rendered
      : sources.map(([source, found]) => windowsAround(source, found.map(clip), windowLength)).join(' | ')
  return `> [${session.show(block)}] ${text}`
}

// Only the beginning of a very long match counts.
function clip({ from, to }: Hit): { from: number; to: number } {
  return { from, to: Math.min(to, from + windowLength) }
}

// A block shown for an earlier match isn't repeated as context.
function describeContext(index: number, { session, view, listed }: Context): string | undefined {
  const block = view.blocks[index]
  if (!block || listed.has(index)) return undefined
  listed.add(index)
  return `  [${session.show(block)}] ${cutText(renderBlock(view.doc, block), contextLength)}`
}
