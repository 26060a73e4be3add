import type { Me } from '@copydesk/protocol'
import { Ellipsis, History, Link2, Moon, PenLine, Scissors, Sun, Trash2 } from 'lucide-react'
import { lazy, useRef } from 'react'
import { useDocumentSummary } from '../api/documents.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { documentPath, navigate } from '../common/location.tsx'
import { authorshipView, historyView, splitView, useIsShown } from '../common/page-layout.ts'
import { useTrashDocument } from '../documents/use-documents.ts'
import { iconButtonClass } from '../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { useTheme } from '../ui/theme.tsx'
import { copyLink } from '../ui/copying.ts'
import { AidItems, FileItems, LengthNote } from './document-menu-items.tsx'

const PlaceItems = lazy(async () => ({ default: (await import('../documents/document-menu-items.tsx')).PlaceItems }))

/** Actions on the document as a whole. */
export function DocumentMenu({ connection, me }: { connection: DocumentConnection; me: Me }) {
  const button = useRef<HTMLButtonElement>(null)
  const trash = useTrashDocument()
  const [theme, toggleTheme] = useTheme()
  const { document } = connection
  const summary = useDocumentSummary(document).data
  const mayTrash = summary?.access === 'manage'
  const mayWrite = mayTrash || summary?.access === 'write'
  const isAuthorshipShown = useIsShown(authorshipView, document)
  return (
    <Menu
      trigger={
        <button ref={button} type="button" aria-label="Document menu" className={iconButtonClass}>
          <Ellipsis size={18} aria-hidden />
        </button>
      }
    >
      <MenuItem icon={<Link2 size={16} />} onSelect={() => void copyLink(documentPath(document))}>
        Copy link
      </MenuItem>
      {summary && <PlaceItems document={summary} me={me} opener={() => button.current} />}
      <AidItems />
      <MenuLine />
      <FileItems connection={connection} />
      <MenuLine />
      <MenuItem icon={theme === 'dark' ? <Sun size={16} /> : <Moon size={16} />} onSelect={toggleTheme}>
        {theme === 'dark' ? 'Light theme' : 'Dark theme'}
      </MenuItem>
      <MenuItem icon={<PenLine size={16} />} onSelect={() => authorshipView.set(isAuthorshipShown ? null : document)}>
        {isAuthorshipShown ? 'Hide authorship' : 'Show authorship'}
      </MenuItem>
      {mayWrite && (
        <>
          <MenuItem icon={<History size={16} />} onSelect={() => historyView.set(document)}>
            Version history
          </MenuItem>
          <MenuItem icon={<Scissors size={16} />} onSelect={() => splitView.set(document)}>
            Move what follows to a new document…
          </MenuItem>
        </>
      )}
      {mayTrash && (
        <>
          <MenuLine />
          <MenuItem
            icon={<Trash2 size={16} />}
            danger
            onSelect={() => trash.mutate(document, { onSuccess: () => navigate('/') })}
          >
            Move to trash
          </MenuItem>
        </>
      )}
      <MenuLine />
      <LengthNote />
    </Menu>
  )
}
