import type { ReactNode } from 'react'
import { Section } from '../../account/settings/page-frame.tsx'
import { t } from '../../i18n/translate.ts'
import { EmptyList } from '../../ui/loaded.tsx'
import { Advice, RowUse, size, type Use, UsesHead } from './use.tsx'

type Row = {
  key: string
  name: ReactNode
  more?: string
  /** All bytes of the row, if they are to be shown. */
  total?: number
  /** The same labels and quotas in each row. */
  uses: readonly Use[]
}

type UseListProps = {
  title: string
  text: string
  empty: string
  rows: readonly Row[]
  /** A control that changes the list, next to its title. */
  tool?: ReactNode
}

/** Rows of uses: in a wide window as columns with a head, otherwise one below the other with a label for each. */
export function UseList({ title, text, empty, rows, tool }: UseListProps) {
  const [first] = rows
  if (!first) {
    return (
      <Section title={title}>
        <EmptyList text={empty} />
      </Section>
    )
  }
  return (
    <Section title={title} text={text} tool={rows.length > 1 && tool}>
      <div
        aria-hidden
        className={`${columns(first)} items-end border-b border-line pb-2 text-sm text-ink-soft max-lg:hidden`}
      >
        <span />
        {first.total !== undefined && <span className="text-end">{t('Total')}</span>}
        <UsesHead uses={first.uses} />
      </div>
      <ul className="-mb-2 divide-y divide-line max-lg:-mt-2">
        {rows.map((row) => (
          <Row key={row.key} row={row} />
        ))}
      </ul>
    </Section>
  )
}

function columns({ total, uses }: Row): string {
  const wide = 'lg:grid lg:gap-x-6'
  if (total !== undefined) return `${wide} lg:grid-cols-[minmax(0,1fr)_4.5rem_9rem_9rem]`
  return `${wide} ${uses.length > 2 ? 'lg:grid-cols-[minmax(0,1fr)_9rem_11rem_9rem]' : 'lg:grid-cols-[minmax(0,1fr)_9rem_11rem]'}`
}

function Row({ row }: { row: Row }) {
  const { name, more, total, uses } = row
  return (
    <li className="py-3">
      <div className={`${columns(row)} items-center max-lg:grid max-lg:gap-2`}>
        <p className="min-w-0 text-sm">
          <span className="block truncate font-medium">{name}</span>
          {more && (
            <span title={more} className="block text-ink-soft lg:truncate">
              {more}
            </span>
          )}
        </p>
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:contents">
          {total !== undefined && (
            <div className="text-sm tabular-nums max-lg:hidden lg:text-end">
              <dt className="sr-only">{t('Total')}</dt>
              <dd>{size(total)}</dd>
            </div>
          )}
          {uses.map((use) => (
            <RowUse key={use.label} use={use} />
          ))}
        </dl>
      </div>
      <Advice uses={uses} />
    </li>
  )
}
