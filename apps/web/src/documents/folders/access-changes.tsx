import type { AccessChange, MoveEffect, Role } from '@copydesk/protocol'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { changesNothing } from './use-move.ts'

type AccessChangesProps = { effect: MoveEffect; kind: 'document' | 'folder' }

const roles: Readonly<Record<Role, string>> = {
  owner: 'owner',
  editor: 'editor',
  commenter: 'commenter',
  viewer: 'viewer',
}

/** Who gets and who loses access by a move, and whose role changes. */
export function AccessChanges({ effect, kind }: AccessChangesProps) {
  if (changesNothing(effect)) return <p>{t('Nobody gets or loses access.')}</p>
  const { people, count, addresses } = effect
  const what = kind === 'document' ? 'this document' : 'this folder and what is in it'
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-sunken p-3 text-ink">
      <Group title={`Get access to ${what}`} people={people.filter(({ from }) => from === null)} />
      <Group title={t('Lose access')} people={people.filter(({ to }) => to === null)} isLoss />
      <Group title={t('Get another role')} people={people.filter(({ from, to }) => from !== null && to !== null)} />
      {count > people.length && <p>{`And ${count - people.length} more people.`}</p>}
      {addresses > 0 && (
        <p>
          {addresses === 1
            ? t('The access of an invited address without an account changes, too.')
            : `The access of ${addresses} invited addresses without an account changes, too.`}
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
  if (from === null) return to === null ? '' : roles[to]
  return to === null ? `was ${roles[from]}` : `${roles[from]} → ${roles[to]}`
}
