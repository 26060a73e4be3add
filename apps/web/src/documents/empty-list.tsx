import type { Me } from '@copydesk/protocol'
import { FilePlus2, FolderOpen, SearchX, Star, Trash2, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '../common/location.tsx'
import { tRich } from '../i18n/rich-text.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { isNarrowed, type ListAddress, listPath } from './data/list-address.ts'
import { useCreateDocument } from './data/use-documents.ts'

type EmptyListProps = {
  address: ListAddress
  me: Me
}

/** Shown instead of an empty list: why there are no documents, and what to do. */
export function EmptyList({ address, me }: EmptyListProps) {
  const create = useCreateDocument()
  const mayCreate = !me.guest
  const { query, trash, folder } = address
  if (query !== '') return <NothingFound address={address} />
  if (isNarrowed(address)) return <NothingShown address={address} />
  if (trash) {
    return (
      <Empty icon={<Trash2 size={26} />} title={t('The trash is empty')}>
        <p>{t('What you move here can be restored until it is deleted for good.')}</p>
      </Empty>
    )
  }
  if (folder !== null) {
    return (
      <Empty icon={<FolderOpen size={26} />} title={t('No documents here yet')}>
        <p>{t('Drag documents onto the folder in the side bar, or choose “Move to…” in a document’s menu.')}</p>
        {mayCreate && (
          <Button look="primary" className="mt-5" onClick={() => create.mutate({ folder })}>
            {t('New document')}
          </Button>
        )}
      </Empty>
    )
  }
  return (
    <Empty
      icon={<FilePlus2 size={26} />}
      title={mayCreate ? t('Write your first document') : t('Nothing is shared with you')}
    >
      {mayCreate && (
        <>
          <p>
            {me.auth === 'open'
              ? t('Everybody who opens its link writes in the same text.')
              : t('Only you can open it until you share it; then you write in the same text together.')}{' '}
            {tRich(
              'To get help, type <agent></agent> and what it should do, then press Enter: it joins as one more writer.',
              {
                agent: () => (
                  <kbd className="rounded bg-agent-soft px-1.5 py-0.5 font-sans text-sm text-agent">{'@agent'}</kbd>
                ),
              },
            )}
          </p>
          <Button look="primary" className="mt-5" onClick={() => create.mutate({ folder })}>
            {t('Start writing')}
          </Button>
        </>
      )}
    </Empty>
  )
}

function NothingFound({ address }: Pick<EmptyListProps, 'address'>) {
  const { query, folder, trash } = address
  const isEverywhere = !isNarrowed({ ...address, query: '' }) && folder === null && !trash
  return (
    <Empty icon={<SearchX size={26} />} title={t('Nothing matches “{query}”', { query })}>
      <p>{t('Titles and text are searched. Try fewer or other words.')}</p>
      {!isEverywhere && <ListLink to={listPath({ query })}>{t('Search all documents')}</ListLink>}
    </Empty>
  )
}

function NothingShown({ address }: Pick<EmptyListProps, 'address'>) {
  const { starred, owner, person, folder, trash } = address
  const place = { folder, trash }
  if (starred && owner === null && person === null) {
    return (
      <Empty icon={<Star size={26} />} title={t('No starred documents')}>
        <p>{t('The star of a document keeps it here. Only you see your stars.')}</p>
        <ListLink to={listPath(place)}>{t('Show all')}</ListLink>
      </Empty>
    )
  }
  if (owner === 'others' && !starred && person === null) {
    return (
      <Empty icon={<Users size={26} />} title={t('No documents of others')}>
        <p>{t('What others share with you appears here.')}</p>
        <ListLink to={listPath(place)}>{t('Show all')}</ListLink>
      </Empty>
    )
  }
  return (
    <Empty icon={<SearchX size={26} />} title={t('No documents fit these filters')}>
      <ListLink to={listPath(place)}>{t('Show all')}</ListLink>
    </Empty>
  )
}

function ListLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="mt-3 inline-block py-1 text-accent underline underline-offset-2">
      {children}
    </Link>
  )
}

function Empty({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="rounded-xl border border-dashed border-line-strong/50 px-6 py-12 text-center text-ink-soft">
      <div aria-hidden className="mb-3 flex justify-center text-ink-faint">
        {icon}
      </div>
      <h2 className="mb-1.5 text-base font-semibold text-ink">{title}</h2>
      <div className="mx-auto max-w-md">{children}</div>
    </div>
  )
}
