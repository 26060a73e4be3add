import type { CreateDocument, DocumentList, DocumentSummary } from '@copydesk/protocol'
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createDocument,
  deleteDocument,
  documentKey,
  duplicateDocument,
  emptyTrash,
  patchDocument,
  restoreDocument,
  trashDocument,
} from '../../api/documents.ts'
import { documentPath, navigate } from '../../common/location.tsx'
import { t } from '../../i18n/translate.ts'
import { showError, showToast } from '../../ui/toasts/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { listKey, refreshDocuments } from './use-document-list.ts'

/** Creates a document and opens it, with the title focused. */
export function useCreateDocument() {
  return useListAction(
    (body: CreateDocument | void) => createDocument(body ?? {}),
    ({ id }) => navigate(documentPath(id), { isNew: true }),
  )
}

/** Renames a document; rejects with the error, for the dialog to show. */
export function useRenameDocument() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) => patchDocument(id, { title }),
    onSuccess: () => void refreshDocuments(queryClient),
  })
}

/** Adds or removes this user's star of a document; shown immediately. */
export function useStarDocument() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, starred }: { id: string; starred: boolean }) => patchDocument(id, { starred }),
    onMutate: ({ id, starred }) => changeListed(queryClient, id, { starred }),
    onError: showError,
    onSettled: () => void refreshDocuments(queryClient),
  })
}

/** Copies a document and offers to open the copy. */
export function useDuplicateDocument() {
  return useListAction(
    ({ id, title }: Pick<DocumentSummary, 'id' | 'title'>) => duplicateDocument(id, nameCopy(title)),
    ({ id, title }) =>
      showToast(t('Made “{title}”.', { title }), { label: t('Open'), run: () => navigate(documentPath(id)) }),
  )
}

const longestTitle = 300

function nameCopy(title: string): string {
  return t('Copy of {title}', { title: title || t('Untitled') })
    .slice(0, longestTitle)
    .toWellFormed()
}

/** Moves a document to the trash and offers to undo that. */
export function useTrashDocument() {
  const restore = useRestoreDocument()
  return useListAction(trashDocument, (_nothing, id) =>
    showToast(t('Moved to the trash.'), { label: t('Undo'), run: () => restore.mutate(id) }),
  )
}

export function useRestoreDocument() {
  return useListAction(restoreDocument, () => showToast(t('Restored.')))
}

export function useDeleteDocument() {
  return useListAction(deleteDocument, () => showToast(t('Deleted for good.')))
}

/** Deletes all documents in the trash that the caller owns permanently. */
export function useEmptyTrash() {
  return useListAction(
    (_nothing: void) => emptyTrash(),
    () => showToast(t('The trash is empty.')),
  )
}

/** A request that changes lists; shows its errors. */
function useListAction<Result, Input>(
  send: (input: Input) => Promise<Result>,
  onDone: (result: Result, input: Input) => void,
) {
  const queryClient = useQueryClient()
  return useAction(send, {
    onDone: (result, input) => {
      onDone(result, input)
      void refreshDocuments(queryClient)
    },
  })
}

function changeListed(queryClient: QueryClient, id: string, change: Partial<DocumentSummary>): void {
  const changed = <T extends { id: string }>(document: T): T =>
    document.id === id ? { ...document, ...change } : document
  queryClient.setQueriesData<InfiniteData<DocumentList> | DocumentList>({ queryKey: listKey }, (list) => {
    const onPage = (page: DocumentList) => ({ ...page, documents: page.documents.map(changed) })
    if (!list) return list
    return 'pages' in list ? { ...list, pages: list.pages.map(onPage) } : onPage(list)
  })
  queryClient.setQueryData<DocumentSummary>(documentKey(id), (document) => document && changed(document))
}
