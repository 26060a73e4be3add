import type { Access, LinkRole, ShareLink } from '@copydesk/protocol'
import { Copy, Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import { dateAndTime, formatDate } from '../i18n/format.ts'
import { listNames } from '../i18n/list-names.ts'
import { tRich } from '../i18n/rich-text.ts'
import { type EnglishText, t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { copyLink } from '../ui/toasts/copying.ts'
import { Select } from '../ui/fields/select.tsx'
import { expiryOf, type LinkDuration, linkRoles } from './share-rights.ts'
import { useCreateLink, useLinks, useRevokeLink } from './use-sharing.ts'

const abilities: Readonly<Record<LinkRole, EnglishText>> = {
  viewer: 'can view',
  commenter: 'can comment',
  editor: 'can edit',
}

const titles: Readonly<Record<LinkRole, EnglishText>> = {
  viewer: 'Anyone with the link can view',
  commenter: 'Anyone with the link can comment',
  editor: 'Anyone with the link can edit',
}

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
  const values = { role: link.role, name: link.createdBy.name }
  const until =
    link.expiresAt === null ? t('Until revoked') : t('Until {date}', { date: formatDate(link.expiresAt, dateAndTime) })
  const visitors = listNames(link.visitors, { most: 3, count: link.visits })
  const { url } = link
  return (
    <li className="flex flex-col gap-1.5 px-2 py-1.5">
      <div className="flex items-center gap-3">
        <span aria-hidden className="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken">
          <Link2 size={15} />
        </span>
        <div className="min-w-0 flex-1 leading-tight">
          <p className="text-sm font-medium">{t(titles[link.role])}</p>
          <p className="mt-0.5 text-xs break-words text-ink-soft">
            {until} · {tRich('created by <bdi>{name}</bdi>', { name: link.createdBy.name })}
            {link.visits > 0 && <> · {tRich('opened by <bdi>{names}</bdi>', { names: visitors })}</>}
          </p>
        </div>
        {canRevoke && (
          <Button
            look="danger"
            size="small"
            aria-label={t(
              'Revoke the {role, select, viewer {viewer} commenter {commenter} other {editor}} link by {name}',
              values,
            )}
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
            aria-label={t(
              'Copy the {role, select, viewer {viewer} commenter {commenter} other {editor}} link by {name}',
              values,
            )}
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

function NewLink({ document }: { document: string }) {
  const [role, setRole] = useState<LinkRole>('viewer')
  const [lasting, setLasting] = useState<LinkDuration>('ever')
  const create = useCreateLink(document)
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-2 text-sm">
      <span className="text-ink-soft">{t('Anyone with the link')}</span>
      <Select
        label={t('Role by the link')}
        value={role}
        options={linkRoles.map((each) => ({ value: each, name: t(abilities[each]) }))}
        onChange={setRole}
      />
      <Select
        label={t('How long the link is valid')}
        className="max-sm:-ms-2.5"
        value={lasting}
        options={times.map(({ value, name }) => ({ value, name: t(name) }))}
        onChange={setLasting}
      />
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

const times: readonly { value: LinkDuration; name: EnglishText }[] = [
  { value: 'day', name: 'for a day' },
  { value: 'week', name: 'for a week' },
  { value: 'month', name: 'for 30 days' },
  { value: 'ever', name: 'until revoked' },
]
