import type { ListedDocument, Me } from '@copydesk/protocol'
import { type KeyboardEvent, Suspense, useEffect, useState } from 'react'
import { earlyPart, lazyPart, separatePart } from '../common/lazy-part.ts'
import { describeError } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { DocumentRow } from './rows/document-row.tsx'
import { filterOf, type ListAddress } from './data/list-address.ts'
import { useDocuments } from './data/use-document-list.ts'

const EmptyList = lazyPart(async () => (await import('./empty-list.tsx')).EmptyList)
const loadKept = () => import('./kept/list-problem.tsx')
const { Part: ListProblem, load: loadProblem } = earlyPart(async () => (await loadKept()).ListProblem, ListSkeleton)
const TrashedRow = lazyPart(async () => (await import('./rows/trashed-row.tsx')).TrashedRow)
const MoreDocuments = separatePart(async () => (await import('./more-documents.tsx')).MoreDocuments)

type DocumentListProps = { address: ListAddress; me: Me }

/** The documents of a list, page by page as the user scrolls. */
export function DocumentList({ address, me }: DocumentListProps) {
  const list = useDocuments(filterOf(address))
  // The previous list is shown only while this one loads.
  const isOffline = (list.isPending || list.isPlaceholderData) && list.fetchStatus === 'paused'
  const documents = isOffline ? [] : (list.data?.pages.flatMap((page) => page.documents) ?? [])
  const last = list.data?.pages.at(-1)
  useEffect(() => {
    // Loaded now, because it can't be loaded when it is needed: without the server.
    if (last)
      void Promise.all([loadKept(), loadProblem()]).then(
        ([{ keepTitles }]) => keepTitles(me.user.id, last.documents),
        ignore,
      )
  }, [last, me.user.id])
  if (list.isPending && !isOffline) return <ListSkeleton />
  if ((list.isError || isOffline) && documents.length === 0) {
    return (
      <ListProblem
        me={me}
        text={isOffline ? t('You are offline.') : describeError(list.error)}
        onRetry={() => void list.refetch()}
      />
    )
  }
  if (documents.length === 0) {
    return (
      <Suspense fallback={<ListSkeleton />}>
        <EmptyList address={address} me={me} />
      </Suspense>
    )
  }
  return (
    <div aria-busy={list.isPlaceholderData}>
      <Rows documents={documents} me={me} address={address} />
      {list.hasNextPage && (
        <MoreDocuments
          isLoading={list.isFetchingNextPage}
          problem={list.isFetchNextPageError ? describeError(list.error) : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </div>
  )
}

type RowsProps = { documents: readonly ListedDocument[]; me: Me; address: ListAddress }

function Rows({ documents, me, address: { folder, trash } }: RowsProps) {
  const now = useNow()
  const Row = trash ? TrashedRow : DocumentRow
  return (
    <Suspense fallback={<ListSkeleton />}>
      <div aria-hidden className="hidden px-4.25 pb-1.5 text-xs text-ink-faint lg:flex lg:gap-4">
        <span className="flex-1">{t('Name')}</span>
        <span className="w-32">{t('Owner')}</span>
        {trash ? (
          <span className="w-84">{t('Deleted for good')}</span>
        ) : (
          <>
            <span className="w-24">{t('People')}</span>
            <span className="w-59">{t('Last edited')}</span>
          </>
        )}
      </div>
      <ul
        aria-label={t('Documents')}
        onKeyDown={moveFocus}
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {documents.map((document) => (
          <Row key={document.id} document={document} now={now} me={me} listFolder={folder} />
        ))}
      </ul>
    </Suspense>
  )
}

/** Moves the focus from row to row with the arrow keys; Enter opens the focused link. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const { key, target, currentTarget, altKey, ctrlKey, metaKey, shiftKey } = event
  if (!(target instanceof HTMLElement) || altKey || ctrlKey || metaKey || shiftKey) return
  // In React, menus of rows are children of the row, but not in the DOM.
  const row = target.closest('li')
  if (!row || row.parentElement !== currentTarget || target.getAttribute('aria-haspopup') === 'menu') return
  const rows = [...currentTarget.children]
  const next = rows[nextOf(key, rows.indexOf(row), rows.length)]
  if (!next) return
  event.preventDefault()
  next.querySelector<HTMLElement>('a, button')?.focus()
}

function nextOf(key: string, at: number, count: number): number {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return -1
  }
}

function ListSkeleton() {
  return (
    <div
      role="status"
      aria-busy="true"
      aria-label={t('Loading documents')}
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
    >
      {[58, 41, 66, 49].map((width) => (
        <div key={width} className="flex h-17 items-center px-4">
          <div className="skeleton h-4" style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  )
}

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function ignore(): void {
  // Titles are stored at the next attempt.
}
