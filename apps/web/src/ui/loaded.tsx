import { Problem } from './problem.tsx'
import type { ReactNode } from 'react'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null }
  children: (data: Data) => ReactNode
}

/** What a query has loaded; until then a skeleton, or the error. */
export function Loaded<Data>({ query: { data, error }, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  if (!error) return <div aria-busy="true" className="skeleton h-12" />
  return <Problem error={error} />
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
