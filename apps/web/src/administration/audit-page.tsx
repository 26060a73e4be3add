import type { AuditAction, AuditEntry } from '@copydesk/protocol'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState, PageFrame, Section, SelectField } from '../account/page-frame.tsx'
import { type AuditFilter, exportAudit, fetchAudit } from '../api/account.ts'
import { describeError } from '../api/client.ts'
import { documentPath, Link } from '../common/location.tsx'
import { saveFile } from '../common/files/save-file.ts'
import { formatDate } from '../i18n/format.ts'
import { type EnglishText, t, tEach } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields/field.tsx'
import { showError } from '../ui/toasts/toasts.tsx'

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
  'agent-made': 'Added an agent',
  'agent-changed': 'Changed an agent',
  'agent-deleted': 'Deleted an agent',
  'webhook-made': 'Added a webhook',
  'webhook-changed': 'Changed a webhook',
  'webhook-deleted': 'Deleted a webhook',
  'webhook-secret-made': 'Made a new secret for a webhook',
  'budgets-changed': 'Changed the budgets of agents',
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
  const entries = list.data?.pages.flatMap((page) => page.entries)
  return (
    <PageFrame title={t('Audit log')}>
      <Section title={t('Entries')} text={t('Who did what on this server. Nothing here can be changed or deleted.')}>
        <div className="flex flex-col gap-4">
          <Filters filter={filter} onChange={setFilter} />
          {entries ? (
            <Entries entries={entries} onPerson={(actor) => setFilter({ ...filter, actor })} />
          ) : (
            <ListState error={list.error ? describeError(list.error) : undefined} />
          )}
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

type FiltersProps = { filter: AuditFilter; onChange: (filter: AuditFilter) => void }

function Filters({ filter, onChange }: FiltersProps) {
  const without = (name: keyof AuditFilter): AuditFilter =>
    Object.fromEntries(Object.entries(filter).filter(([key]) => key !== name))
  const setDay = (name: 'from' | 'to', value: string) => {
    const day = value === '' ? undefined : startOf(value, name === 'to' ? 1 : 0)
    onChange(day === undefined ? without(name) : { ...filter, [name]: day })
  }
  return (
    <div className="flex flex-wrap items-end gap-3 *:max-sm:min-w-[calc(50%-0.5rem)] *:max-sm:flex-1 *:first:max-sm:basis-full">
      <SelectField
        label={t('What')}
        value={filter.action ?? anything}
        options={tEach(actions)}
        onChange={(action) => onChange(action === '' ? without('action') : { ...filter, action })}
      />
      <Field label={t('From')} type="date" onChange={(event) => setDay('from', event.target.value)} />
      <Field label={t('Until')} type="date" onChange={(event) => setDay('to', event.target.value)} />
      {filter.actor !== undefined && <Button onClick={() => onChange(without('actor'))}>{t('Show everybody')}</Button>}
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button key={format} onClick={() => void save(filter, format).catch(showError)}>
          {t(format === 'csv' ? 'Export CSV' : 'Export JSON lines')}
        </Button>
      ))}
    </div>
  )
}

type EntriesProps = { entries: readonly AuditEntry[]; onPerson: (id: string) => void }

function Entries({ entries, onPerson }: EntriesProps) {
  if (entries.length === 0) return <p className="text-sm text-ink-faint">{t('No matching events.')}</p>
  return (
    <ul aria-label={t('Audit log')} className="divide-y divide-line border-t border-line">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} onPerson={onPerson} />
      ))}
    </ul>
  )
}

function Entry({ entry, onPerson }: { entry: AuditEntry; onPerson: (id: string) => void }) {
  const { at, actor, action, document, target, address } = entry
  const details = [isId(target) ? null : target, detailsInWords(entry.details), address]
    .filter((part) => part)
    .join(' · ')
  return (
    <li className="flex flex-col gap-0.5 py-2.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{t(auditWords[action])}</span>
        {actor && (
          <button
            type="button"
            title={t('Show only this person')}
            className="min-w-0 truncate text-accent underline-offset-2 hover:underline"
            onClick={() => onPerson(actor.id)}
          >
            <bdi>{actor.name === '' ? actor.id : actor.name}</bdi>
          </button>
        )}
        {document !== null && (
          <Link to={documentPath(document)} className="text-accent underline-offset-2 hover:underline">
            {t('document')}
          </Link>
        )}
        <time dateTime={at} className="ms-auto text-ink-faint tabular-nums">
          {formatDate(at, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })}
        </time>
      </p>
      {details !== '' && <bdi className="break-words text-ink-soft">{details}</bdi>}
    </li>
  )
}

// What only an export is read for.
function isId(target: string | null): boolean {
  return target !== null && /^[\w-]{16,}$/.test(target)
}

// The start of a day, or of the next, in the browser's time zone.
function startOf(day: string, later: 0 | 1): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const moment = new Date(year, month - 1, date + later)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

async function save(filter: AuditFilter, format: 'csv' | 'jsonl'): Promise<void> {
  saveFile(await exportAudit(filter, format), `audit.${format}`)
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
