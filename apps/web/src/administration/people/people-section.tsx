import type { AccountPerson, PatchPerson } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, MailCheck, ShieldCheck, ShieldOff, UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { Section } from '../../account/settings/page-frame.tsx'
import { OneTimeSecret } from '../../account/settings/one-time-secret.tsx'
import { createResetLink, patchPerson, peopleQuery } from '../../api/caller/account.ts'
import { relativeTime } from '../../common/relative-time.ts'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { currentWording } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { ActionMenu } from '../../ui/menus/action-menu.tsx'
import { MenuItem } from '../../ui/menus/menu.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { findAccounts } from './find-accounts.ts'

type Reset = { name: string; url: string }

/** All accounts, and an operator's actions on them. */
export function PeopleSection({ self }: { self: string }) {
  const [reset, setReset] = useState<Reset>()
  return (
    <Section title={t('Accounts')}>
      {reset && (
        <div className="mb-4">
          <OneTimeSecret
            label={t('Password reset link')}
            value={reset.url}
            text={t('Hand this link to {name}. It sets a new password once, within a day, and is not shown again.', {
              name: reset.name,
            })}
            onDone={() => setReset(undefined)}
          />
        </div>
      )}
      <Loaded query={useQuery(peopleQuery)}>
        {(people) => <People people={people} self={self} onReset={setReset} />}
      </Loaded>
    </Section>
  )
}

type PeopleProps = { people: readonly AccountPerson[]; self: string; onReset: (reset: Reset) => void }

// A list that fits on a screen needs no search.
const searchedFrom = 9

/** The user first, then the others by name; for long lists with a search by name and address. */
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
      <Rows label={t('People')} rows={found} className="mt-2 -mb-2">
        {(person) => (
          <PersonRow key={person.user.id} person={person} isSelf={person.user.id === self} onReset={onReset} />
        )}
      </Rows>
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
          {operator && <Badge text={t('Operator')} />}
          {!confirmed && <Badge text={t('Address not confirmed')} />}
          {!active && <Badge text={t('Closed')} />}
          {isSelf && <Badge text={t('You')} />}
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

function PersonMenu({ person, isSelf, onReset }: PersonRowProps) {
  const { user, email, confirmed, active, operator } = person
  const change = useAction((body: PatchPerson) => patchPerson(user.id, body), {
    changes: peopleQuery.queryKey,
    onDone: () => showToast(t('Saved.')),
  })
  const reset = useAction(() => createResetLink(user.id), {
    onDone: ({ url }) => onReset({ name: user.name, url }),
  })
  return (
    <ActionMenu label={t('Actions for {name}', { name: user.name })} className="-me-2.5">
      <MenuItem icon={KeyRound} disabled={!active} onSelect={() => reset.mutate()} text={t('Password reset link')} />
      {!confirmed && email !== null && (
        <MenuItem
          icon={MailCheck}
          onSelect={() => change.mutate({ confirmedEmail: email })}
          text={t('Confirm that the address is theirs')}
        />
      )}
      {!isSelf && (
        <MenuItem
          icon={operator ? ShieldOff : ShieldCheck}
          onSelect={() => change.mutate({ operator: !operator })}
          text={t(operator ? 'Remove operator rights' : 'Make an operator')}
        />
      )}
      {!isSelf && (
        <MenuItem
          icon={active ? UserX : UserCheck}
          danger={active}
          onSelect={() => change.mutate({ active: !active })}
          text={t(active ? 'Close account' : 'Reopen account')}
        />
      )}
    </ActionMenu>
  )
}
