import type { Me } from '@copydesk/protocol'
import { useState, useSyncExternalStore } from 'react'
import { separatePart } from '../../common/lazy-part.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { usePresence } from '../../collaboration/hooks.ts'
import type { Presence } from '../../collaboration/presence.ts'
import type { Following } from '../../editor/peers/following.ts'
import { t } from '../../i18n/translate.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Tooltip } from '../../ui/tooltips/tooltip.tsx'

const ProfileDialog = separatePart(async () => (await import('../../account/profile-dialog.tsx')).ProfileDialog)

type PeopleHereProps = { connection: DocumentConnection; me: Me; following: Following }

const shownAtMost = 4

/**
 * The users who have the document open, and the active agents, which share one avatar. A click on a user follows them.
 */
export function PeopleHere({ connection, me, following }: PeopleHereProps) {
  const everyone = usePresence(connection, me.user.id)
  const followed = useSyncExternalStore(following.subscribe, following.get)
  const agents = everyone.filter(({ kind }) => kind === 'agent')
  const people = everyone.filter(({ kind }) => kind === 'person')
  const shown = people.slice(0, shownAtMost)
  const more = people.slice(shownAtMost)
  const follow = (key: string) => following.set(key === followed ? null : key)
  return (
    <ul aria-label={t('People here')} className="flex h-9 items-center gap-1 px-1 sm:min-w-9">
      {shown.map((presence) =>
        presence.id === me.user.id ? (
          <SelfHere key={presence.key} presence={presence} me={me} />
        ) : (
          <OtherHere key={presence.key} presence={presence} isFollowed={presence.key === followed} onFollow={follow} />
        ),
      )}
      <AgentsHere agents={agents} followed={followed} onFollow={follow} />
      {more.length > 0 && (
        <li className="flex size-7 items-center justify-center rounded-full bg-hover text-xs font-medium ring-2 ring-surface">
          <span aria-hidden title={more.map(({ name }) => name).join(', ')}>
            +{more.length}
          </span>
          <span className="sr-only">{t('{count, number} more', { count: more.length })}</span>
        </li>
      )}
    </ul>
  )
}

function SelfHere({ presence, me }: { presence: Presence; me: Me }) {
  const [opener, setOpener] = useState<HTMLElement>()
  const text = t('{name} (you)', { name: presence.name })
  return (
    <li className="hidden sm:inline-flex" data-kind="person">
      <Tooltip text={t('{text} · change name and colour', { text })}>
        <button
          type="button"
          aria-label={text}
          aria-haspopup="dialog"
          onClick={(event) => setOpener(event.currentTarget)}
          className={buttonClass('person', false)}
        >
          <Avatar name={presence.name} color={presence.color} kind="person" />
        </button>
      </Tooltip>
      {opener && <ProfileDialog me={me} opener={opener} onClose={() => setOpener(undefined)} />}
    </li>
  )
}

type FollowProps = { onFollow: (key: string) => void }

function OtherHere({ presence, isFollowed, onFollow }: FollowProps & { presence: Presence; isFollowed: boolean }) {
  const text = describe(presence)
  return (
    <li className="inline-flex" data-kind={presence.kind}>
      <Tooltip text={isFollowed ? t('{text} · followed', { text }) : t('{text} · click to follow', { text })}>
        <button
          type="button"
          aria-label={text}
          aria-pressed={isFollowed}
          onClick={() => onFollow(presence.key)}
          className={buttonClass(presence.kind, isFollowed)}
        >
          <Avatar name={presence.name} color={presence.color} kind={presence.kind} />
        </button>
      </Tooltip>
    </li>
  )
}

type AgentsHereProps = FollowProps & { agents: readonly Presence[]; followed: string | null }

function AgentsHere({ agents, followed, onFollow }: AgentsHereProps) {
  const [first] = agents
  if (!first) return null
  if (agents.length === 1) {
    return <OtherHere presence={first} isFollowed={first.key === followed} onFollow={onFollow} />
  }
  const text = `${first.name} ×${agents.length}`
  const current = agents.find(({ key }) => key === followed)
  return (
    <li className="inline-flex" data-kind="agent">
      <Tooltip text={t('{text} · click to follow', { text })}>
        <button
          type="button"
          aria-label={text}
          aria-pressed={current !== undefined}
          onClick={() => onFollow((current ?? first).key)}
          className={`relative ${buttonClass('agent', current !== undefined)}`}
        >
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

function buttonClass(kind: Presence['kind'], isFollowed: boolean): string {
  const shape = kind === 'agent' ? 'rounded-[30%]' : 'rounded-full'
  return `inline-flex items-center justify-center ring-2 ${shape} ${isFollowed ? 'ring-accent' : 'ring-surface'}`
}

function describe({ name, kind, activity }: Presence): string {
  return kind === 'agent' && activity ? `${name} · ${activity}` : name
}
