import type { CreateFolder, Folder, PatchFolder } from '@copydesk/protocol'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { createFolder, foldersKey, patchFolder, restoreFolder, trashFolder } from '../../api/folders.ts'
import { t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { refreshDocuments } from '../data/use-document-list.ts'

/** Creates a folder; rejects with the error, for the dialog to show. */
export function useCreateFolder() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CreateFolder) => createFolder(body),
    onSuccess: () => void refreshFolders(queryClient),
  })
}

/** Renames a folder or changes its inherited roles; rejects with the error, for the dialog to show. */
export function usePatchFolder() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...patch }: PatchFolder & { id: string }) => patchFolder(id, patch),
    onSuccess: () => void refreshFolders(queryClient),
  })
}

/** A request that changes folders or moves documents; shows its errors. */
export function useFolderAction<Result, Input>(
  act: (input: Input) => Promise<Result>,
  onDone: (result: Result, input: Input) => void,
) {
  const queryClient = useQueryClient()
  return useAction(act, {
    onDone: (result, input) => {
      onDone(result, input)
      void refreshFolders(queryClient)
    },
  })
}

/** Moves a folder with its content to the trash, and offers to undo that. */
export function useTrashFolder() {
  const restore = useFolderAction(restoreFolder, () => showToast(t('Restored.')))
  return useFolderAction(
    ({ id }: Folder) => trashFolder(id),
    (documents, { id, name }) => {
      const text =
        documents === 0
          ? t('Moved “{name}” to the trash.', { name })
          : t('Moved “{name}” and {count, plural, one {a document} other {# documents}} to the trash.', {
              name,
              count: documents,
            })
      showToast(text, { label: t('Undo'), run: () => restore.mutate(id) })
    },
  )
}

/** Refetches the folders and the lists of documents, which contain folder names. */
async function refreshFolders(queryClient: QueryClient): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: foldersKey }), refreshDocuments(queryClient)])
}
