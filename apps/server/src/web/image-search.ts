import type { ImageResult, WebHost } from '@copydesk/tools'
import { z } from 'zod'
import { askService, type Service } from './service-request.ts'
import { under } from './web-search.ts'
import type { WebSettings } from './web-settings.ts'

/** Searches images: `WebHost.searchImages` with a signal. */
export type ImageSearch = (
  keywords: string,
  most: number,
  signal: AbortSignal,
) => ReturnType<NonNullable<WebHost['searchImages']>>

const Photo = z.object({
  description: z.string().nullish(),
  alt_description: z.string().nullish(),
  urls: z.object({ regular: z.string(), small: z.string(), thumb: z.string().nullish() }),
  user: z.object({ name: z.string(), links: z.object({ html: z.string() }) }),
})
const Answer = z.object({ total: z.number(), results: z.array(Photo) })

const service: Service = { name: 'Unsplash', key: 'UNSPLASH_ACCESS_KEY', address: 'UNSPLASH_BASE_URL' }

/** The search of photos on Unsplash, if the operator has set a key for it. */
export function createImageSearch({ unsplashKey, unsplashUrl, timeoutMs }: WebSettings): ImageSearch | undefined {
  if (unsplashKey === undefined) return undefined
  return async (keywords, most, signal) => {
    const url = under(unsplashUrl, 'search/photos')
    url.searchParams.set('query', keywords)
    url.searchParams.set('per_page', String(most))
    url.searchParams.set('content_filter', 'high')
    const headers = { authorization: `Client-ID ${unsplashKey}`, 'accept-version': 'v1' }
    const answered = await askService(service, url, Answer, { headers, signal, timeoutMs })
    if (!answered.ok) return answered
    const { total, results } = answered.answer
    return {
      ok: true,
      images: results.map(toImage),
      total,
      source: 'Unsplash',
      sourceUrl: withReferral('https://unsplash.com/'),
    }
  }
}

function toImage({ description, alt_description: alt, urls, user }: z.infer<typeof Photo>): ImageResult {
  return {
    url: urls.regular,
    thumbnailUrl: urls.thumb ?? urls.small,
    description: description || alt || '',
    author: user.name,
    authorUrl: withReferral(user.links.html),
  }
}

// Unsplash requires these parameters in each link of an attribution.
function withReferral(address: string): string {
  const url = URL.parse(address)
  url?.searchParams.set('utm_source', 'copydesk')
  url?.searchParams.set('utm_medium', 'referral')
  return url?.href ?? address
}
