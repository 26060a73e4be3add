import { z } from 'zod'
import { activityOn, defineTool } from '../define-tool.ts'
import { renderBlock } from '../render/render-block.ts'
import { failure, shorten, success } from '../result.ts'
import { type Block, blockText } from '../session/blocks.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { DocumentView } from '../session/document-view.ts'
import { createSearcher, type Searcher } from '../text/search.ts'
import { segmentsOf } from '../text/segments.ts'
import { blocksWith } from '../text/text-index.ts'

const input = z.object({
  query: z.string().min(1).describe('The text, or with isRegex the RE2 pattern, to look for.'),
  isRegex: z.boolean().optional().describe('Whether query is a regular expression; false by default.'),
  matchCase: z.boolean().optional().describe('Whether upper and lower case differ; false by default.'),
})

type Hit = { block: Block; text: string }

const contextLength = 300
// Patterns run in linear time, but slowly: an exact count of more matches isn't worth the time.
const mostPatternMatches = 1_000

/**
 * Finds all occurrences of a text, with one block of context on either side. Marks don't matter; no match spans several
 * cells. Matches of a pattern are counted up to about a thousand. Suggested changes count as accepted.
 */
export const searchDocument = defineTool({
  name: 'search_document',
  description:
    'Finds a text or a pattern in the document and shows each match with its block number and the blocks around it. Use it to find where something is said without reading everything.',
  input,
  changes: false,
  activity: ({ query }) => activityOn('Searching for', query),
  handler({ query, isRegex = false, matchCase = false }, session) {
    if (query.length > session.limits.findCharacters) {
      return failure(
        'too_large',
        `query is longer than ${session.limits.findCharacters} characters.`,
        'Search for a shorter part of it.',
      )
    }
    const read = session.view()
    if (!read.ok) return read
    const made = createSearcher(query, isRegex, matchCase)
    if (!made.ok) return made
    const most = isRegex ? mostPatternMatches : Infinity
    const hits = findIn(read.view, made.searcher, most)
    const atLeast = hits.length >= most ? 'at least ' : ''
    const summary = `${atLeast}${hits.length} ${hits.length === 1 ? 'match' : 'matches'} for "${shorten(query, 60)}"`
    if (hits.length === 0)
      return success(`No matches for "${shorten(query, 200)}".`, summary, { total: 0, matches: [] })
    return report(hits, summary, session, read.view)
  },
})

function findIn(view: DocumentView, { literal, search }: Searcher, most: number): Hit[] {
  const hits: Hit[] = []
  for (const block of blocksWith(literal, view)) {
    if (hits.length >= most) break
    for (const text of textsOf(block)) {
      for (const [from, to] of search(text)) hits.push({ block, text: text.slice(from, to) })
    }
  }
  return hits
}

function textsOf(block: Block): string[] {
  return block.kind === 'leaf' ? [blockText(block.node)] : segmentsOf(block).map(({ text }) => text)
}

function report(hits: readonly Hit[], summary: string, session: DocumentSession, view: DocumentView) {
  const shown = hits.slice(0, session.limits.searchMatches)
  const byBlock = new Map<Block, Hit[]>()
  for (const hit of shown) byBlock.set(hit.block, [...(byBlock.get(hit.block) ?? []), hit])
  const context = { session, view, listed: new Set<number>() }
  const parts = [...byBlock].map(([block, found]) => describe(block, found, context))
  if (hits.length > shown.length) parts.push(`…and ${hits.length - shown.length} more`)
  const matches = shown.map(({ block, text }) => ({ block: session.show(block), text: shorten(text, 200) }))
  return success(`${summary}:\n\n${parts.join('\n\n')}`, summary, { total: hits.length, matches })
}

type Context = { session: DocumentSession; view: DocumentView; listed: Set<number> }

function describe(block: Block, hits: readonly Hit[], context: Context): string {
  const { session } = context
  const times = hits.length === 1 ? '' : ` ${hits.length} times`
  const words = [...new Set(hits.map((hit) => shorten(hit.text, 80)))].map((text) => `"${text}"`).join(', ')
  const lines = [`${words}${times} in block [${session.show(block)}]:`]
  for (const index of [block.index - 1, block.index, block.index + 1]) {
    const line = describeBlock(index, index === block.index, context)
    if (line !== undefined) lines.push(line)
  }
  return lines.join('\n')
}

// A block shown for an earlier match isn't repeated as context.
function describeBlock(index: number, isMatch: boolean, { session, view, listed }: Context): string | undefined {
  const block = view.blocks[index]
  if (!block || (!isMatch && listed.has(index))) return undefined
  listed.add(index)
  const rendered = renderBlock(view.doc, block)
  const limit = isMatch ? session.limits.readCharacters / session.limits.searchMatches : contextLength
  const text =
    isMatch && rendered.length <= Math.max(limit, 2 * contextLength)
      ? rendered
      : shorten(rendered, Math.max(limit, contextLength))
  return `${isMatch ? '>' : ' '} [${session.show(block)}] ${text}`
}
