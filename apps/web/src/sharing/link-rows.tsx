import type { Access, LinkRole, NewShareLink, ShareLink } from '@copydesk/protocol'
import { Check, Copy, Link2, Plus } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { inputClass } from '../ui/field.tsx'
import { showToast } from '../ui/toasts.tsx'
import { RoleSelect } from './role-select.tsx'
import { expiryOf, type Lasting, linkRoles, roleNames } from './share-rights.ts'
import { useCreateLink, useLinks, useRevokeLink } from './use-sharing.ts'

type LinkRowsProps = { document: string; access: Access; self: string; shares: boolean }

/** The share links of a document, and a form for a new one for users with the right to share. */
export function LinkRows({ document, access, self, shares }: LinkRowsProps) {
  const { data: links, isError } = useLinks(document)
  const [made, setMade] = useState<NewShareLink>()
  if (!shares && links?.length === 0) return null
  return (
    <section aria-label="Links" className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">Links</h3>
      {isError && <p className="text-sm text-danger">The links could not be loaded. Trying again.</p>}
      {links && links.length > 0 && (
        <ul className="-mx-2 flex max-h-36 flex-col overflow-y-auto">
          {links.map((link) => (
            <LinkRow
              key={link.id}
              {...{ link, document }}
              canRevoke={access === 'manage' || link.createdBy.id === self}
            />
          ))}
        </ul>
      )}
      {made && links?.some(({ id }) => id === made.id) && <MadeLink key={made.id} url={made.url} />}
      {shares && <NewLink document={document} onMade={setMade} />}
    </section>
  )
}

function LinkRow({ link, document, canRevoke }: { link: ShareLink; document: string; canRevoke: boolean }) {
  const revoke = useRevokeLink(document)
  const role = roleNames[link.role].toLowerCase()
  const until = link.expiresAt === null ? 'Doesn’t expire' : `Until ${dateOf(link.expiresAt)}`
  return (
    <li className="flex min-h-11 items-center gap-3 px-2 py-1">
      <span aria-hidden className="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken">
        <Link2 size={15} />
      </span>
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate text-sm">
          Anyone with it is {role === 'editor' ? 'an' : 'a'} {role}
        </p>
        <p className="truncate text-xs text-ink-soft">
          {until} · by <bdi>{link.createdBy.name}</bdi>
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
          Revoke
        </Button>
      )}
    </li>
  )
}

function NewLink({ document, onMade }: { document: string; onMade: (link: NewShareLink) => void }) {
  const [role, setRole] = useState<LinkRole>('viewer')
  const [lasting, setLasting] = useState<Lasting>('ever')
  const create = useCreateLink(document)
  return (
    <div className="flex flex-wrap gap-2">
      <RoleSelect label="Role by the link" value={role} roles={linkRoles} onChange={setRole} />
      <select
        aria-label="How long the link is valid"
        value={lasting}
        onChange={(event) => setLasting(event.target.value as Lasting)}
        className={`${inputClass} w-auto! px-2!`}
      >
        <option value="day">For a day</option>
        <option value="week">For a week</option>
        <option value="month">For 30 days</option>
        <option value="ever">Until revoked</option>
      </select>
      <Button
        disabled={create.isPending}
        onClick={() => create.mutate({ role, expiresAt: expiryOf(lasting, new Date()) }, { onSuccess: onMade })}
      >
        <Plus size={15} aria-hidden />
        New link
      </Button>
    </div>
  )
}

/** A new link. The server stores only its hash, so it is shown here and never again. */
function MadeLink({ url }: { url: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  useEffect(() => select(field), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      setCopied(true)
    } catch {
      select(field)
      showToast('The browser didn’t allow copying. Copy the selected link yourself.')
    }
  }
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-accent/40 bg-accent-soft p-3">
      <p className="text-sm">Copy the link now: it isn’t shown again.</p>
      <div className="flex gap-2">
        <input
          ref={field}
          readOnly
          aria-label="New link"
          dir="ltr"
          value={url}
          className={`${inputClass} min-w-0 flex-1`}
          onFocus={(event) => event.target.select()}
        />
        <Button look="primary" onClick={() => void copy()}>
          {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  )
}

function select(field: RefObject<HTMLInputElement | null>): void {
  field.current?.focus()
  field.current?.select()
}

function dateOf(time: string): string {
  return new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
}
