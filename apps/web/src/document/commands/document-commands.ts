import type { ExportFormat, Me } from '@copydesk/protocol'
import { useQueryClient } from '@tanstack/react-query'
import {
  Braces,
  Copy,
  CopyPlus,
  FileCode,
  FileDown,
  FileUp,
  FolderInput,
  History,
  Keyboard,
  type LucideIcon,
  PenLine,
  Printer,
  Scissors,
  Search,
  Star,
  StarOff,
  Trash2,
} from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { exportDocument, useDocumentSummary } from '../../api/documents.ts'
import { meKey } from '../../api/query-client.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { readTitle, useOpenThreads } from '../../collaboration/hooks.ts'
import { editorCommands } from '../../common/commands/editor-commands.ts'
import { documentPath, navigate } from '../../common/location.tsx'
import { authorshipView, historyView, splitView, useIsShown } from '../../common/layout/page-layout.ts'
import { saveFile } from '../../common/files/save-file.ts'
import { shownKeys } from '../../common/commands/shortcut-keys.ts'
import { acceptedTexts } from '../../common/files/text-files.ts'
import { documentItem, openDialog } from '../../documents/folders/dialogs.ts'
import { useDuplicateDocument, useStarDocument, useTrashDocument } from '../../documents/data/use-documents.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { copyLink } from '../../ui/toasts/copying.ts'
import { useOtherTheme } from '../../ui/theme.tsx'
import { showError } from '../../ui/toasts/toasts.tsx'
import { printDocument } from '../print/print-extension.ts'
import { mayWrite } from '../../common/roles.ts'

/** One command on the document as a whole: an item of its menu and an entry of the palette. */
export type DocumentCommand = {
  label: string
  icon: LucideIcon
  keys?: string
  /** Other search words for it. */
  words?: EnglishText
  /** Whether it opens an element that takes the focus and returns it. */
  opens?: boolean
  danger?: boolean
  /** Whether the document's header has a button for it in windows that aren't narrow. */
  inHeader?: boolean
  run: () => void
}

type Commands = readonly (DocumentCommand | false | undefined)[]

/** The commands on a document that this user may use, in the groups of its menu. */
export function useDocumentCommands(connection: DocumentConnection): readonly (readonly DocumentCommand[])[] {
  const { document } = connection
  const groups = [
    useAids(document),
    useOrganizing(document),
    useFiles(connection),
    useViews(document),
    useTrash(document),
  ]
  return groups
    .map((group) => group.filter((command) => typeof command === 'object'))
    .filter(({ length }) => length > 0)
}

function useEditorCommands() {
  return useSyncExternalStore(editorCommands.subscribe, editorCommands.get)
}

function useAids(document: string): Commands {
  const editor = useEditorCommands()
  return [
    { label: t('Copy link'), icon: Copy, words: 'address url', run: () => void copyLink(documentPath(document)) },
    editor !== null && {
      label: t('Find…'),
      icon: Search,
      keys: shownKeys.find,
      words: 'search',
      opens: true,
      run: editor.find,
    },
    editor !== null && {
      label: t('Keyboard shortcuts'),
      icon: Keyboard,
      keys: shownKeys.help,
      words: 'help keys',
      opens: true,
      run: editor.showShortcuts,
    },
  ]
}

function useOrganizing(document: string): Commands {
  const { data: summary } = useDocumentSummary(document)
  const isGuest = useQueryClient().getQueryData<Me | null>(meKey)?.guest === true
  const star = useStarDocument()
  const duplicate = useDuplicateDocument()
  if (!summary) return []
  const { starred, access } = summary
  return [
    {
      label: starred ? t('Remove star') : t('Star'),
      icon: starred ? StarOff : Star,
      words: 'favourite',
      run: () => star.mutate({ id: document, starred: !starred }),
    },
    !isGuest && { label: t('Make a copy'), icon: CopyPlus, words: 'duplicate', run: () => duplicate.mutate(summary) },
    !isGuest &&
      access === 'manage' && {
        label: t('Move to…'),
        icon: FolderInput,
        words: 'folder',
        opens: true,
        run: () => openDialog({ kind: 'move', item: documentItem(summary) }),
      },
  ]
}

function useFiles(connection: DocumentConnection): Commands {
  const importFiles = useEditorCommands()?.importFiles
  const hasComments = useOpenThreads(connection) > 0
  const print = (comments: boolean) => void printDocument({ comments }).catch(showError)
  const download = (format: ExportFormat) => void saveExport(connection, format).catch(showError)
  return [
    importFiles && {
      label: t('Import Markdown…'),
      icon: FileUp,
      run: () => void chooseFiles(acceptedTexts).then(importFiles),
    },
    { label: t('Print…'), icon: Printer, words: 'pdf paper', run: () => print(false) },
    hasComments && { label: t('Print with comments…'), icon: Printer, words: 'pdf paper', run: () => print(true) },
    { label: t('Export as Markdown'), icon: FileDown, words: 'download save', run: () => download('markdown') },
    { label: t('Export as HTML'), icon: FileCode, words: 'download save', run: () => download('html') },
    { label: t('Export as JSON'), icon: Braces, words: 'download save', run: () => download('json') },
  ]
}

function useViews(document: string): Commands {
  const [theme, toggleTheme] = useOtherTheme()
  const isAuthorshipShown = useIsShown(authorshipView, document)
  const summary = useDocumentSummary(document).data
  return [
    { ...theme, words: 'colours', inHeader: true, run: toggleTheme },
    {
      label: isAuthorshipShown ? t('Hide authorship') : t('Show authorship'),
      icon: PenLine,
      words: 'who wrote',
      run: () => authorshipView.set(isAuthorshipShown ? null : document),
    },
    mayWrite(summary) && {
      label: t('Version history'),
      icon: History,
      keys: shownKeys.history,
      words: 'versions restore',
      run: () => historyView.set(document),
    },
    mayWrite(summary) && {
      label: t('Move what follows to a new document…'),
      icon: Scissors,
      keys: shownKeys.split,
      words: 'split',
      run: () => splitView.set(document),
    },
  ]
}

function useTrash(document: string): Commands {
  const trash = useTrashDocument()
  const mayTrash = useDocumentSummary(document).data?.access === 'manage'
  return [
    mayTrash && {
      label: t('Move to trash'),
      icon: Trash2,
      words: 'delete remove',
      danger: true,
      run: () => trash.mutate(document, { onSuccess: () => navigate('/') }),
    },
  ]
}

const endings: Record<ExportFormat, string> = { markdown: 'md', html: 'html', json: 'json' }

async function saveExport({ document: id, meta }: DocumentConnection, format: ExportFormat): Promise<void> {
  saveFile(await exportDocument(id, format), `${fileName(readTitle(meta))}.${endings[format]}`)
}

function fileName(title: string): string {
  const name = title.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, ' ').trim()
  return name.slice(0, 100) || t('Untitled')
}

/** Opens the browser's file chooser; resolves to the chosen files, none if it is cancelled. */
function chooseFiles(accept: string): Promise<File[]> {
  const field = document.createElement('input')
  Object.assign(field, { type: 'file', multiple: true, accept })
  return new Promise((resolve) => {
    field.addEventListener('change', () => resolve([...(field.files ?? [])]))
    field.addEventListener('cancel', () => resolve([]))
    field.click()
  })
}
