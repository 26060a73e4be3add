import type { Access, InheritedMember, Member, PendingMember, Role } from '@copydesk/protocol'
import { Mail } from 'lucide-react'
import { useRef } from 'react'
import { useFolders } from '../api/folders.ts'
import type { Shared } from '../api/sharing.ts'
import { tRich } from '../i18n/rich-text.ts'
import { t } from '../i18n/translate.ts'
import { Avatar } from '../ui/people/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { RoleSelect } from './role-select.tsx'
import { choicesFor, roleNames, rolesToGive } from './share-rights.ts'
import { useMembers, usePutMembers } from './use-sharing.ts'

type MemberRowsProps = { shared: Shared; access: Access; self: string; shares: boolean }

/** Everyone with access to a document or folder, each with their role. */
export function MemberRows({ shared, access, self, shares }: MemberRowsProps) {
  const { data, isError } = useMembers(shared)
  const list = useRef<HTMLUListElement>(null)
  if (isError) return <p className="text-sm text-danger">{t('The people could not be loaded. Trying again.')}</p>
  if (!data) return <div aria-busy="true" className="skeleton h-11" />
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label={t('People with access')}
      className="-mx-2 flex max-h-56 flex-col overflow-y-auto rounded-md"
    >
      {data.members.map((member) => (
        <MemberRow key={member.id} {...{ member, shared, access, self, shares }} />
      ))}
      {data.pending.map((pending) => (
        <PendingRow
          key={pending.email}
          {...{ pending, shared, access, shares }}
          // The pressed button is removed with its row.
          onGranted={() => list.current?.focus()}
          isIn={data.members.some(({ id }) => id === pending.claimedBy?.id)}
        />
      ))}
      {data.inherited.map((person) => (
        <InheritedRow key={`${person.id}/${person.folder}`} person={person} self={self} />
      ))}
    </ul>
  )
}

const rowClass = 'flex min-h-12 shrink-0 items-center gap-3 px-2 py-1'

function MemberRow({ member, shared, access, self, shares }: MemberRowsProps & { member: Member }) {
  const put = usePutMembers(shared)
  const { id, name, role, guest, email, emailConfirmed } = member
  const { roles, removes } = choicesFor(member, access, self, shares)
  const about = guest ? t('Guest') : (email ?? (member.links.length > 0 ? t('Joined by link') : ''))
  return (
    <li className={rowClass}>
      <Avatar name={name} color={member.color} kind="person" />
      <div className="min-w-0 flex-1 leading-tight">
        <p dir="auto" className="truncate text-sm font-medium">
          {id === self ? t('{name} (you)', { name }) : name}
        </p>
        {about !== '' && <p className="truncate text-xs text-ink-soft">{about}</p>}
        {emailConfirmed === false && <p className="text-xs text-warn">{t('Address not confirmed')}</p>}
      </div>
      {roles.length > 1 || removes ? (
        <RoleSelect
          className="-me-2"
          label={t('Role of {name}', { name })}
          value={role}
          roles={roles}
          onChange={(next) => put.mutate([{ id, role: next }])}
          onRemove={removes ? () => put.mutate([{ id, role: null }]) : undefined}
          removeLabel={id === self ? t('Leave') : t('Remove')}
        />
      ) : (
        <span className="shrink-0 px-2 text-sm text-ink-soft">{t(roleNames[role])}</span>
      )}
    </li>
  )
}

/** `isIn`: whether the account that claims the address already has access. */
/** A person with an inherited role, which is changed in the folder. */
function InheritedRow({ person, self }: { person: InheritedMember; self: string }) {
  const { id, name, color, role, folder } = person
  const { data: folders } = useFolders()
  const from = folders?.find((each) => each.id === folder)
  return (
    <li className={rowClass}>
      <Avatar name={name} color={color} kind="person" />
      <div className="min-w-0 flex-1 leading-tight">
        <p dir="auto" className="truncate text-sm font-medium">
          {id === self ? t('{name} (you)', { name }) : name}
        </p>
        <p className="truncate text-xs text-ink-soft">
          {from ? tRich('By the folder <bdi>“{name}”</bdi>', { name: from.name }) : t('By the folder around it')}
        </p>
      </div>
      <span className="shrink-0 px-2 text-sm text-ink-soft">{t(roleNames[role])}</span>
    </li>
  )
}

type PendingRowProps = Omit<MemberRowsProps, 'self'> & { pending: PendingMember; isIn: boolean; onGranted: () => void }

function PendingRow({ pending, shared, access, shares, isIn, onGranted }: PendingRowProps) {
  const { email, role, claimedBy } = pending
  const put = usePutMembers(shared)
  const isOwner = access === 'manage'
  const canGrantAccess = claimedBy !== undefined && shares && !isIn && role !== 'owner'
  return (
    <li className={rowClass}>
      <span aria-hidden className="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken">
        <Mail size={14} />
      </span>
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate text-sm font-medium">{email}</p>
        <p className="text-xs text-ink-soft">
          {claimedBy
            ? tRich('<bdi>{name}</bdi> uses this address, which is not confirmed', { name: claimedBy.name })
            : t('Hasn’t opened it yet')}
        </p>
        {canGrantAccess && <GrantAccess {...{ put, email, role, claimedBy, isOwner, onGranted }} />}
      </div>
      {isOwner ? (
        <RoleSelect
          label={t('Role of {name}', { name: email })}
          value={role}
          roles={rolesToGive(access)}
          onChange={(next) => put.mutate([{ email, role: next }])}
          onRemove={() => put.mutate([{ email, role: null }])}
        />
      ) : (
        <span className="shrink-0 px-2 text-sm text-ink-soft">{t(roleNames[role])}</span>
      )}
    </li>
  )
}

type GrantAccessProps = {
  put: ReturnType<typeof usePutMembers>
  email: string
  role: Role
  claimedBy: { id: string; name: string }
  isOwner: boolean
  onGranted: () => void
}

/** Gives access to the account that claims an address. */
function GrantAccess({ put, email, role, claimedBy, isOwner, onGranted }: GrantAccessProps) {
  const { id, name } = claimedBy
  // The pending invitation is then obsolete; only owners may remove it.
  const members = isOwner
    ? [
        { id, role },
        { email, role: null },
      ]
    : [{ id, role }]
  return (
    <Button
      size="small"
      className="mt-1.5"
      aria-label={t('Let {name} in', { name })}
      disabled={put.isPending}
      onClick={() => void put.mutateAsync(members).then(onGranted, ignore)}
    >
      {t('Let in')}
    </Button>
  )
}

function ignore(): void {
  // The error has already been shown.
}
