import type { ListedDocument, Me, DocumentSummary } from '@copydesk/protocol'
import { Star, CopyPlus, FolderInput, Link2, PenLine, StarOff, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { ActionMenu } from '../../ui/menus/action-menu.tsx'
import { useStarDocument, useDuplicateDocument, useTrashDocument } from '../data/use-documents.ts'
import { documentPath } from '../../common/location.tsx'
import { mayEdit, mayManage } from '../../common/roles.ts'
import { copyLink } from '../../ui/toasts/copying.ts'
import { MenuItem, MenuLine } from '../../ui/menus/menu.tsx'
import { documentItem, type LibraryDialog, openDialog } from '../folders/dialogs.ts'

/** The user's actions on a document in the list. */
export function RowActions({ document, me }: { document: ListedDocument; me: Me }) {
  const button = useRef<HTMLButtonElement>(null)
  const name = document.title || t('Untitled')
  return (
    <>
      {document.starred && <Star size={16} aria-hidden fill="currentColor" className="shrink-0 text-star sm:hidden" />}
      <StarButton document={document} />
      <ActionMenu label={t('Actions for {name}', { name })} button={button}>
        <DocumentMenuItems document={document} me={me} opener={() => button.current} />
      </ActionMenu>
    </>
  )
}

function StarButton({ document: { id, title, starred } }: { document: ListedDocument }) {
  const star = useStarDocument()
  return (
    <button
      type="button"
      aria-label={t('Star {title}', { title: title || t('Untitled') })}
      aria-pressed={starred}
      data-tooltip={starred ? t('Remove star') : t('Star')}
      onClick={() => star.mutate({ id, starred: !starred })}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-faint transition-colors hover:bg-hover hover:text-ink aria-pressed:text-star max-sm:hidden pointer-coarse:size-10 [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100 [@media(hover:hover)]:aria-pressed:opacity-100"
    >
      <Star size={17} aria-hidden fill={starred ? 'currentColor' : 'none'} />
    </button>
  )
}

type DocumentMenuItemsProps = {
  document: DocumentSummary
  me: Me
  /** The element that gets the focus back from dialogs. */
  opener: () => Element | null
}

/** The user's actions on a document in a list, as menu items. */
function DocumentMenuItems({ document, me, opener }: DocumentMenuItemsProps) {
  const trash = useTrashDocument()
  const star = useStarDocument()
  const duplicate = useDuplicateDocument()
  const { id, starred } = document
  const open = (dialog: LibraryDialog) => () => openDialog(dialog, opener())
  return (
    <>
      <MenuItem icon={Link2} onSelect={() => void copyLink(documentPath(id))} text={t('Copy link')} />
      {mayEdit(document.role) && (
        <MenuItem
          icon={PenLine}
          onSelect={open({ kind: 'rename', item: documentItem(document) })}
          opens
          text={t('Rename…')}
        />
      )}
      <MenuItem
        icon={starred ? StarOff : Star}
        onSelect={() => star.mutate({ id, starred: !starred })}
        text={starred ? t('Remove star') : t('Star')}
      />
      {!me.guest && <MenuItem icon={CopyPlus} onSelect={() => duplicate.mutate(document)} text={t('Make a copy')} />}
      {!me.guest && mayManage(document) && (
        <MenuItem
          icon={FolderInput}
          onSelect={open({ kind: 'move', item: documentItem(document) })}
          opens
          text={t('Move to…')}
        />
      )}
      {mayManage(document) && (
        <>
          <MenuLine />
          <MenuItem icon={Trash2} danger onSelect={() => trash.mutate(id)} text={t('Move to trash')} />
        </>
      )}
    </>
  )
}
