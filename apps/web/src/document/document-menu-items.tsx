import type { ExportFormat } from '@copydesk/protocol'
import { Braces, FileCode, FileDown, FileUp, Keyboard, Printer, Search } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { exportDocument, setFont } from '../api/documents.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { readTitle, useFont, useOpenThreads } from '../collaboration/hooks.ts'
import { chooseFiles } from '../common/choose-files.ts'
import { editorCommands } from '../common/editor-commands.ts'
import { saveFile } from '../common/save-file.ts'
import { acceptedTexts } from '../common/text-files.ts'
import { formatShortcut, isMacLike } from '../editor/toolbar/shortcuts.ts'
import { MenuChoices, MenuItem, MenuLine, MenuNote } from '../ui/menu.tsx'
import { showError } from '../ui/toasts.tsx'
import { printDocument } from './print/print-extension.ts'

type ItemsProps = { connection: DocumentConnection }

function useCommands() {
  return useSyncExternalStore(editorCommands.subscribe, editorCommands.get)
}

/** Find, shortcuts. */
export function AidItems() {
  const commands = useCommands()
  if (!commands) return null
  return (
    <>
      <MenuItem icon={<Search size={16} />} opens onSelect={commands.find}>
        <Named name="Find…" shortcut="Mod-f" />
      </MenuItem>
      <MenuItem icon={<Keyboard size={16} />} opens onSelect={commands.showShortcuts}>
        <Named name="Keyboard shortcuts" shortcut="Mod-/" />
      </MenuItem>
    </>
  )
}

function Named({ name, shortcut }: { name: string; shortcut: string }) {
  return (
    <>
      <span className="flex-1">{name}</span>
      <span aria-hidden className="text-xs text-ink-faint">
        {formatShortcut(shortcut, isMacLike())}
      </span>
    </>
  )
}

/** Import, print, export. */
export function FileItems({ connection }: ItemsProps) {
  const importFiles = useCommands()?.importFiles
  const hasComments = useOpenThreads(connection) > 0
  const print = (comments: boolean) => void printDocument({ comments }).catch(showError)
  const download = (format: ExportFormat) => void saveExport(connection, format).catch(showError)
  return (
    <>
      {importFiles && (
        <MenuItem icon={<FileUp size={16} />} onSelect={() => void chooseFiles(acceptedTexts).then(importFiles)}>
          Import Markdown…
        </MenuItem>
      )}
      <MenuItem icon={<Printer size={16} />} onSelect={() => print(false)}>
        Print…
      </MenuItem>
      {hasComments && (
        <MenuItem icon={<Printer size={16} />} onSelect={() => print(true)}>
          Print with comments…
        </MenuItem>
      )}
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

const fonts = [
  { value: 'sans', name: 'Sans', style: { fontFamily: 'var(--font-ui)' } },
  { value: 'serif', name: 'Serif', style: { fontFamily: 'var(--font-serif)' } },
  { value: 'mono', name: 'Mono', style: { fontFamily: 'var(--font-code)' } },
] as const

/** The font in which everyone sees the text. */
export function FontItems({ connection }: ItemsProps) {
  const choose = (chosen: string) => {
    const font = fonts.find(({ value }) => value === chosen)
    if (font) setFont(connection.document, font.value).catch(showError)
  }
  return (
    <>
      <MenuChoices label="Font of the text" value={useFont(connection)} choices={fonts} onChoose={choose} />
      <MenuLine />
    </>
  )
}

/** The length of the text when the menu was opened. */
export function LengthNote() {
  const [length] = useState(() => editorCommands.get()?.countText())
  if (!length) return null
  return <MenuNote>{`${plural(length.words, 'word')} · ${plural(length.characters, 'character')}`}</MenuNote>
}

function plural(count: number, name: string): string {
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`
}

const endings: Record<ExportFormat, string> = { markdown: 'md', html: 'html', json: 'json' }

async function saveExport({ document: id, meta }: DocumentConnection, format: ExportFormat): Promise<void> {
  saveFile(await exportDocument(id, format), `${fileName(readTitle(meta))}.${endings[format]}`)
}

function fileName(title: string): string {
  const name = title.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, ' ').trim()
  return name.slice(0, 100) || 'Untitled'
}
