import type { AccountPerson } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, KeyRound, MailCheck, ShieldCheck, ShieldOff, UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { ListState, Section } from '../../account/settings/page-frame.tsx'
import { ShownOnce } from '../../account/settings/shown-once.tsx'
import { createResetLink, fetchPeople, patchPerson } from '../../api/caller/account.ts'
import { describeError } from '../../api/client.ts'
import { relativeTime } from '../../common/relative-time.ts'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { currentWording } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { iconButtonClass } from '../../ui/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Menu, MenuItem } from '../../ui/menus/menu.tsx'
import { showError, showToast } from '../../ui/toasts/toasts.tsx'
import { findAccounts } from './find-accounts.ts'

/** The key under which the list of accounts is cached. */
export const peopleKey = ['people'] as const

type Reset = { name: string; url: string }

/** All accounts, and an operator's actions on them. */
export function PeopleSection({ self }: { self: string }) {
  const [reset, setReset] = useState<Reset>()
  const { data: people, error } = useQuery({ queryKey: peopleKey, queryFn: ({ signal }) => fetchPeople(signal) })
  return (
    <Section title={t('Accounts')}>
      {reset && (
        <div className="mb-4">
          <ShownOnce
            label={t('Password reset link')}
            value={reset.url}
            text={t('Hand this link to {name}. It sets a new password once, within a day, and is not shown again.', {
              name: reset.name,
            })}
            onDone={() => setReset(undefined)}
          />
        </div>
      )}
      {people ? (
        <People people={people} self={self} onReset={setReset} />
      ) : (
        <ListState error={error ? describeError(error) : undefined} />
      )}
    </Section>
  )
}

type PeopleProps = { people: readonly AccountPerson[]; self: string; onReset: (reset: Reset) => void }

// A list that fits on a screen needs no search.
const searchedFrom = 9

/** The user first, then the others by name; many of them with a search by name and address. */
function People({ people, self, onReset }: PeopleProps) {
  const [search, setSearch] = useState('')
  const found = findAccounts(people, self, search, currentWording().locale)
  return (
    <>
      {people.length >= searchedFrom && (
        <Field
          label={t('Search by name or address')}
          type="search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <ul aria-label={t('People')} className="mt-2 divide-y divide-line">
        {found.map((person) => (
          <PersonRow key={person.user.id} person={person} isSelf={person.user.id === self} onReset={onReset} />
        ))}
      </ul>
      <p role="status" className={found.length > 0 ? 'sr-only' : 'py-2 text-sm text-ink-faint'}>
        {found.length === 0 && t('Nobody matches this search.')}
      </p>
    </>
  )
}

type PersonRowProps = { person: AccountPerson; isSelf: boolean; onReset: (reset: Reset) => void }

function PersonRow({ person, isSelf, onReset }: PersonRowProps) {
  const { user, email, confirmed, active, operator, lastSeenAt } = person
  const [now] = useState(() => new Date())
  const seen = lastSeenAt === null ? t('not signed in') : t('here {time}', { time: relativeTime(lastSeenAt, now) })
  return (
    <li className="flex min-h-16 items-center gap-3 py-2">
      <span className={active ? '' : 'opacity-50'}>
        <Avatar name={user.name} color={user.color} kind="person" size={34} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span
            dir="auto"
            title={user.name}
            className={`truncate font-medium ${active ? '' : 'text-ink-faint line-through'}`}
          >
            {user.name}
          </span>
          {operator && <Tag text={t('Operator')} />}
          {!confirmed && <Tag text={t('Address not confirmed')} />}
          {!active && <Tag text={t('Closed')} />}
          {isSelf && <Tag text={t('You')} />}
        </p>
        <p className="flex text-sm text-ink-faint max-sm:flex-col">
          <span title={email ?? undefined} className="truncate">
            {email}
          </span>
          <span aria-hidden className="whitespace-pre max-sm:hidden">
            {' · '}
          </span>
          <span title={lastSeenAt === null ? undefined : formatDate(lastSeenAt, dateAndTime)} className="shrink-0">
            {seen}
          </span>
        </p>
      </div>
      <PersonMenu person={person} isSelf={isSelf} onReset={onReset} />
    </li>
  )
}

function Tag({ text }: { text: string }) {
  return <span className="shrink-0 rounded bg-hover px-1.5 py-0.5 text-xs text-ink-soft">{text}</span>
}

function PersonMenu({ person, isSelf, onReset }: PersonRowProps) {
  const { user, email, confirmed, active, operator } = person
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (body: { active?: boolean; operator?: boolean; confirmedEmail?: string }) => patchPerson(user.id, body),
    onSuccess: () => {
      showToast(t('Saved.'))
      return queryClient.invalidateQueries({ queryKey: peopleKey })
    },
    onError: showError,
  })
  const reset = useMutation({
    mutationFn: () => createResetLink(user.id),
    onSuccess: ({ url }) => onReset({ name: user.name, url }),
    onError: showError,
  })
  return (
    <Menu
      trigger={
        <button type="button" aria-label={t('Actions for {name}', { name: user.name })} className={iconButtonClass}>
          <Ellipsis size={18} aria-hidden />
        </button>
      }
    >
      <MenuItem icon={<KeyRound size={16} />} disabled={!active} onSelect={() => reset.mutate()}>
        {t('Password reset link')}
      </MenuItem>
      {!confirmed && email !== null && (
        <MenuItem icon={<MailCheck size={16} />} onSelect={() => change.mutate({ confirmedEmail: email })}>
          {t('Confirm that the address is theirs')}
        </MenuItem>
      )}
      {!isSelf && (
        <MenuItem
          icon={operator ? <ShieldOff size={16} /> : <ShieldCheck size={16} />}
          onSelect={() => change.mutate({ operator: !operator })}
        >
          {t(operator ? 'Remove operator rights' : 'Make an operator')}
        </MenuItem>
      )}
      {!isSelf && (
        <MenuItem
          icon={active ? <UserX size={16} /> : <UserCheck size={16} />}
          danger={active}
          onSelect={() => change.mutate({ active: !active })}
        >
          {t(active ? 'Close account' : 'Reopen account')}
        </MenuItem>
      )}
    </Menu>
  )
}
