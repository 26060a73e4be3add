import type { DocumentSummary } from '@copydesk/protocol'
import { Ellipsis, PenLine, RotateCcw, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { documentPath, Link } from '../common/location.tsx'
import { relativeTime } from '../common/relative-time.ts'
import { mayEdit, mayManage } from '../common/roles.ts'
import { Button, iconButtonClass } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { useFocusNextRow } from '../ui/use-focus-next-row.ts'
import { useRestoreDocument, useTrashDocument } from './use-documents.ts'

type Rename = (opener: HTMLElement | null) => void
type DocumentRowProps = { document: DocumentSummary; now: Date; onRename: Rename }

/** One document in the list. */
export function DocumentRow({ document, now, onRename }: DocumentRowProps) {
  const title = document.title || 'Untitled'
  return (
    <li className="group relative flex min-h-16 items-center gap-2 px-4 py-2 transition-colors hover:bg-sunken">
      <div className="min-w-0 flex-1">
        {document.trashed ? (
          <span dir="auto" className="block truncate text-left font-medium text-ink-soft">
            {title}
          </span>
        ) : (
          <Link
            to={documentPath(document.id)}
            dir="auto"
            className="block truncate text-left font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {title}
          </Link>
        )}
        <time
          dateTime={document.updatedAt}
          title={new Date(document.updatedAt).toLocaleString()}
          className="text-sm text-ink-faint"
        >
          {relativeTime(document.updatedAt, now)}
        </time>
      </div>
      {(document.trashed ? mayManage(document) : mayEdit(document.role)) && (
        <RowActions document={document} onRename={onRename} />
      )}
    </li>
  )
}

function RowActions({ document, onRename }: { document: DocumentSummary; onRename: Rename }) {
  return document.trashed ? <RestoreButton document={document} /> : <RowMenu document={document} onRename={onRename} />
}

function RestoreButton({ document }: { document: DocumentSummary }) {
  const restore = useRestoreDocument()
  const button = useRef<HTMLButtonElement>(null)
  useFocusNextRow(button)
  // A disabled button would lose the focus immediately.
  const mayPress = !restore.isPending
  return (
    <Button
      ref={button}
      aria-label={`Restore ${document.title || 'Untitled'}`}
      aria-disabled={!mayPress}
      onClick={() => mayPress && restore.mutate(document.id)}
    >
      <RotateCcw size={15} aria-hidden />
      Restore
    </Button>
  )
}

function RowMenu({ document, onRename }: { document: DocumentSummary; onRename: Rename }) {
  const trash = useTrashDocument()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Menu
      trigger={
        <button
          ref={button}
          type="button"
          aria-label={`Actions for ${document.title || 'Untitled'}`}
          className={`${iconButtonClass} relative z-10`}
        >
          <Ellipsis size={18} aria-hidden />
        </button>
      }
    >
      <MenuItem icon={<PenLine size={16} />} onSelect={() => onRename(button.current)}>
        Rename
      </MenuItem>
      {mayManage(document) && (
        <MenuItem icon={<Trash2 size={16} />} danger onSelect={() => trash.mutate(document.id)}>
          Move to trash
        </MenuItem>
      )}
    </Menu>
  )
}
