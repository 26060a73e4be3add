import type { Me, DocumentSummary } from '@copydesk/protocol'
import { Sparkles, FilePlus2, Files, Keyboard, FileText } from 'lucide-react'
import { useRef, useState } from 'react'
import { returnFocus } from '../common/commands/editor-commands.ts'
import {
  type PaletteEntry,
  type PaletteGroup,
  type PaletteAdditions,
  paletteShown,
} from '../common/commands/palette-additions.ts'
import { t } from '../i18n/translate.ts'
import { Combobox } from './combobox.tsx'
import { findEntries } from './find-entries.ts'
import { settingsPages } from '../account/settings/settings-pages.ts'
import { pressShortcut, shownKeys } from '../common/commands/shortcut-keys.ts'
import { useCreateDocument } from '../documents/data/use-documents.ts'
import { navigate, readRoute, documentPath } from '../common/location.tsx'
import { DialogTitle, DialogWindow } from '../ui/dialog.tsx'
import { useOtherTheme } from '../ui/theme.tsx'
import { useQuery } from '@tanstack/react-query'
import { listDocuments } from '../api/documents.ts'
import { useFolders } from '../api/folders.ts'
import { recentDocuments } from '../common/recent-documents.ts'
import { useDebounced } from '../common/use-debounced.ts'

type PaletteProps = { me: Me; offers: PaletteAdditions | undefined }

const close = () => paletteShown.set(false)

/**
 * A search over documents, the page's entries, its commands, and the agent. Closing it returns the focus; the chosen
 * entry runs after that.
 */
export function Palette(props: PaletteProps) {
  const [before] = useState(() => document.activeElement)
  const chosen = useRef<() => void>(undefined)
  const choose = ({ run }: PaletteEntry) => {
    chosen.current = run
    close()
  }
  return (
    <DialogWindow
      onClose={close}
      returnFocus={() => {
        returnFocus(before)
        chosen.current?.()
      }}
      className="pop fixed top-[min(12vh,6rem)] left-1/2 z-50 flex max-h-[min(34rem,calc(100dvh-min(12vh,6rem)-1rem))] w-[min(38rem,calc(100vw-1rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-raised"
    >
      <DialogTitle className="sr-only">{t('Search and commands')}</DialogTitle>
      <Choices {...props} onChoose={choose} />
    </DialogWindow>
  )
}

function Choices({ me, offers, onChoose }: PaletteProps & { onChoose: (entry: PaletteEntry) => void }) {
  const [search, setSearch] = useState('')
  const documents = useDocumentGroup(me, search)
  const commands = usePageCommands(me, offers?.commands ?? [])
  const offered = [documents.group, ...(offers?.groups ?? []), { title: t('Commands'), entries: commands }]
  const found = findEntries(offered, search, documents.isFound)
  return (
    <Combobox
      label={t('Search and commands')}
      placeholder={offers?.ask ? t('Search, run a command, or ask the agent') : t('Search or run a command')}
      search={search}
      onSearch={setSearch}
      groups={[...found, ...askGroup(search, documents.isSettled ? offers?.ask : undefined)]}
      isSettled={documents.isSettled}
      onChoose={onChoose}
    />
  )
}

/** Offered only after the search is complete: a quick Enter must not send the name of a document to the agent. */
function askGroup(search: string, ask: ((request: string) => void) | undefined): PaletteGroup[] {
  const request = search.trim()
  if (!ask || request === '') return []
  const entry = {
    id: 'ask',
    label: t('Ask the agent: “{request}”', { request }),
    icon: Sparkles,
    run: () => ask(request),
  }
  return [{ title: t('Agent'), entries: [entry] }]
}

/** The commands of a page, `own`, followed by those of every page. */
function usePageCommands(me: Me, own: readonly PaletteEntry[]): PaletteEntry[] {
  const labels = new Set(own.map(({ label }) => label))
  return [...own, ...useCommonCommands(me).filter(({ label }) => !labels.has(label))]
}

function useCommonCommands(me: Me): PaletteEntry[] {
  const create = useCreateDocument()
  const [theme, toggleTheme] = useOtherTheme()
  const commands: (PaletteEntry | false)[] = [
    !me.guest && {
      id: 'new',
      label: t('New document'),
      icon: FilePlus2,
      words: ['create'],
      run: () => create.mutate(),
    },
    readRoute(location.pathname).page !== 'documents' && {
      id: 'list',
      label: t('All documents'),
      icon: Files,
      words: ['home list'],
      run: () => navigate('/'),
    },
    { id: 'theme', ...theme, words: ['dark light colours'], run: toggleTheme },
    {
      id: 'shortcuts',
      label: t('Keyboard shortcuts'),
      icon: Keyboard,
      keys: shownKeys.help,
      words: ['help keys'],
      run: () => pressShortcut(document.body, shownKeys.help),
    },
    ...settingsCommands(me),
  ]
  return commands.filter((command) => command !== false)
}

/** A command for each page of the settings that the user may open. */
function settingsCommands(me: Me): PaletteEntry[] {
  if (me.guest) return []
  return settingsPages(me).flatMap(({ pages }) =>
    pages.map(([path, text, Icon]) => ({
      id: path,
      label: t(text),
      icon: Icon,
      words: ['settings administration account'],
      run: () => navigate(path),
    })),
  )
}

const searchDelay = 150
const recentAtMost = 6

/**
 * The documents for a search. `isFound`: the server has found this one, perhaps by its text. `isSettled`: the server
 * has
 * answered the search, or can't.
 */
type FoundDocuments = {
  group: PaletteGroup
  isFound: (entry: PaletteEntry) => boolean
  isSettled: boolean
}

/**
 * The documents that the user may open: without a search those opened last, then those changed last; else those that
 * the server finds by title or text, preceded immediately by matches of the first page. The open document is omitted.
 */
function useDocumentGroup(me: Me, search: string): FoundDocuments {
  const query = search.trim().slice(0, longestQuery)
  const asked = useDebounced(query, searchDelay)
  const newest = useDocuments('')
  const found = useDocuments(asked)
  const [recent] = useState(() => recentDocuments(me.user.id))
  const here = readRoute(location.pathname)
  const { data: folders = [] } = useFolders()
  const toEntry = ({ id, title, folder }: DocumentSummary): PaletteEntry => ({
    id,
    label: title || t('Untitled'),
    icon: FileText,
    detail: folders.find((each) => each.id === folder)?.name,
    run: () => navigate(documentPath(id)),
  })
  const known = (newest.data ?? []).filter(({ id }) => here.page !== 'document' || here.id !== id)
  const isSettled = asked === query && !found.isFetching
  if (query === '') {
    const entries = inOrder(known, recent).slice(0, recentAtMost).map(toEntry)
    return { group: { title: t('Documents'), entries }, isFound: () => false, isSettled }
  }
  const byServer = asked === query ? (found.data ?? []) : []
  const ids = new Set(byServer.map(({ id }) => id))
  const entries = [...byServer, ...known.filter(({ id }) => !ids.has(id))].map(toEntry)
  return { group: { title: t('Documents'), entries }, isFound: ({ id }) => ids.has(id), isSettled }
}

const longestQuery = 200

function useDocuments(query: string) {
  return useQuery({
    // Below the key of document lists, so that refreshing these refreshes this query.
    queryKey: ['documents', 'palette', query],
    queryFn: async ({ signal }) => (await listDocuments({ query, trash: false }, null, signal)).documents,
  })
}

/** The documents with those in `recent` first, in its order. */
function inOrder(documents: readonly DocumentSummary[], recent: readonly string[]): DocumentSummary[] {
  const rank = ({ id }: DocumentSummary) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return documents.toSorted((a, b) => rank(a) - rank(b))
}
