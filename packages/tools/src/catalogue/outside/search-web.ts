import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { shorten, success } from '../../common/result.ts'
import type { WebResult } from '../../session/host/web-host.ts'
import { cutText } from '../../text/window.ts'
import { reasonsToAsk } from '../../session/egress/reasons.ts'
import { heldToSend, isUsable, notConfigured, searchWords } from '../../tool/web-calls.ts'
import { evident } from '../../tool/fields.ts'
import { counted, localizable } from '../../common/localizable.ts'

const input = z.object({
  query: evident(searchWords, 'What to look for.'),
  maxResults: evident(z.number().int().min(1).max(10).optional(), '5 by default.'),
})

const titleLength = 200

/**
 * Searches the web with the host's service. Waits for a person's approval if the host requires one for the query.
 * `read_web_page` needs no approval for the addresses of the results.
 */
export const searchWeb = defineTool({
  name: 'search_web',
  description: 'Searches the web for what neither the document nor you know.',
  input,
  changes: false,
  editorsOnly: true,
  needs: 'web-search',
  isOutside: true,
  activity: ({ query }) => activityOn('Searching the web for', query),
  async handler({ query, maxResults = 5 }, session, call) {
    const search = session.host?.web?.search
    if (!search) return notConfigured('Searching the web', 'web-search')
    if (!session.maySearch(query, call)) {
      const summary = localizable`Search the web for “${shorten(query, 80)}”`
      return heldToSend(summary, query, reasonsToAsk.readOutside, call)
    }
    const found = await search(query, maxResults)
    if (!found.ok) return found
    const listed = found.results.filter(({ url }) => isUsable(url)).slice(0, maxResults)
    const length = Math.floor(session.limits.readCharacters / Math.max(1, listed.length))
    const results = listed.map((result) => cutResult(result, length))
    for (const { url } of results) session.given.add(url)
    const details = { results, totalResults: Math.max(found.total, results.length), query }
    return success(
      JSON.stringify(details),
      localizable`Found ${counted(results.length, 'page')} for “${shorten(query, 60)}”`,
      details,
    )
  },
})

// Limits the total length of all results to about that of one reading call.
function cutResult({ title, url, content, score }: WebResult, length: number): WebResult {
  return {
    title: shorten(title, titleLength),
    url,
    content: cutText(content, Math.max(100, length - titleLength)),
    score,
  }
}
