import type { Me } from '@copydesk/protocol'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { usePresence } from '../collaboration/hooks.ts'
import type { Presence } from '../collaboration/presence.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

type PeopleHereProps = { connection: DocumentConnection; me: Me }

const shownAtMost = 4

/** Who has the document open: people, and the agents at work, which share one avatar. */
export function PeopleHere({ connection, me }: PeopleHereProps) {
  const everyone = usePresence(connection, me.user.id)
  const agents = everyone.filter(({ kind }) => kind === 'agent')
  const people = everyone.filter(({ kind }) => kind === 'person')
  const shown = people.slice(0, shownAtMost)
  const more = people.length - shown.length
  return (
    <ul aria-label="People here" className="flex h-9 items-center gap-1 px-1 sm:min-w-9">
      {shown.map((presence) => (
        <PersonHere key={presence.key} presence={presence} self={presence.id === me.user.id} />
      ))}
      <AgentsHere agents={agents} />
      {more > 0 && (
        <li className="flex size-7 items-center justify-center rounded-full bg-hover text-xs font-medium ring-2 ring-surface">
          <span aria-hidden>+{more}</span>
          <span className="sr-only">{more} more</span>
        </li>
      )}
    </ul>
  )
}

function AgentsHere({ agents }: { agents: readonly Presence[] }) {
  const [first] = agents
  if (!first) return null
  if (agents.length === 1) return <PersonHere presence={first} self={false} />
  const text = `${first.name} ×${agents.length}`
  return (
    <li className="inline-flex" data-kind="agent">
      <Tooltip text={text}>
        <button type="button" aria-label={text} className="relative inline-flex cursor-default ring-2 ring-surface">
          <Avatar name={first.name} color={first.color} kind="agent" />
          <span
            aria-hidden
            className="absolute -right-1 -bottom-1 flex h-4 min-w-4 items-center justify-center rounded-full bg-agent px-0.5 text-[0.65rem] font-semibold text-surface"
          >
            {agents.length}
          </span>
        </button>
      </Tooltip>
    </li>
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
