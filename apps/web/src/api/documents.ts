import type {
  AgentMode,
  CreateDocument,
  DocumentFont,
  DocumentList,
  DocumentSummary,
  ExportFormat,
} from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { loadShapes, request, send } from './client.ts'

const listShape = async () => (await loadShapes()).DocumentList
const summaryShape = async () => (await loadShapes()).DocumentSummary

/** Which documents to list: those whose title or text contains `query`, or those in the trash. */
export type DocumentFilter = { query: string; trash: boolean }

/** One page of the list, latest change first; `cursor` is the `nextCursor` of the page before. */
export function listDocuments(
  filter: DocumentFilter,
  cursor: string | null,
  signal: AbortSignal,
): Promise<DocumentList> {
  const search = new URLSearchParams()
  if (filter.query) search.set('query', filter.query)
  if (filter.trash) search.set('trash', 'true')
  if (cursor) search.set('cursor', cursor)
  const suffix = search.size > 0 ? `?${search}` : ''
  return request(`/documents${suffix}`, listShape, { signal })
}

/** Creates a document owned by the caller. */
export function createDocument(body: CreateDocument = {}): Promise<DocumentSummary> {
  return request('/documents', summaryShape, { method: 'POST', body })
}

/** One document, if the caller may see it. */
function fetchDocument(id: string, signal: AbortSignal): Promise<DocumentSummary> {
  return request(`/documents/${encodeURIComponent(id)}`, summaryShape, { signal })
}

/** Sets the font of the text, for all users of the document. */
export function setFont(id: string, font: DocumentFont): Promise<DocumentSummary> {
  return request(`/documents/${encodeURIComponent(id)}`, summaryShape, { method: 'PATCH', body: { font } })
}

/** Sets how the agent's changes reach the text, for all users of the document. */
export function setAgentMode(id: string, agentMode: AgentMode): Promise<DocumentSummary> {
  return request(`/documents/${encodeURIComponent(id)}`, summaryShape, { method: 'PATCH', body: { agentMode } })
}

/** Renames a document, also for clients that have it open. */
export async function renameDocument(id: string, title: string): Promise<void> {
  await send(`/documents/${encodeURIComponent(id)}`, { method: 'PATCH', body: { title } })
}

/** Moves a document to the trash, from where `restoreDocument` brings it back. */
export async function trashDocument(id: string): Promise<void> {
  await send(`/documents/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

/** Brings a document back from the trash. */
export async function restoreDocument(id: string): Promise<void> {
  await send(`/documents/${encodeURIComponent(id)}/restore`, { method: 'POST' })
}

/** The whole document as a file in the given format. */
export async function exportDocument(id: string, format: ExportFormat): Promise<Blob> {
  const response = await send(`/documents/${encodeURIComponent(id)}/export?format=${format}`)
  return response.blob()
}

/** The key under which one document's summary is cached. */
export function documentKey(id: string): readonly unknown[] {
  return ['document', id]
}

/** The caller's role in a document and its agent mode; refetched periodically, and when the window gets the focus. */
export function useDocumentSummary(id: string) {
  return useQuery({
    queryKey: documentKey(id),
    queryFn: ({ signal }) => fetchDocument(id, signal),
    refetchInterval: 30_000,
  })
}
