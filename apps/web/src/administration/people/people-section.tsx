import type { AccountPerson, PatchPerson } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, MailCheck, ShieldCheck, ShieldOff, UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { Section } from '../../account/settings/page-frame.tsx'
import { ShownOnce } from '../../account/settings/shown-once.tsx'
import { createResetLink, patchPerson, peopleQuery } from '../../api/caller/account.ts'
import { relativeTime } from '../../common/relative-time.ts'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { ActionMenu } from '../../ui/menus/action-menu.tsx'
import { MenuItem } from '../../ui/menus/menu.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'

type Reset = { name: string; url: string }

/** All accounts, and an operator's actions on them. */
export function PeopleSection({ self }: { self: string }) {
  const [reset, setReset] = useState<Reset>()
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
      <Loaded query={useQuery(peopleQuery)}>
        {(people) => (
          <Rows label={t('People')} rows={people} className="-mt-2">
            {(person) => (
              <PersonRow key={person.user.id} person={person} isSelf={person.user.id === self} onReset={setReset} />
            )}
          </Rows>
        )}
      </Loaded>
    </Section>
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
          <span dir="auto" className={`truncate font-medium ${active ? '' : 'text-ink-faint line-through'}`}>
            {user.name}
          </span>
          {operator && <Tag text={t('Operator')} />}
          {!confirmed && <Tag text={t('Address not confirmed')} />}
          {!active && <Tag text={t('Closed')} />}
          {isSelf && <Tag text={t('You')} />}
        </p>
        <p className="truncate text-sm text-ink-faint">
          {email} · {seen}
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
  const change = useAction((body: PatchPerson) => patchPerson(user.id, body), {
    changes: peopleQuery.queryKey,
    onDone: () => showToast(t('Saved.')),
  })
  const reset = useAction(() => createResetLink(user.id), {
    onDone: ({ url }) => onReset({ name: user.name, url }),
  })
  return (
    <ActionMenu label={t('Actions for {name}', { name: user.name })}>
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
