import type { WebHost } from '@copydesk/tools'
import type { GuardedFetch } from './guarded-fetch.ts'
import { createImageSearch } from './image-search.ts'
import { PageReader } from './page-reader.ts'
import { createWebSearch } from './web-search.ts'
import type { WebSettings } from './web-settings.ts'

/** Web access for runs: the configured services, and pages of the public internet. */
export type Web = {
  /** The functions that one run may use; all requests end when the signal is aborted. */
  forRun(signal: AbortSignal): WebHost
  close(): Promise<void>
}

/** Creates the web access. Opens connections and threads only on first use. The caller closes it. */
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
