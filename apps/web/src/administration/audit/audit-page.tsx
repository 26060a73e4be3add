import type { AuditAction, AuditEntry, AuditList } from '@copydesk/protocol'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { type AuditFilter, fetchAudit } from '../../api/caller/account.ts'
import { formatDate } from '../../i18n/format.ts'
import { type EnglishText, t, tEach } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { AuditFilters } from './audit-filters.tsx'
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
      <Section title={t('Entries')} text={t('Who did what on this server. Nothing here can be changed or deleted.')}>
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
  /** Narrows the list down. */
  onFilter: (more: AuditFilter) => void
}

function Entries({ pages, onFilter }: EntriesProps) {
  const titles: Record<string, string> = Object.assign({}, ...pages.map((page) => page.titles))
  return (
    <Rows
      label={t('Audit log')}
      rows={pages.flatMap(({ entries }) => entries)}
      empty={t('No matching events.')}
      className="border-t border-line"
    >
      {(entry) => <Entry key={entry.id} entry={entry} titles={titles} onFilter={onFilter} />}
    </Rows>
  )
}

type EntryProps = Pick<EntriesProps, 'onFilter'> & { entry: AuditEntry; titles: Readonly<Record<string, string>> }

function Entry({ entry, titles, onFilter }: EntryProps) {
  const { at, actor, action, document, target, address } = entry
  const details = [isId(target) ? null : target, detailsInWords(entry.details), address]
    .filter((part) => part)
    .join(' · ')
  return (
    <li className="grid gap-x-4 gap-y-0.5 py-2.5 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <span className="min-w-0">
        {actor && (
          <button
            type="button"
            title={t('Show only this person')}
            className="max-w-full truncate font-medium underline-offset-2 hover:underline"
            onClick={() => onFilter({ actor: actor.id })}
          >
            <bdi>{actor.name === '' ? actor.id : actor.name}</bdi>
          </button>
        )}
      </span>
      <div className="min-w-0 break-words">
        <p className="flex items-start gap-1">
          <span className="min-w-0">
            {t(auditWords[action])}
            {document !== null && ' · '}
            {document !== null && <DocumentLink id={document} titles={titles} />}
          </span>
          {document !== null && (
            <IconButton
              label={t('Show only this document')}
              className="-my-1.5 size-8"
              onClick={() => onFilter({ document })}
              icon={ListFilter}
              size={14}
            />
          )}
        </p>
        {details !== '' && (
          <bdi lang="en" className="block text-ink-soft">
            {details}
          </bdi>
        )}
      </div>
      <time dateTime={at} className="text-ink-faint tabular-nums max-sm:order-last">
        {formatDate(at, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })}
      </time>
    </li>
  )
}

// What only an export is read for.
function isId(target: string | null): boolean {
  return target !== null && /^[\w-]{16,}$/.test(target)
}

/** An entry's details in one line: names and values, all untrusted. */
function detailsInWords(details: Readonly<Record<string, unknown>> | null): string {
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.map(inWords).join(', ') : inWords(value)}`)
    .join(', ')
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  return Object.values(value)
    .map((each) => inWords(each ?? 'nothing'))
    .join(' → ')
}
