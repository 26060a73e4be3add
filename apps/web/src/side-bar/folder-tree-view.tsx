import type { Folder, Me, DocumentList } from '@copydesk/protocol'
import { type KeyboardEvent, useRef, useState, useEffect, useMemo, useSyncExternalStore } from 'react'
import { documentPath, navigate, readRoute, usePath } from '../common/location.tsx'
import { folderItem, openDialog } from '../documents/folders/dialogs.ts'
import { listPath, readListAddress } from '../documents/data/list-address.ts'
import { TreeItem } from './tree-item.tsx'
import { findByLetters, moveOf, type TreeRow, rowsOf } from './tree-rows.ts'
import { useQueries } from '@tanstack/react-query'
import { listDocuments, useDocumentSummary } from '../api/documents.ts'
import { pathTo, treeOf } from '../documents/data/folder-tree.ts'
import { listKey } from '../documents/data/use-document-list.ts'
import { writeStored, readStoredJson } from '../common/local-storage.ts'
import { createStore } from '../common/store.ts'

type FolderTreeViewProps = { me: Me; folders: readonly Folder[]; onGo: (() => void) | undefined }

const typingPauseMs = 600

/** The folders as a tree, with the documents of open folders. One row is in the tab order. */
export function FolderTreeView({ me, folders, onGo }: FolderTreeViewProps) {
  const { rows, current } = useTree(folders)
  const list = useRef<HTMLUListElement>(null)
  const [last, setLast] = useState<string>()
  const tabStop = [last, current].find((key) => rows.some((row) => row.key === key)) ?? rows[0]?.key
  const typed = useTyped()
  const focusRow = (index: number) => list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[index]?.focus()
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const item = event.target
    // Ignores the keys of a row's menu.
    if (!(item instanceof HTMLElement) || item.role !== 'treeitem' || event.ctrlKey || event.metaKey || event.altKey)
      return
    const at = rows.findIndex(({ key }) => key === item.dataset.key)
    const row = rows[at]
    if (!row || !actOn(event, row, item)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const actOn = (event: KeyboardEvent, row: TreeRow, item: HTMLElement): boolean => {
    const at = rows.indexOf(row)
    const move = moveOf(rows, at, event.key)
    if (move && 'to' in move) focusRow(move.to)
    else if (move) toggle(row)
    else if (event.key === 'Enter') go(row)
    else if (event.key === ' ') toggle(row)
    else if (event.key === 'F2' && row.kind === 'folder')
      openDialog({ kind: 'rename', item: folderItem(row.folder) }, item)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return openMenu(item)
    else if (event.key.length === 1) focusRow(findByLetters(rows, at, typed(event.key)))
    else return false
    return true
  }
  const go = (row: TreeRow) => {
    const path = pathOf(row)
    if (path === undefined) return
    navigate(path)
    onGo?.()
  }
  return (
    <ul
      ref={list}
      role="tree"
      aria-labelledby="folders-heading"
      onKeyDown={onKeyDown}
      onFocus={({ target }) => target.role === 'treeitem' && setLast(target.dataset.key)}
    >
      {rows.map((row) => (
        <TreeItem
          key={row.key}
          row={row}
          me={me}
          isCurrent={row.key === current}
          isTabStop={row.key === tabStop}
          path={pathOf(row)}
          onToggle={() => toggle(row)}
          onGo={onGo}
        />
      ))}
    </ul>
  )
}

function pathOf(row: TreeRow): string | undefined {
  if (row.kind === 'document') return documentPath(row.document.id)
  return row.kind === 'empty' ? undefined : listPath({ folder: row.folder.id })
}

function toggle(row: TreeRow): void {
  if (row.kind === 'folder') setOpen([row.folder.id], !row.isOpen)
}

// The menu is opened by its button's own key, also the first time, when its code isn't loaded yet.
function openMenu(item: HTMLElement): boolean {
  const button = item.querySelector('[aria-haspopup="menu"]')
  button?.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
  return button !== null
}

/** Collects letters that are typed one after the other. */
function useTyped(): (letter: string) => string {
  const typed = useRef({ text: '', at: 0 })
  return (letter) => {
    const now = performance.now()
    const text = now - typed.current.at < typingPauseMs ? typed.current.text + letter : letter
    typed.current = { text, at: now }
    return text
  }
}

/** The rows of the tree, and the key of the row of the current page. Opens the folders that contain that page. */
function useTree(folders: readonly Folder[]): { rows: readonly TreeRow[]; current: string | undefined } {
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
  // Only when the page or its folder changes: afterwards the user may close these folders.
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

const storageKey = 'copydesk folders'

/** The ids of the folders that are open in the tree, stored in this browser. */
const openFolders = createStore<ReadonlySet<string>>(recall())

/** Opens or closes folders in the tree. */
function setOpen(ids: readonly string[], isOpen: boolean): void {
  const next = new Set(openFolders.get())
  for (const id of ids) {
    if (isOpen) next.add(id)
    else next.delete(id)
  }
  if (next.size === openFolders.get().size) return
  openFolders.set(next)
  writeStored(storageKey, JSON.stringify([...next]))
}

function recall(): ReadonlySet<string> {
  const kept = readStoredJson(storageKey)
  return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [])
}
