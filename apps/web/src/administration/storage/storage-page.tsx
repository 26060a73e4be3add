import type { StorageReport } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { storageQuery } from '../../api/caller/account.ts'
import { relativeTime } from '../../common/relative-time.ts'
import { formatNumber } from '../../i18n/format.ts'
import { tRich } from '../../i18n/rich-text.ts'
import { type EnglishText, t, tEach } from '../../i18n/translate.ts'
import { optionsOf, Select } from '../../ui/fields/select.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { DocumentLink } from '../document-link.tsx'
import { UseList } from './use-list.tsx'
import { mib, ServerUse, type Use } from './use.tsx'

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

type Reported = { report: StorageReport }

function Server({ report: { quotas, server } }: Reported) {
  const deleting = t('Delete documents for good')
  return (
    <Section
      title={t('This server')}
      text={t('What is used, and how much is allowed. The server’s QUOTAS variable sets the limits.')}
    >
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
        <ServerUse
          text={t('Texts with history, comments and chats')}
          use={{
            label: t('Database'),
            used: server.databaseBytes,
            quota: mib(quotas.databaseMiBOfServer),
            name: 'databaseMiBOfServer',
            instead: deleting,
          }}
        />
        <ServerUse
          text={t('Images of all documents')}
          use={{
            label: t('Images'),
            used: server.imageBytes,
            quota: mib(quotas.imageMiBOfServer),
            name: 'imageMiBOfServer',
            instead: t('Remove images'),
          }}
        />
        <ServerUse
          text={t('Those in the trash included')}
          use={{
            label: t('Documents'),
            used: server.documents,
            quota: quotas.documentsOfServer ?? 0,
            name: 'documentsOfServer',
            instead: deleting,
            write: formatNumber,
          }}
        />
      </dl>
    </Section>
  )
}

type DocumentUse = StorageReport['documents'][number]

const sizeOf = ({ imageBytes, logBytes }: DocumentUse): number => imageBytes + logBytes

const orders = {
  quota: 'Nearest to a limit',
  size: 'Largest',
  images: 'Most images',
  changes: 'Most changes',
  latest: 'Changed last',
} as const satisfies Record<string, EnglishText>

const ranks: Readonly<Record<keyof typeof orders, (document: DocumentUse) => number>> = {
  quota: () => 0,
  size: sizeOf,
  images: ({ imageBytes }) => imageBytes,
  changes: ({ logBytes }) => logBytes,
  latest: ({ updatedAt }) => Date.parse(updatedAt),
}

function Documents({ report: { quotas, documents, titles } }: Reported) {
  const [now] = useState(() => new Date())
  const [order, setOrder] = useState<keyof typeof orders>('quota')
  const rank = ranks[order]
  const rows = documents
    .toSorted((one, other) => rank(other) - rank(one))
    .map((document) => ({
      key: document.id,
      name: (
        <>
          <DocumentLink id={document.id} titles={titles} />
          {!(document.id in titles) && (
            <span className="font-normal text-ink-faint"> · {t('not shared with you')}</span>
          )}
        </>
      ),
      more: describe(document, now),
      total: sizeOf(document),
      uses: [
        imagesOf(document, quotas, 'imageMiBPerDocument'),
        {
          label: t('Changes'),
          used: document.logBytes,
          quota: mib(quotas.logMiBPerDocument),
          name: 'logMiBPerDocument',
          instead: t('Continue in a new document'),
        },
      ],
    }))
  return (
    <UseList
      title={t('Documents')}
      text={t('All changes of a text are kept, so that they can be compared and undone.')}
      empty={t('There are no documents.')}
      rows={rows}
      tool={
        <Select
          label={t('Order')}
          value={order}
          options={optionsOf(tEach(orders))}
          onChange={setOrder}
          className="max-sm:-ms-2.5 sm:-me-2.5"
        />
      }
    />
  )
}

function describe({ createdBy, updatedAt, trashed }: DocumentUse, now: Date): string {
  return [
    t('created by {name}', { name: createdBy.name || t('an unknown person') }),
    t('changed {time}', { time: relativeTime(updatedAt, now) }),
    ...(trashed ? [t('in the trash')] : []),
  ].join(' · ')
}

function People({ report: { quotas, people } }: Reported) {
  const rows = people.map((person) => ({
    key: person.id,
    name: <bdi title={person.name}>{person.name}</bdi>,
    uses: [
      imagesOf(person, quotas, 'imageMiBPerPerson'),
      changesToday(person, quotas, 'logMiBPerPersonAndDay'),
      {
        label: t('Documents'),
        used: person.documents,
        quota: quotas.documentsPerPerson ?? 0,
        name: 'documentsPerPerson',
        instead: t('Delete documents for good'),
        write: formatNumber,
      },
    ],
  }))
  return (
    <UseList
      title={t('People')}
      text={t('What each person has added. Today ends at midnight UTC.')}
      empty={t('Nobody has stored anything.')}
      rows={rows}
    />
  )
}

function Links({ report: { quotas, links, titles } }: Reported) {
  const rows = links.map((link) => ({
    key: link.id,
    name: tRich('A link to <document></document>', {
      document: () => <DocumentLink id={link.document} titles={titles} />,
    }),
    uses: [imagesOf(link, quotas, 'imageMiBPerLink'), changesToday(link, quotas, 'logMiBPerLinkAndDay')],
  }))
  return (
    <UseList
      title={t('Guests by link')}
      text={t('All guests by one link count together.')}
      empty={t('No guest has stored anything.')}
      rows={rows}
    />
  )
}

type QuotasOfServer = StorageReport['quotas']

function imagesOf({ imageBytes }: { imageBytes: number }, quotas: QuotasOfServer, name: string): Use {
  return { label: t('Images'), used: imageBytes, quota: mib(quotas[name]), name, instead: t('Remove images') }
}

function changesToday({ logBytesToday }: { logBytesToday: number }, quotas: QuotasOfServer, name: string): Use {
  const instead = t('Wait for tomorrow (UTC)')
  return { label: t('Changes today'), used: logBytesToday, quota: mib(quotas[name]), name, instead }
}
