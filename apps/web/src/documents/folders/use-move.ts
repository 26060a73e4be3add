import type { Folder, MoveEffect } from '@copydesk/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { patchDocument } from '../../api/documents.ts'
import { fetchMoveEffect, foldersKey, patchFolder } from '../../api/folders.ts'
import { t } from '../../i18n/translate.ts'
import { showError, showToast } from '../../ui/toasts/toasts.tsx'
import { type Item, openDialog } from './dialogs.ts'
import { isWithin } from '../data/folder-tree.ts'
import { useFolderAction } from './use-folder-mutations.ts'
import { itemOf } from './dragging.ts'
import { mayWrite } from '../../common/roles.ts'

/** The target of a move: a folder, or with null no folder. */
export type MoveTarget = Pick<Folder, 'id' | 'name'> | null

/** `confirmed`: whether the user has confirmed the changes of access. */
type Move = { item: Item; to: MoveTarget; confirmed: boolean }

/** Moves a document or folder and offers to undo that by moving it back. */
export function useMove() {
  const queryClient = useQueryClient()
  const move = async ({ item: { kind, id }, to, confirmed: confirm }: Move) => {
    const target = to?.id ?? null
    await (kind === 'document'
      ? patchDocument(id, { folder: target, confirm })
      : patchFolder(id, { parent: target, confirm }))
  }
  const undo = useFolderAction(move, () => showToast(t('Moved back.')))
  return useFolderAction(move, (_moved, { item, to, confirmed }) => {
    const before = nameOf(queryClient.getQueryData<Folder[]>(foldersKey), item.folder)
    const text = to
      ? t('Moved “{name}” to “{folder}”.', { name: item.name, folder: to.name })
      : t('Moved “{name}” out of its folder.', { name: item.name })
    showToast(text, { label: t('Undo'), run: () => undo.mutate({ item, to: before, confirmed }) })
  })
}

function nameOf(folders: readonly Folder[] | undefined, id: string | null): MoveTarget {
  return id === null ? null : (folders?.find((folder) => folder.id === id) ?? { id, name: '' })
}

/** Whether an item may be moved to a folder, as far as the browser knows; the server decides. */
export function mayMoveTo(folders: readonly Folder[], item: Item, to: Folder | null): boolean {
  if ((to?.id ?? null) === item.folder) return false
  if (to === null) return true
  return mayWrite(to) && !(item.kind === 'folder' && isWithin(folders, to.id, item.id))
}

/** Whether a move changes no person's access. */
export function changesNothing({ count, addresses }: MoveEffect): boolean {
  return count === 0 && addresses === 0
}

/**
 * A folder, or with null the place outside of all folders, onto which documents and folders can be dropped. A dropped
 * item moves immediately if that changes no person's access; otherwise the user is asked first.
 */
export function useFolderDrop(folder: Folder | null) {
  const queryClient = useQueryClient()
  const move = useMove()
  const accepts = (item: Item) => mayMoveTo(queryClient.getQueryData<Folder[]>(foldersKey) ?? [], item, folder)
  const drop = async (item: Item) => {
    const effect = await fetchMoveEffect(item, folder?.id ?? null)
    if (changesNothing(effect)) move.mutate({ item, to: folder, confirmed: false })
    else openDialog({ kind: 'move', item, target: folder?.id ?? null })
  }
  return useDropTarget(accepts, (item) => void drop(item).catch(showError))
}

/**
 * The attributes of an element onto which documents and folders can be dropped, and whether an item is over it now.
 * `accepts` decides before the drop, which is refused otherwise.
 */
function useDropTarget(accepts: (item: Item) => boolean, onDrop: (item: Item) => void) {
  const [isOver, setOver] = useState(false)
  const accepted = (event: DragEvent): Item | null => {
    const item = itemOf(event)
    return item && accepts(item) ? item : null
  }
  const target = {
    onDragOver: (event: DragEvent) => {
      if (!accepted(event)) return
      event.preventDefault()
      event.stopPropagation()
      event.dataTransfer.dropEffect = 'move'
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      const item = accepted(event)
      if (!item) return
      event.preventDefault()
      event.stopPropagation()
      onDrop(item)
    },
  }
  return { isOver, target }
}
