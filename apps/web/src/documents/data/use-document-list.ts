import { keepPreviousData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { type DocumentFilter, documentKey, listDocuments } from '../../api/documents.ts'

/** The key under which lists of documents are cached. */
export const listKey = ['documents'] as const

/** The pages of the document list under a filter; while another filter loads, the previous list is shown. */
export function useDocuments(filter: DocumentFilter) {
  return useInfiniteQuery({
    queryKey: [...listKey, filter],
    queryFn: ({ pageParam, signal }) => listDocuments(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

/** Refetches the lists of documents, and their data on pages of documents. */
export async function refreshDocuments(queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: documentKey() })
  await queryClient.invalidateQueries({ queryKey: listKey })
}
