import type { AuditAction, AuditEntry, AuditList } from '@copydesk/protocol'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { type AuditFilter, fetchAudit } from '../../api/caller/account.ts'
import { dayMs, relativeTime, startOfDay } from '../../common/relative-time.ts'
import { formatDate } from '../../i18n/format.ts'
import { type EnglishText, t, tEach } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { AuditExports, AuditFilters } from './audit-filters.tsx'
import { detailsInWords } from './audit-details.ts'
import { DocumentLink } from '../document-link.tsx'

/** The actions of the audit log, in words. */
const auditWords: Readonly<Record<AuditAction, EnglishText>> = {
  'sign-in': 'Signed in',
  'sign-in-failed': 'Sign-in refused',
  'sign-out': 'Signed out',
  'sign-out-everywhere': 'Signed out everywhere',
  'session-ended': 'Ended a session',
  'account-made': 'Created an account',
  'account-changed': 'Changed their account',
  'password-changed': 'Changed their password',
  'password-change-refused': 'Password change refused',
  'password-reset': 'Reset their password by link',
  'provider-disconnected': 'Disconnected single sign-on',
  'key-made': 'Created an API key',
  'key-revoked': 'Revoked an API key',
  'invitation-made': 'Created an invitation',
  'invitation-revoked': 'Revoked an invitation',
  'reset-made': 'Created a password reset link',
  'person-changed': 'Changed an account',
  'roles-changed': 'Changed roles',
  'sharing-changed': 'Changed who may share',
  'comment-edited': 'Edited a comment',
  'comment-deleted': 'Deleted a comment',
  'link-made': 'Created a share link',
  'link-revoked': 'Revoked a share link',
  'link-opened': 'Opened a share link',
  'document-taken': 'Gave a document an owner',
  'document-trashed': 'Moved a document to the trash',
  'document-restored': 'Restored a document',
  'document-deleted': 'Deleted a document for good',
  'document-moved': 'Moved a document to a folder',
  'document-copied': 'Copied a document',
  'trash-emptied': 'Emptied the trash',
  'folder-made': 'Made a folder',
  'folder-changed': 'Changed a folder',
  'folder-trashed': 'Moved a folder to the trash',
  'folder-restored': 'Restored a folder',
  'folder-taken': 'Gave a folder an owner',
  'document-exported': 'Exported a document',
  'version-restored': 'Restored a version',
  'run-started': 'Agent run started',
  'run-ended': 'Agent run ended',
  'approval-decided': 'Approved or rejected a change by the agent',
  'file-written': 'Changed a file of the project',
  'audit-exported': 'Exported the audit log',
  'tool-server-made': 'Added a tool server',
  'tool-server-changed': 'Changed a tool server',
  'tool-server-deleted': 'Deleted a tool server',
  'tool-policy-changed': 'Changed what a tool may do',
  'agent-made': 'Added an agent',
  'agent-changed': 'Changed an agent',
  'agent-deleted': 'Deleted an agent',
  'webhook-made': 'Added a webhook',
  'webhook-changed': 'Changed a webhook',
  'webhook-deleted': 'Deleted a webhook',
  'webhook-secret-made': 'Made a new secret for a webhook',
  'agent-settings-changed': 'Changed the agent settings',
  'budgets-changed': 'Changed the budgets of agents',
  'person-budget-changed': 'Changed the budget of a person',
  'provider-made': 'Added a provider of models',
  'provider-changed': 'Changed a provider of models',
  'provider-deleted': 'Deleted a provider of models',
  'model-set': 'Added or changed a model',
  'model-removed': 'Removed a model',
  'default-model-changed': 'Changed the default model',
}

const anything = ''
const actions = { [anything]: 'Everything', ...auditWords } as const satisfies Record<string, EnglishText>

/** For operators: the audit log of this server. */
export function AuditPage() {
  const [filter, setFilter] = useState<AuditFilter>({})
  const list = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) => fetchAudit(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: 0,
  })
  return (
    <PageFrame title={t('Audit log')}>
      <Section
        title={t('Entries')}
        text={t('Who did what on this server. Nothing here can be changed or deleted.')}
        tool={<AuditExports filter={filter} className="max-sm:hidden" />}
      >
        <div className="flex flex-col gap-4">
          <AuditFilters filter={filter} actions={tEach(actions)} onChange={setFilter} />
          <Loaded query={list}>
            {({ pages }) => <Entries pages={pages} onFilter={(more) => setFilter({ ...filter, ...more })} />}
          </Loaded>
          {list.hasNextPage && (
            <Button className="self-start" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('Show older entries')}
            </Button>
          )}
        </div>
      </Section>
    </PageFrame>
  )
}

type EntriesProps = {
  pages: readonly AuditList[]
  /** Adds a filter to the list. */
  onFilter: (more: AuditFilter) => void
}

/** The entries by day, each day with a heading. */
function Entries({ pages, onFilter }: EntriesProps) {
  const titles: Record<string, string> = Object.assign({}, ...pages.map((page) => page.titles))
  const names: Record<string, string> = Object.assign({}, ...pages.map((page) => page.names))
  const entries = pages.flatMap((page) => page.entries)
  if (entries.length === 0) return <p className="text-sm text-ink-faint">{t('No matching events.')}</p>
  const days = Map.groupBy(entries, ({ at }) => startOfDay(new Date(at)))
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={dayInWords(day)}>
      <h3 className="sticky top-14 z-1 md:top-0 -mx-5 border-b border-line bg-surface px-5 py-2 sm:-mx-6 sm:px-6 text-xs font-medium text-ink-soft">
        {dayInWords(day)}
      </h3>
      <Rows label={t('Audit log')} rows={ofDay} className="">
        {(entry) => <Entry key={entry.id} entry={entry} titles={titles} names={names} onFilter={onFilter} />}
      </Rows>
    </section>
  ))
}

function dayInWords(day: number): string {
  const days = Math.round((startOfDay(new Date()) - day) / dayMs)
  const date = formatDate(day, { dateStyle: 'full' })
  if (days > 1) return date
  return `${t(days < 1 ? 'Today' : 'Yesterday')}, ${date}`
}

function formatMoment(at: string): string {
  return `${formatDate(at, { dateStyle: 'full', timeStyle: 'long' })} (${relativeTime(at, new Date())})`
}

type EntryProps = Pick<EntriesProps, 'onFilter'> & {
  entry: AuditEntry
  titles: Readonly<Record<string, string>>
  names: Readonly<Record<string, string>>
}

function Entry({ entry, titles, names, onFilter }: EntryProps) {
  const { at, actor, action, document, address } = entry
  const object = objectOf(entry, names)
  const details = detailsInWords(entry.details, { action, names, object })
  const name = actor && (actor.name === '' ? actor.id : actor.name)
  return (
    <li className="group grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-0.5 py-2.5 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <span className="min-w-0">
        {!actor && <span className="text-ink-faint">{t('Unknown person')}</span>}
        {actor && (
          <button
            type="button"
            title={`${name}: ${t('Show only this person')}`}
            className="block max-w-full truncate text-start font-medium underline-offset-2 hover:underline pointer-coarse:-my-2.5"
            onClick={() => onFilter({ actor: actor.id })}
          >
            <bdi>{name}</bdi>
          </button>
        )}
      </span>
      <div
        className={`relative min-w-0 wrap-anywhere max-sm:order-last max-sm:col-span-2 ${document === null ? '' : 'pointer-coarse:pe-10'}`}
      >
        <p>
          {t(auditWords[action])}
          {document !== null && ' · '}
          {document !== null && <DocumentLink id={document} titles={titles} />}
          {object !== undefined && ' · '}
          {object !== undefined && <bdi>{object}</bdi>}
        </p>
        {details.length > 0 && <p className="text-ink-soft">{details.join(' · ')}</p>}
        {address !== null && <p className="text-ink-soft sm:hidden">{t('from {address}', { address })}</p>}
        {document !== null && (
          <IconButton
            label={t('Show only this document')}
            className="absolute! end-0 -top-1.5 size-8 bg-surface opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:-top-2.5 pointer-coarse:bg-transparent pointer-coarse:opacity-100"
            onClick={() => onFilter({ document })}
            icon={ListFilter}
            size={14}
          />
        )}
      </div>
      <span className="flex gap-4 text-ink-faint tabular-nums">
        {address !== null && (
          <span title={address} className="max-w-28 truncate max-sm:hidden">
            {address}
          </span>
        )}
        <time dateTime={at} title={formatMoment(at)}>
          {formatDate(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })}
        </time>
      </span>
    </li>
  )
}

// Actions whose target is a name; that of others is an id, which is useful only in an export.
const namedTarget = /^(?:account-made|default-model-changed|file-written|sign-in-failed|tool-)/

function objectOf({ action, target }: AuditEntry, names: EntryProps['names']): string | undefined {
  if (target === null) return undefined
  return Object.hasOwn(names, target) ? names[target] : namedTarget.test(action) ? target : undefined
}
