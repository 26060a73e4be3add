import type { Access, LinkRole, ShareLink } from '@copydesk/protocol'
import { Copy, Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { copyLink } from '../ui/copying.ts'
import { Select } from '../ui/select.tsx'
import { expiryOf, type Lasting, linkRoles, roleNames } from './share-rights.ts'
import { useCreateLink, useLinks, useRevokeLink } from './use-sharing.ts'

const abilities: Readonly<Record<LinkRole, string>> = { viewer: 'view', commenter: 'comment', editor: 'edit' }

type LinkRowsProps = { document: string; access: Access; self: string; shares: boolean }

/** The share links of a document, and a form for a new one for users with the right to share. */
export function LinkRows({ document, access, self, shares }: LinkRowsProps) {
  const { data: links, isError } = useLinks(document)
  if (!shares && links?.length === 0) return null
  return (
    <section aria-label={t('Links')} className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">{t('Links')}</h3>
      {isError && <p className="text-sm text-danger">{t('The links could not be loaded. Trying again.')}</p>}
      {links && links.length > 0 && (
        <ul className="-mx-2 flex max-h-64 flex-col overflow-y-auto">
          {links.map((link) => (
            <LinkRow
              key={link.id}
              {...{ link, document }}
              canRevoke={access === 'manage' || link.createdBy.id === self}
            />
          ))}
        </ul>
      )}
      {shares && <NewLink document={document} />}
    </section>
  )
}

function LinkRow({ link, document, canRevoke }: { link: ShareLink; document: string; canRevoke: boolean }) {
  const revoke = useRevokeLink(document)
  const role = roleNames[link.role].toLowerCase()
  const until = link.expiresAt === null ? t('Until revoked') : `Until ${dateOf(link.expiresAt)}`
  const { url } = link
  return (
    <li className="flex flex-col gap-1.5 px-2 py-1.5">
      <div className="flex items-center gap-3">
        <span aria-hidden className="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken">
          <Link2 size={15} />
        </span>
        <div className="min-w-0 flex-1 leading-tight">
          <p className="text-sm font-medium">Anyone with the link can {abilities[link.role]}</p>
          <p className="mt-0.5 text-xs break-words text-ink-soft">
            {until} · created by <bdi>{link.createdBy.name}</bdi>
            {link.visits > 0 && (
              <>
                {' '}
                · opened by <bdi>{visitorsOf(link)}</bdi>
              </>
            )}
          </p>
        </div>
        {canRevoke && (
          <Button
            look="danger"
            size="small"
            aria-label={`Revoke the ${role} link by ${link.createdBy.name}`}
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(link.id)}
          >
            {t('Revoke')}
          </Button>
        )}
      </div>
      {url !== undefined && (
        <div className="flex items-center gap-2 rounded-md bg-sunken py-1 ps-2.5 pe-1">
          <p dir="ltr" className="min-w-0 flex-1 text-xs break-all text-ink select-all">
            {url}
          </p>
          <Button
            size="small"
            aria-label={`Copy the ${role} link by ${link.createdBy.name}`}
            onClick={() => void copyLink(url)}
          >
            <Copy size={14} aria-hidden />
            {t('Copy')}
          </Button>
        </div>
      )}
    </li>
  )
}

function visitorsOf({ visits, visitors }: ShareLink): string {
  const named = visitors.slice(0, 3).map(({ name }) => name)
  const others = visits - named.length
  return new Intl.ListFormat('en').format(others > 0 ? [...named, `${others} more`] : named)
}

function NewLink({ document }: { document: string }) {
  const [role, setRole] = useState<LinkRole>('viewer')
  const [lasting, setLasting] = useState<Lasting>('ever')
  const create = useCreateLink(document)
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-2 text-sm">
      <span className="text-ink-soft">{t('Anyone with the link')}</span>
      <Select
        label={t('Role by the link')}
        value={role}
        options={linkRoles.map((each) => ({ value: each, name: `can ${abilities[each]}` }))}
        onChange={setRole}
      />
      <Select label={t('How long the link is valid')} value={lasting} options={times} onChange={setLasting} />
      <Button
        className="ms-auto"
        disabled={create.isPending}
        onClick={() =>
          create.mutate(
            { role, expiresAt: expiryOf(lasting, new Date()) },
            { onSuccess: ({ url }) => void copyLink(url) },
          )
        }
      >
        <Plus size={15} aria-hidden />
        {t('Create link')}
      </Button>
    </div>
  )
}

const times: readonly { value: Lasting; name: string }[] = [
  { value: 'day', name: 'for a day' },
  { value: 'week', name: 'for a week' },
  { value: 'month', name: 'for 30 days' },
  { value: 'ever', name: 'until revoked' },
]

function dateOf(time: string): string {
  return new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
}
