import type { DocumentList, DocumentSummary, Folder } from '@copydesk/protocol'
import type { FolderTree } from '../documents/data/folder-tree.ts'
import { t } from '../i18n/translate.ts'

type Place = { key: string; level: number; position: number; size: number }

/** A visible row of the tree, with its place for assistive technology, counted from 1. */
export type TreeRow = Place &
  (
    | { kind: 'folder'; folder: Folder; isOpen: boolean }
    | { kind: 'document'; document: DocumentSummary; folder: string }
    | { kind: 'more'; folder: Folder }
    | { kind: 'empty' }
  )

/**
 * The rows of the tree from top to bottom. `contents` has the first documents of open folders, undefined while they
 * load.
 */
export function rowsOf(
  tree: FolderTree,
  open: ReadonlySet<string>,
  contents: ReadonlyMap<string, DocumentList | undefined>,
): TreeRow[] {
  const within = (parent: string | null, level: number): TreeRow[] => {
    const folders = tree.get(parent) ?? []
    const content = parent === null ? undefined : contents.get(parent)
    const documents = content?.documents ?? []
    const hasMore = content !== undefined && content.nextCursor !== null
    const size = folders.length + documents.length + (hasMore ? 1 : 0)
    const rows: TreeRow[] = []
    folders.forEach((folder, index) => {
      const isOpen = open.has(folder.id)
      rows.push({ kind: 'folder', key: folder.id, folder, isOpen, level, position: index + 1, size })
      if (isOpen) rows.push(...within(folder.id, level + 1))
    })
    if (parent === null) return rows
    documents.forEach((document, index) => {
      const position = folders.length + index + 1
      rows.push({ kind: 'document', key: document.id, document, folder: parent, level, position, size })
    })
    const folder = [...tree.values()].flat().find(({ id }) => id === parent)
    if (hasMore && folder) rows.push({ kind: 'more', key: `${parent} more`, folder, level, position: size, size })
    if (size === 0 && content) rows.push({ kind: 'empty', key: `${parent} empty`, level, position: 1, size: 1 })
    return rows
  }
  return within(null, 1)
}

/** The effect of a key in the tree: moves the focus to a row, or opens or closes the focused row. */
export type TreeMove = { to: number } | { toggle: true } | undefined

/** The move of a key at row `at`, as in the tree pattern of the ARIA Authoring Practices. */
export function moveOf(rows: readonly TreeRow[], at: number, key: string): TreeMove {
  const row = rows[at]
  if (!row) return undefined
  switch (key) {
    case 'ArrowDown':
      return at + 1 < rows.length ? { to: at + 1 } : undefined
    case 'ArrowUp':
      return at > 0 ? { to: at - 1 } : undefined
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: rows.length - 1 }
    case 'ArrowRight':
      if (row.kind !== 'folder') return undefined
      if (!row.isOpen) return { toggle: true }
      return (rows[at + 1]?.level ?? 0) > row.level ? { to: at + 1 } : undefined
    case 'ArrowLeft': {
      if (row.kind === 'folder' && row.isOpen) return { toggle: true }
      const parent = rows.findLastIndex((each, index) => index < at && each.level < row.level)
      return parent >= 0 ? { to: parent } : undefined
    }
    default:
      return undefined
  }
}

/** The next row after `at`, wrapping around, whose name begins with the typed letters; -1 if there is none. */
export function findByLetters(rows: readonly TreeRow[], at: number, typed: string): number {
  const wanted = typed.toLocaleLowerCase()
  // A second letter continues the search at the row found for the first letter.
  const first = typed.length === 1 ? at + 1 : at
  const order = rows.map((_row, index) => (first + index) % rows.length)
  return order.find((index) => nameOf(rows[index]).toLocaleLowerCase().startsWith(wanted)) ?? -1
}

function nameOf(row: TreeRow | undefined): string {
  if (row?.kind === 'folder') return row.folder.name
  return row?.kind === 'document' ? row.document.title || t('Untitled') : ''
}
