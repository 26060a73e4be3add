import type { ExportFormat } from '@copydesk/protocol'
import {
  Braces,
  Copy,
  Ellipsis,
  FileCode,
  FileDown,
  History,
  Moon,
  PenLine,
  Printer,
  Scissors,
  Sun,
  Trash2,
} from 'lucide-react'
import { exportDocument, useDocumentSummary } from '../api/documents.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { readTitle, useOpenThreads } from '../collaboration/hooks.ts'
import { documentPath, navigate } from '../common/location.tsx'
import { authorshipView, historyView, splitView, useIsShown } from '../common/page-layout.ts'
import { saveFile } from '../common/save-file.ts'
import { useTrashDocument } from '../documents/use-documents.ts'
import { iconButtonClass } from '../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { useTheme } from '../ui/theme.tsx'
import { copyLink } from '../ui/copying.ts'
import { showError } from '../ui/toasts.tsx'
import { printDocument } from './print/print-extension.ts'

const endings: Record<ExportFormat, string> = { markdown: 'md', html: 'html', json: 'json' }

/** Actions on the document as a whole. */
export function DocumentMenu({ connection }: { connection: DocumentConnection }) {
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
        <button type="button" aria-label="Document menu" className={iconButtonClass}>
          <Ellipsis size={18} aria-hidden />
        </button>
      }
    >
      <MenuItem icon={<Copy size={16} />} onSelect={() => void copyLink(documentPath(document))}>
        Copy link
      </MenuItem>
      <PrintItems connection={connection} />
      <ExportItems connection={connection} />
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
    </Menu>
  )
}

type ItemsProps = { connection: DocumentConnection }

function PrintItems({ connection }: ItemsProps) {
  const hasComments = useOpenThreads(connection) > 0
  const print = (comments: boolean) => void printDocument({ comments }).catch(showError)
  return (
    <>
      <MenuItem icon={<Printer size={16} />} onSelect={() => print(false)}>
        Print…
      </MenuItem>
      {hasComments && (
        <MenuItem icon={<Printer size={16} />} onSelect={() => print(true)}>
          Print with comments…
        </MenuItem>
      )}
    </>
  )
}

function ExportItems({ connection }: ItemsProps) {
  const download = (format: ExportFormat) => void saveExport(connection, format).catch(showError)
  return (
    <>
      <MenuItem icon={<FileDown size={16} />} onSelect={() => download('markdown')}>
        Export as Markdown
      </MenuItem>
      <MenuItem icon={<FileCode size={16} />} onSelect={() => download('html')}>
        Export as HTML
      </MenuItem>
      <MenuItem icon={<Braces size={16} />} onSelect={() => download('json')}>
        Export as JSON
      </MenuItem>
    </>
  )
}

async function saveExport({ document: id, meta }: DocumentConnection, format: ExportFormat): Promise<void> {
  saveFile(await exportDocument(id, format), `${fileName(readTitle(meta))}.${endings[format]}`)
}

function fileName(title: string): string {
  const name = title.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, ' ').trim()
  return name.slice(0, 100) || 'Untitled'
}
