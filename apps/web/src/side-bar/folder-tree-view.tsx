import type { Folder, Me } from '@copydesk/protocol'
import { type KeyboardEvent, useRef, useState } from 'react'
import { documentPath, navigate } from '../common/location.tsx'
import { folderItem, openDialog } from '../documents/folders/dialogs.ts'
import { listPath } from '../documents/data/list-address.ts'
import { setOpen } from './open-folders.ts'
import { TreeItem } from './tree-item.tsx'
import { findByLetters, moveOf, type TreeRow } from './tree-rows.ts'
import { useTree } from './use-tree.ts'

type FolderTreeViewProps = { me: Me; folders: readonly Folder[]; onGo: (() => void) | undefined }

const typingPauseMs = 600

/** The folders as a tree, with the documents of those that are open. One row takes part in the order of Tab. */
export function FolderTreeView({ me, folders, onGo }: FolderTreeViewProps) {
  const { rows, current } = useTree(folders)
  const list = useRef<HTMLUListElement>(null)
  const [last, setLast] = useState<string>()
  const tabStop = [last, current].find((key) => rows.some((row) => row.key === key)) ?? rows[0]?.key
  const typed = useTyped()
  const focusRow = (index: number) => list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[index]?.focus()
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const item = event.target
    // Not the keys of a row's menu.
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
