import { useQuery } from '@tanstack/react-query'
import { fetchDocument } from '../api/documents.ts'

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
