import type { WebHost } from '@copydesk/tools'
import type { GuardedFetch } from './guarded-fetch.ts'
import { createImageSearch } from './image-search.ts'
import { PageReader } from './page-reader.ts'
import { createWebSearch } from './web-search.ts'
import type { WebSettings } from './web-settings.ts'

/** The web for runs: the services that the operator has set up, and pages of the public internet. */
export type Web = {
  /** What one run may use; everything ends when the signal is aborted. */
  forRun(signal: AbortSignal): WebHost
  close(): Promise<void>
}

/** Opens nothing before it is used. Close it when done. */
export function createWeb(settings: WebSettings, fetch: GuardedFetch): Web {
  const search = createWebSearch(settings)
  const searchImages = createImageSearch(settings)
  const pages = new PageReader(fetch)
  return {
    forRun: (signal) => ({
      ...(search ? { search: (query, most) => search(query, most, signal) } : {}),
      ...(searchImages ? { searchImages: (keywords, most) => searchImages(keywords, most, signal) } : {}),
      readPage: pages.forRun(signal),
    }),
    close: () => pages.close(),
  }
}
