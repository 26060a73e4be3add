import { type CreateFolder, DocumentCount, Folder, FolderList, MoveEffect, type PatchFolder } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { apiPath, request, send } from './client.ts'

export const foldersKey = ['folders'] as const

const refetchMs = 30_000

/** The folders that the caller may see, by name; refetched periodically, since others change them too. */
export function useFolders() {
  return useQuery({
    queryKey: foldersKey,
    queryFn: fetchFolders,
    refetchInterval: refetchMs,
  })
}

/** One of these folders, undefined if it isn't among them; a thousand rows of a list may read one each. */
export function useFolder(id: string) {
  return useQuery({
    queryKey: foldersKey,
    queryFn: fetchFolders,
    // A refetch for each row would be too many requests.
    staleTime: refetchMs,
    select: (folders) => folders.find((each) => each.id === id),
  })
}

async function fetchFolders({ signal }: { signal: AbortSignal }): Promise<Folder[]> {
  return (await request('/folders', FolderList, { signal })).folders
}

export function createFolder(body: CreateFolder): Promise<Folder> {
  return request('/folders', Folder, { method: 'POST', body })
}

/** Renames or moves a folder, or sets the roles that it inherits from its parent folder. */
export async function patchFolder(id: string, body: PatchFolder): Promise<void> {
  await send(apiPath`/folders/${id}`, { method: 'PATCH', body })
}

/** Moves a folder to the trash with all its content that the caller owns. Resolves to the number of documents. */
export async function trashFolder(id: string): Promise<number> {
  return (await request(apiPath`/folders/${id}`, DocumentCount, { method: 'DELETE' })).documents
}

/** Restores a folder from the trash, with the content that was moved there together with it. */
export async function restoreFolder(id: string): Promise<number> {
  return (await request(apiPath`/folders/${id}/restore`, DocumentCount, { method: 'POST' })).documents
}

/** The people whose access would change if a document or folder moved to a folder, or with null out of all folders. */
export function fetchMoveEffect(
  { kind, id }: { kind: 'document' | 'folder'; id: string },
  to: string | null,
  signal?: AbortSignal,
): Promise<MoveEffect> {
  return request(apiPath`/${kind}s/${id}/move?to=${to ?? 'none'}`, MoveEffect, signal ? { signal } : {})
}
