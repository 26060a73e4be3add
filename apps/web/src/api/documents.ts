import type {
  CreateDocument,
  DocumentList,
  DocumentSummary,
  ExportFormat,
  ListDocumentsQuery,
  PatchDocument,
} from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { apiPath, loadShapes, request, send } from './client.ts'

const listShape = async () => (await loadShapes()).DocumentList
const summaryShape = async () => (await loadShapes()).DocumentSummary

/** A filter and order of documents. */
export type DocumentFilter = Omit<ListDocumentsQuery, 'cursor'>

/** One page of the list; `cursor` is the `nextCursor` of the page before. */
export function listDocuments(
  filter: DocumentFilter,
  cursor: string | null,
  signal: AbortSignal,
): Promise<DocumentList> {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filter, cursor })) if (value) search.set(name, String(value))
  const suffix = search.size > 0 ? `?${search}` : ''
  return request(`/documents${suffix}`, listShape, { signal })
}

export function createDocument(body: CreateDocument = {}): Promise<DocumentSummary> {
  return request('/documents', summaryShape, { method: 'POST', body })
}

/** One document, if the caller may see it. */
function fetchDocument(id: string, signal: AbortSignal): Promise<DocumentSummary> {
  return request(apiPath`/documents/${id}`, summaryShape, { signal })
}

/** Changes a document's title (also for clients that have it open), agent mode, font, folder or star. */
export async function patchDocument(id: string, body: PatchDocument): Promise<void> {
  await send(apiPath`/documents/${id}`, { method: 'PATCH', body })
}

/** Makes a copy of a document, owned by the caller. */
export function duplicateDocument(id: string, title: string): Promise<DocumentSummary> {
  return request(apiPath`/documents/${id}/duplicate`, summaryShape, { method: 'POST', body: { title } })
}

/** Moves a document to the trash; `restoreDocument` restores it. */
export async function trashDocument(id: string): Promise<void> {
  await send(apiPath`/documents/${id}`, { method: 'DELETE' })
}

export async function deleteDocument(id: string): Promise<void> {
  await send(apiPath`/documents/${id}?permanent=true`, { method: 'DELETE' })
}

/** Deletes all documents in the trash that the caller owns permanently. */
export async function emptyTrash(): Promise<void> {
  await send('/trash', { method: 'DELETE' })
}

export async function restoreDocument(id: string): Promise<void> {
  await send(apiPath`/documents/${id}/restore`, { method: 'POST' })
}

/** The whole document as a file in the given format. */
export async function exportDocument(id: string, format: ExportFormat): Promise<Blob> {
  const response = await send(apiPath`/documents/${id}/export?format=${format}`)
  return response.blob()
}

/** The key under which one document's summary is cached; without an id the prefix of all of them. */
export function documentKey(id?: string): readonly unknown[] {
  return id === undefined ? ['document'] : ['document', id]
}

/**
 * The caller's role in a document and its data in lists; refetched periodically, and when the window gets the focus.
 * Without an id nothing is fetched.
 */
export function useDocumentSummary(id: string | undefined) {
  return useQuery({
    queryKey: documentKey(id ?? ''),
    queryFn: ({ signal }) => fetchDocument(id ?? '', signal),
    refetchInterval: 30_000,
    enabled: id !== undefined,
  })
}
