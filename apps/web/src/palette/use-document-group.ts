import type { DocumentSummary, Me } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { listDocuments } from '../api/documents.ts'
import { useFolders } from '../api/folders.ts'
import { documentPath, navigate, readRoute } from '../common/location.tsx'
import type { PaletteEntry, PaletteGroup } from '../common/commands/palette-offers.ts'
import { recentDocuments } from '../common/recent-documents.ts'
import { useDebounced } from '../common/use-debounced.ts'
import { t } from '../i18n/translate.ts'

const searchDelay = 150
const recentAtMost = 6

/**
 * The documents for a search. `isFound`: the server has found this one, perhaps by its text. `isSettled`: the server
 * has
 * answered the search, or can't.
 */
export type FoundDocuments = {
  group: PaletteGroup
  isFound: (entry: PaletteEntry) => boolean
  isSettled: boolean
}

/**
 * The documents that the user may open: without a search those opened last, then those changed last; else those that
 * the server finds by title or text, and at once those of the first page. The open document is left out.
 */
export function useDocumentGroup(me: Me, search: string): FoundDocuments {
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
    // Below the lists of the page of documents, so that what refreshes them refreshes this.
    queryKey: ['documents', 'palette', query],
    queryFn: async ({ signal }) => (await listDocuments({ query, trash: false }, null, signal)).documents,
  })
}

/** The documents with those in `recent` first, in its order. */
function inOrder(documents: readonly DocumentSummary[], recent: readonly string[]): DocumentSummary[] {
  const rank = ({ id }: DocumentSummary) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return documents.toSorted((a, b) => rank(a) - rank(b))
}
