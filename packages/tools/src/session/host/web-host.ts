import type { ToolFailure } from '../../common/result.ts'

/** A page that a web search found; `score` is the service's own score, 0 without one. */
export type WebResult = { title: string; url: string; content: string; score: number }

/** An image that a search found. `author` and `authorUrl` are shown with it wherever it is inserted. */
export type ImageResult = { url: string; thumbnailUrl: string; description: string; author: string; authorUrl: string }

/** The main text of a page as markdown; `url` is its address after redirects. */
export type WebPage = { url: string; title: string; text: string }

/**
 * The web services of the host; a service that isn't configured is absent. Their results are outside text. A failure of
 * a service or an address is a value.
 */
export type WebHost = {
  search?(query: string, most: number): Promise<{ ok: true; results: WebResult[]; total: number } | ToolFailure>
  searchImages?(keywords: string, most: number): Promise<ImagesFound | ToolFailure>
  /** Reads a page. The address is untrusted: the host must not connect to its own network. */
  readPage(url: string): Promise<{ ok: true; page: WebPage } | ToolFailure>
}

/** `source` names the service, with its address, for the line below an image. */
export type ImagesFound = { ok: true; images: ImageResult[]; total: number; source: string; sourceUrl: string }
