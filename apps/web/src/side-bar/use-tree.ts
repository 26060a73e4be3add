import type { DocumentList, Folder } from '@copydesk/protocol'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { listDocuments, useDocumentSummary } from '../api/documents.ts'
import { readRoute, usePath } from '../common/location.tsx'
import { pathTo, treeOf } from '../documents/data/folder-tree.ts'
import { readListAddress } from '../documents/data/list-address.ts'
import { listKey } from '../documents/data/use-document-list.ts'
import { openFolders, setOpen } from './open-folders.ts'
import { rowsOf, type TreeRow } from './tree-rows.ts'

/** The rows of the tree, and the key of the row of the current page. Opens the folders around that page. */
export function useTree(folders: readonly Folder[]): { rows: readonly TreeRow[]; current: string | undefined } {
  const open = useSyncExternalStore(openFolders.subscribe, openFolders.get)
  const tree = useMemo(() => treeOf(folders), [folders])
  const shown = useMemo(() => folders.filter(({ id }) => open.has(id)).map(({ id }) => id), [folders, open])
  const contents = useDocumentsOf(shown)
  const rows = useMemo(() => rowsOf(tree, open, contents), [tree, open, contents])
  return { rows, current: useCurrent(folders) }
}

function useCurrent(folders: readonly Folder[]): string | undefined {
  const path = usePath()
  const route = readRoute(path)
  const document = route.page === 'document' ? route.id : undefined
  const { data: summary } = useDocumentSummary(document)
  const folder = document === undefined ? readListAddress(path, '').folder : (summary?.folder ?? null)
  const around = pathTo(folders, folder).map(({ id }) => id)
  // Only when the page or its folder changes: afterwards the user may close them.
  const reveals = around.join(' ')
  const isDocument = document !== undefined
  useEffect(() => {
    const ids = reveals.split(' ').filter(Boolean)
    setOpen(isDocument ? ids : ids.slice(0, -1), true)
  }, [reveals, isDocument])
  return document ?? folder ?? undefined
}

/** The first documents of folders by title; a folder whose list isn't loaded has undefined. */
function useDocumentsOf(folders: readonly string[]): ReadonlyMap<string, DocumentList | undefined> {
  const lists = useQueries({
    queries: folders.map((folder) => ({
      queryKey: [...listKey, 'of folder', folder],
      queryFn: ({ signal }: { signal: AbortSignal }) => listDocuments({ folder, sort: 'title' }, null, signal),
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(() => new Map(folders.map((folder, index) => [folder, lists[index]])), [folders, lists])
}
