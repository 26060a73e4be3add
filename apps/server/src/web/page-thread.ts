import { answerRequests } from '../threads/thread-worker.ts'
import { readPageText } from './page-text.ts'

/** A page to read, and its title and text. */
export type PageRequest = { html: string; url: string }
export type PageResponse = { title: string; text: string }

answerRequests<PageRequest, PageResponse>(({ html, url }) => readPageText(html, url))
