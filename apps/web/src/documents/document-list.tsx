import type { DocumentSummary } from '@copydesk/protocol'
import { startTransition, Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../common/lazy-part.ts'
import { describeError } from '../api/client.ts'
import type { DocumentFilter } from '../api/documents.ts'
import { Button } from '../ui/button.tsx'
import { DocumentRow } from './document-row.tsx'
import { useDocuments } from './use-documents.ts'

const EmptyList = lazyPart(async () => (await import('./empty-list.tsx')).EmptyList)
const RenameDialog = lazyPart(async () => (await import('./rename-dialog.tsx')).RenameDialog)

type DocumentListProps = { filter: DocumentFilter; onCreate: () => void }

/** The documents under a filter, with pagination. */
export function DocumentList({ filter, onCreate }: DocumentListProps) {
  const list = useDocuments(filter)
  const [renamed, setRenamed] = useState<{ document: DocumentSummary; opener: HTMLElement | null }>()
  const now = useNow()
  const documents = list.data?.pages.flatMap((page) => page.documents) ?? []
  const isOffline = list.isPending && list.fetchStatus === 'paused'
  if (list.isPending && !isOffline) return <ListSkeleton />
  if ((list.isError || isOffline) && documents.length === 0) {
    return (
      <div role="alert" className="rounded-lg border border-danger/40 bg-danger-soft p-4 text-danger">
        <p>{isOffline ? 'You are offline.' : describeError(list.error)}</p>
        <Button className="mt-3" onClick={() => void list.refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (documents.length === 0) {
    return (
      <Suspense fallback={<ListSkeleton />}>
        <EmptyList filter={filter} onCreate={onCreate} />
      </Suspense>
    )
  }
  return (
    <div aria-busy={list.isPlaceholderData}>
      <ul
        aria-label="Documents"
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {documents.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            now={now}
            onRename={(opener) => startTransition(() => setRenamed({ document, opener }))}
          />
        ))}
      </ul>
      {list.isFetchNextPageError && (
        <p role="alert" className="mt-4 text-center text-sm text-danger">
          {describeError(list.error)}
        </p>
      )}
      {list.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
            {list.isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
      {renamed && <RenameDialog key={renamed.document.id} {...renamed} onClose={() => setRenamed(undefined)} />}
    </div>
  )
}

function ListSkeleton() {
  return (
    <div
      role="status"
      aria-busy="true"
      aria-label="Loading documents"
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
    >
      {[58, 41, 66, 49].map((width) => (
        <div key={width} className="flex h-16 items-center px-4">
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
