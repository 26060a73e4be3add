import { Authorship } from '@copydesk/protocol'
import { request } from './client.ts'

/** The authorship of a document, by Yjs ids. */
export function fetchAuthorship(document: string, signal?: AbortSignal): Promise<Authorship> {
  return request(`/documents/${encodeURIComponent(document)}/authorship?by=ids`, Authorship, signal ? { signal } : {})
}
