import type { StorageReport } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PageFrame, Section } from '../account/settings/page-frame.tsx'
import { storageQuery } from '../api/caller/account.ts'
import { formatNumber } from '../i18n/format.ts'
import { tRich } from '../i18n/rich-text.ts'
import { type EnglishText, t, tEach } from '../i18n/translate.ts'
import { Select } from '../ui/fields/select.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { DocumentLink } from './document-link.tsx'

/** For operators: storage in use and quotas, those nearest to their quota first. */
export function StoragePage() {
  return (
    <PageFrame title={t('Storage')}>
      <Loaded query={useQuery(storageQuery)}>
        {(report) => (
          <>
            <Server report={report} />
            <Documents report={report} />
            <People report={report} />
            <Links report={report} />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte
const about: EnglishText = 'What is used, and how much is allowed. The server’s QUOTAS variable sets the limits.'

type Reported = { report: StorageReport }

function Server({ report: { quotas, server } }: Reported) {
  return (
    <Section title={t('This server')} text={t(about)}>
      <dl className="grid gap-4 sm:grid-cols-3">
        <Use label={t('Database')} used={server.databaseBytes} quota={mib(quotas.databaseMiBOfServer)} />
        <Use label={t('Images')} used={server.imageBytes} quota={mib(quotas.imageMiBOfServer)} />
        <Use label={t('Documents')} used={server.documents} quota={quotas.documentsOfServer} write={formatNumber} />
      </dl>
    </Section>
  )
}

const orders = {
  quota: 'Nearest to a limit',
  changes: 'Most changes',
  images: 'Most images',
} as const satisfies Record<string, EnglishText>

function Documents({ report: { quotas, documents, titles } }: Reported) {
  const [order, setOrder] = useState<keyof typeof orders>('quota')
  const sizeOf = { quota: () => 0, changes: byLog, images: byImages }[order]
  return (
    <List
      title={t('Documents')}
      empty={t('There are no documents.')}
      count={documents.length}
      tool={
        <Select
          label={t('Order')}
          value={order}
          options={Object.entries(tEach(orders)).map(([value, name]) => ({ value: value as typeof order, name }))}
          onChange={setOrder}
        />
      }
    >
      {documents
        .toSorted((one, other) => sizeOf(other) - sizeOf(one))
        .map(({ id, createdBy, imageBytes, logBytes }) => (
          <Row
            key={id}
            name={<DocumentLink id={id} titles={titles} />}
            more={t('created by {name}', { name: createdBy.name || t('an unknown person') })}
          >
            <Use label={t('Images')} used={imageBytes} quota={mib(quotas.imageMiBPerDocument)} />
            <Use label={t('Changes')} used={logBytes} quota={mib(quotas.logMiBPerDocument)} />
          </Row>
        ))}
    </List>
  )
}

type DocumentUse = StorageReport['documents'][number]
const byLog = ({ logBytes }: DocumentUse) => logBytes
const byImages = ({ imageBytes }: DocumentUse) => imageBytes

function People({ report: { quotas, people } }: Reported) {
  return (
    <List title={t('People')} empty={t('Nobody has stored anything.')} count={people.length}>
      {people.map(({ id, name, imageBytes, logBytesToday, documents }) => (
        <Row key={id} name={<bdi>{name}</bdi>}>
          <Use label={t('Images')} used={imageBytes} quota={mib(quotas.imageMiBPerPerson)} />
          <Use label={t('Changes today')} used={logBytesToday} quota={mib(quotas.logMiBPerPersonAndDay)} />
          <Use label={t('Documents')} used={documents} quota={quotas.documentsPerPerson} write={formatNumber} />
        </Row>
      ))}
    </List>
  )
}

function Links({ report: { quotas, links, titles } }: Reported) {
  return (
    <List title={t('Guests by link')} empty={t('No guest has stored anything.')} count={links.length}>
      {links.map(({ id, document, imageBytes, logBytesToday }) => (
        <Row
          key={id}
          name={tRich('A link to <document></document>', {
            document: () => <DocumentLink id={document} titles={titles} />,
          })}
        >
          <Use label={t('Images')} used={imageBytes} quota={mib(quotas.imageMiBPerLink)} />
          <Use label={t('Changes today')} used={logBytesToday} quota={mib(quotas.logMiBPerLinkAndDay)} />
        </Row>
      ))}
    </List>
  )
}

type ListProps = {
  title: string
  empty: string
  count: number
  /** What changes the list, beside its title. */
  tool?: ReactNode
  children: ReactNode
}

function List({ title, empty, count, tool, children }: ListProps) {
  return (
    <Section title={title}>
      {count === 0 ? (
        <p className="text-sm text-ink-faint">{empty}</p>
      ) : (
        <>
          {tool && count > 1 && (
            <div className="-mt-2 mb-1 flex max-sm:-ms-3 sm:-mt-11.5 sm:mb-4 sm:justify-end">{tool}</div>
          )}
          <ul className="-my-2 divide-y divide-line">{children}</ul>
        </>
      )}
    </Section>
  )
}

function Row({ name, more, children }: { name: ReactNode; more?: string; children: ReactNode }) {
  return (
    <li className="grid items-end gap-x-6 gap-y-2 py-3 lg:not-first:[&_dt]:sr-only lg:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]">
      <p className="min-w-0 text-sm">
        <span className="block truncate font-medium">{name}</span>
        {more && (
          <span title={more} className="block truncate text-ink-soft">
            {more}
          </span>
        )}
      </p>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {children}
      </dl>
    </li>
  )
}

type UseProps = { label: string; used: number; quota: number | undefined; write?: (value: number) => string }

function Use({ label, used, quota = 0, write = size }: UseProps) {
  const share = quota > 0 ? used / quota : used > 0 ? 1 : 0
  return (
    <div className="relative min-w-0 text-sm">
      <dt className="text-ink-soft">{label}</dt>
      <dd>
        <span className="tabular-nums">{t('{used} of {quota}', { used: write(used), quota: write(quota) })}</span>
        <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-hover">
          <span
            className={`block h-full rounded-full ${share >= 0.9 ? 'bg-danger' : 'bg-accent'}`}
            style={{ width: used > 0 ? `max(3px, ${Math.min(100, share * 100)}%)` : 0 }}
          />
        </span>
      </dd>
    </div>
  )
}

function mib(quota: number | undefined): number {
  return (quota ?? 0) * mebibyte
}

function size(bytes: number): string {
  if (bytes === 0) return '0'
  if (bytes < mebibyte) return `${formatNumber(Math.ceil(bytes / 1024))} KiB`
  const [unit, value] = bytes < 10 * gibibyte ? ['MiB', bytes / mebibyte] : ['GiB', bytes / gibibyte]
  return `${formatNumber(value, { maximumFractionDigits: value < 100 ? 1 : 0 })} ${unit}`
}
