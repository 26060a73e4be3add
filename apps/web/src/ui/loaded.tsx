import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** The data of a query; until it is loaded a skeleton, or the error and a button that retries. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, isFetching } = query
  if (data !== undefined) return children(data)
  if (!error) return <div aria-busy="true" className="skeleton h-12" />
  return (
    <div className="flex flex-col items-start gap-3">
      <Problem error={error} />
      <Button className="pointer-coarse:h-10" disabled={isFetching} onClick={() => void query.refetch()}>
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
  empty?: string
  className?: string
  children: (row: Row) => ReactNode
}

/** A list with lines between its rows, each an `li` with its key. */
export function Rows<Row>({ label, rows, empty, className = '-my-2', children }: RowsProps<Row>) {
  if (rows.length === 0) return empty === undefined ? null : <p className="text-sm text-ink-faint">{empty}</p>
  return (
    <ul aria-label={label} className={`divide-y divide-line ${className}`}>
      {rows.map(children)}
    </ul>
  )
}
