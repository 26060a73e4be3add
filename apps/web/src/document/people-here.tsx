import type { Me } from '@copydesk/protocol'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { usePresence } from '../collaboration/hooks.ts'
import type { Presence } from '../collaboration/presence.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

type PeopleHereProps = { connection: DocumentConnection; me: Me }

const shownAtMost = 4

/** Who has the document open, people and agents. */
export function PeopleHere({ connection, me }: PeopleHereProps) {
  const everyone = usePresence(connection, me.user.id)
  const agents = everyone.filter(({ kind }) => kind === 'agent')
  const people = everyone.filter(({ kind }) => kind === 'person')
  const shown = [...people.slice(0, shownAtMost), ...agents]
  const more = everyone.length - shown.length
  return (
    <ul aria-label="People here" className="flex h-9 items-center gap-1 px-1 sm:min-w-9">
      {shown.map((presence) => (
        <PersonHere key={presence.key} presence={presence} self={presence.id === me.user.id} />
      ))}
      {more > 0 && (
        <li className="flex size-7 items-center justify-center rounded-full bg-hover text-xs font-medium ring-2 ring-surface">
          <span aria-hidden>+{more}</span>
          <span className="sr-only">{more} more</span>
        </li>
      )}
    </ul>
  )
}

function PersonHere({ presence, self }: { presence: Presence; self: boolean }) {
  const text = describe(presence, self)
  const hideWhenNarrow = self ? 'hidden sm:inline-flex' : 'inline-flex'
  return (
    <li className={hideWhenNarrow} data-kind={presence.kind}>
      <Tooltip text={text}>
        <button type="button" aria-label={text} className="inline-flex cursor-default rounded-full ring-2 ring-surface">
          <Avatar name={presence.name} color={presence.color} kind={presence.kind} />
        </button>
      </Tooltip>
    </li>
  )
}

function describe({ name, kind, activity }: Presence, self: boolean): string {
  if (self) return `${name} (you)`
  return kind === 'agent' && activity ? `${name} · ${activity}` : name
}
