import type { AccessChange, MoveEffect, Role } from '@copydesk/protocol'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { changesNothing } from './use-move.ts'

type AccessChangesProps = { effect: MoveEffect; kind: 'document' | 'folder' }

const roles: Readonly<Record<Role, EnglishText>> = {
  owner: 'owner',
  editor: 'editor',
  commenter: 'commenter',
  viewer: 'viewer',
}

/** Who gets and who loses access by a move, and whose role changes. */
export function AccessChanges({ effect, kind }: AccessChangesProps) {
  if (changesNothing(effect)) return <p>{t('Nobody gets or loses access.')}</p>
  const { people, count, addresses } = effect
  const got = kind === 'document' ? t('Get access to this document') : t('Get access to this folder and what is in it')
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-sunken p-3 text-ink">
      <Group title={got} people={people.filter(({ from }) => from === null)} />
      <Group title={t('Lose access')} people={people.filter(({ to }) => to === null)} isLoss />
      <Group title={t('Get another role')} people={people.filter(({ from, to }) => from !== null && to !== null)} />
      {count > people.length && (
        <p>{t('And {count, plural, one {# more person} other {# more people}}.', { count: count - people.length })}</p>
      )}
      {addresses > 0 && (
        <p>
          {t(
            '{count, plural, one {The access of an invited address without an account changes, too.} other {The access of # invited addresses without an account changes, too.}}',
            { count: addresses },
          )}
        </p>
      )}
    </div>
  )
}

type GroupProps = { title: string; people: readonly AccessChange[]; isLoss?: boolean }

function Group({ title, people, isLoss = false }: GroupProps) {
  if (people.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className={`mb-1 font-medium ${isLoss ? 'text-danger' : ''}`}>{title}</h3>
      <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {people.map((person) => (
          <li key={person.id} className="flex items-center gap-2">
            <Avatar name={person.name} color={person.color} kind="person" size={22} />
            <bdi className="min-w-0 flex-1 truncate">{person.name}</bdi>
            <span className="shrink-0 text-xs text-ink-soft">{inWords(person)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function inWords({ from, to }: AccessChange): string {
  if (from === null) return to === null ? '' : t(roles[to])
  return to === null ? t('was {role}', { role: t(roles[from]) }) : `${t(roles[from])} → ${t(roles[to])}`
}
