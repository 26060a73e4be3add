import type { DocumentSummary, Folder } from '@copydesk/protocol'
import { createStore } from '../../common/store.ts'
import { t } from '../../i18n/translate.ts'

/** The properties of a document or folder that moving and naming need. */
export type Item =
  | { kind: 'document'; id: string; name: string; folder: string | null }
  | { kind: 'folder'; id: string; name: string; folder: string | null }

/** A dialog about documents and folders. */
export type LibraryDialog =
  | { kind: 'new-folder'; parent: Folder | null }
  | { kind: 'rename'; item: Item }
  /** With `target` its effects are shown immediately; otherwise the user chooses a folder first. */
  | { kind: 'move'; item: Item; target?: string | null }
  | { kind: 'share-folder'; folder: Folder }
  | { kind: 'trash-folder'; folder: Folder }
  | { kind: 'delete-document'; document: Pick<DocumentSummary, 'id' | 'title'> }
  | { kind: 'empty-trash' }

/** The open dialog with the element that gets the focus back. One at a time, for lists, side bar and open documents. */
export const libraryDialog = createStore<{ dialog: LibraryDialog; opener: HTMLElement | null } | null>(null)

/** Opens a dialog. `opener` gets the focus back, by default the element that has it now. */
export function openDialog(dialog: LibraryDialog, opener: Element | null = document.activeElement): void {
  libraryDialog.set({ dialog, opener: opener instanceof HTMLElement ? opener : null })
}

export function documentItem({ id, title, folder }: Pick<DocumentSummary, 'id' | 'title' | 'folder'>): Item {
  return { kind: 'document', id, name: title || t('Untitled'), folder }
}

export function folderItem({ id, name, parent }: Pick<Folder, 'id' | 'name' | 'parent'>): Item {
  return { kind: 'folder', id, name, folder: parent }
}
