import type { WebHost, WebResult } from '@copydesk/tools'
import { z } from 'zod'
import { askService, type Service } from './service-request.ts'
import type { WebSettings } from './web-settings.ts'

/** Searches the web: `WebHost.search` with a signal. */
export type WebSearch = (query: string, most: number, signal: AbortSignal) => ReturnType<NonNullable<WebHost['search']>>

const Answer = z.object({
  results: z.array(
    z.object({
      title: z.string().nullish(),
      url: z.string(),
      content: z.string().nullish(),
      score: z.number().nullish(),
    }),
  ),
  number_of_results: z.number().nullish(),
})

/** The configured search: Tavily with a key, else SearXNG with an address; `undefined` if neither is set. */
export function createWebSearch(settings: WebSettings): WebSearch | undefined {
  const { tavilyKey, tavilyUrl, searxngUrl, timeoutMs } = settings
  if (tavilyKey !== undefined) {
    const service: Service = { name: 'Tavily', key: 'TAVILY_API_KEY', address: 'TAVILY_BASE_URL' }
    return async (query, most, signal) => {
      const answered = await askService(service, under(tavilyUrl, 'search'), Answer, {
        method: 'POST',
        headers: { authorization: `Bearer ${tavilyKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, max_results: most, search_depth: 'basic' }),
        signal,
        timeoutMs,
      })
      return answered.ok ? toResults(answered.answer) : answered
    }
  }
  if (searxngUrl === undefined) return undefined
  // SearXNG answers JSON only if its settings list `json` among the formats.
  const service: Service = { name: 'SearXNG', address: 'SEARXNG_URL (search.formats must include json)' }
  return async (query, _most, signal) => {
    const url = under(searxngUrl, 'search')
    url.searchParams.set('q', query)
    url.searchParams.set('format', 'json')
    const answered = await askService(service, url, Answer, { signal, timeoutMs })
    return answered.ok ? toResults(answered.answer) : answered
  }
}

/** The address of a service's route, which may be below a path. */
export function under(base: string, path: string): URL {
  return new URL(path, base.endsWith('/') ? base : `${base}/`)
}

function toResults({ results, number_of_results: total }: z.infer<typeof Answer>) {
  const found = results.map(({ title, url, content, score }): WebResult => {
    return { title: title || url, url, content: content ?? '', score: score ?? 0 }
  })
  return { ok: true as const, results: found, total: Math.max(total ?? 0, found.length) }
}
