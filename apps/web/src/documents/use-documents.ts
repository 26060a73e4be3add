import {
  type QueryClient,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  createDocument,
  type DocumentFilter,
  listDocuments,
  renameDocument,
  restoreDocument,
  trashDocument,
} from '../api/documents.ts'
import { documentPath, navigate } from '../common/location.tsx'
import { showError, showToast } from '../ui/toasts.tsx'

const listKey = ['documents'] as const

/** The pages of the document list under a filter; while another filter loads, the former list stays. */
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

/** Creates a document and opens it, with the title focused. */
export function useCreateDocument() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => createDocument(),
    onSuccess: (created) => {
      void refreshDocuments(queryClient)
      navigate(documentPath(created.id), { isNew: true })
    },
    onError: showError,
  })
}

/** Renames a document; rejects with the error, for the dialog to show. */
export function useRenameDocument() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) => renameDocument(id, title),
    onSuccess: () => refreshDocuments(queryClient),
  })
}

/** Moves a document to the trash and offers to undo that. */
export function useTrashDocument() {
  const queryClient = useQueryClient()
  const restore = useRestoreDocument()
  return useMutation({
    mutationFn: (id: string) => trashDocument(id),
    onSuccess: (_nothing, id) => {
      showToast('Moved to the trash.', { label: 'Undo', run: () => restore.mutate(id) })
      return refreshDocuments(queryClient)
    },
    onError: showError,
  })
}

/** Brings a document back from the trash. */
export function useRestoreDocument() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => restoreDocument(id),
    onSuccess: () => {
      showToast('Restored.')
      return refreshDocuments(queryClient)
    },
    onError: showError,
  })
}

/** Refetches the lists of documents. */
export function refreshDocuments(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: listKey })
}
