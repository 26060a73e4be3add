import type { ReactNode } from 'react'
import { describeError } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { Button } from './button.tsx'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** The data of a query; until it is loaded a skeleton, or the error and a button that retries. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, isFetching } = query
  if (data !== undefined) return children(data)
  if (!error) return <div aria-busy="true" className="skeleton h-12" />
  return <LoadFailure text={describeError(error)} isRetrying={isFetching} onRetry={() => void query.refetch()} />
}

type LoadFailureProps = { text: string; isRetrying?: boolean; onRetry: () => void }

/** Shown instead of data that can't be loaded: the reason, and a button that retries. */
export function LoadFailure({ text, isRetrying = false, onRetry }: LoadFailureProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg bg-danger-soft px-4 py-3"
    >
      <p className="text-sm text-danger">{text}</p>
      <Button disabled={isRetrying} onClick={onRetry}>
        {t('Try again')}
      </Button>
    </div>
  )
}

type RowsProps<Row> = {
  /** The name of the list for screen readers. */
  label?: string
  rows: readonly Row[]
  /** The text of an empty list. */
  empty?: string | undefined
  className?: string
  children: (row: Row) => ReactNode
}

/** Shown instead of an empty list. */
export function EmptyList({ text }: { text: string }) {
  return (
    <p className="rounded-lg border border-dashed border-line-strong/50 px-4 py-6 text-center text-sm text-ink-soft">
      {text}
    </p>
  )
}

/** A list with lines between its rows, each an `li` with its key. */
export function Rows<Row>({ label, rows, empty, className = '-my-2', children }: RowsProps<Row>) {
  if (rows.length === 0) return empty === undefined ? null : <EmptyList text={empty} />
  return (
    <ul aria-label={label} className={`divide-y divide-line ${className}`}>
      {rows.map(children)}
    </ul>
  )
}
