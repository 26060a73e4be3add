import type { AgentList, NamedAgent, SetTrigger } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Power } from 'lucide-react'
import type { RefObject } from 'react'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { agentsQuery, createAgent, deleteAgent, patchAgent } from '../../api/operators/agents.ts'
import { documentPath, Link } from '../../common/location.tsx'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { tRich } from '../../i18n/rich-text.ts'
import { sentText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/focus/use-opening.ts'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { MenuItem } from '../../ui/menus/menu.tsx'
import { RowMenu } from '../../ui/menus/row-menu.tsx'
import { Avatar } from '../../ui/people/avatar.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AgentForm } from './agent-form.tsx'
import { describeTrigger } from './trigger-texts.ts'

/** For operators: the agents that people can call besides the default agent. */
export function AgentsPage() {
  const agents = useQuery(agentsQuery)
  const [opener, making] = useOpening()
  return (
    <PageFrame title={t('Agents')}>
      <Section
        title={t('Agents with a name')}
        text={t(
          'People call an agent by its handle, in the text, in comments and in the chat. @agent is always there.',
        )}
        tool={
          !(making.isOpen && agents.data) && (
            <Button ref={opener} look="primary" onClick={making.open}>
              {t('New agent')}
            </Button>
          )
        }
      >
        <div className="flex flex-col gap-4">
          {making.isOpen && agents.data && <AgentForm list={agents.data} save={createAgent} onClose={making.close} />}
          <Loaded query={agents}>
            {(list) => (
              <Rows
                label={t('Agents')}
                rows={list.agents}
                empty={making.isOpen ? undefined : t('There are no agents yet.')}
                className="-my-4"
              >
                {(agent) => <Row key={agent.id} agent={agent} list={list} rest={opener} />}
              </Rows>
            )}
          </Loaded>
        </div>
      </Section>
    </PageFrame>
  )
}

type RowProps = {
  agent: NamedAgent
  list: AgentList
  /** Gets the focus when the agent is removed from the list. */
  rest: RefObject<HTMLElement | null>
}

function Row({ agent, list, rest }: RowProps) {
  const { id, name, enabled, picture, color } = agent
  const [menu, editing] = useOpening()
  const turn = useAction(() => patchAgent(id, { enabled: !enabled }), { changes: agentsQuery.queryKey })
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex items-start gap-3">
        <Avatar name={`${picture ?? ''} ${name}`.trim()} color={color} kind="agent" size={36} />
        <Description agent={agent} />
        <RowMenu
          name={name}
          button={menu}
          removal={{
            title: t('Delete this agent?'),
            text: t('{name} stops working. What it has written stays, under its name.', { name }),
            remove: () => deleteAgent(id),
            rest,
            changes: agentsQuery.queryKey,
          }}
        >
          <MenuItem icon={Pencil} onSelect={editing.open} text={t('Edit')} />
          <MenuItem icon={Power} onSelect={() => turn.mutate()} text={t(enabled ? 'Pause' : 'Resume')} />
        </RowMenu>
      </div>
      {editing.isOpen && (
        <AgentForm agent={agent} list={list} save={(given) => patchAgent(id, given)} onClose={editing.close} />
      )}
    </li>
  )
}

function Description({ agent: { name, handle, description, enabled, triggers, lastRun } }: { agent: NamedAgent }) {
  return (
    <div className="min-w-0 flex-1 text-sm">
      <p className="text-base">
        <bdi className="font-medium break-words">{name}</bdi> <span className="text-ink-faint">@{handle}</span>
      </p>
      {description !== '' && (
        <p dir="auto" className="break-words">
          {description}
        </p>
      )}
      {!enabled && <p className="text-ink-soft">{t('Paused: it can’t be called and begins nothing.')}</p>}
      {triggers.map((trigger) => (
        <Trigger key={trigger.id} trigger={trigger} />
      ))}
      <p className="text-ink-faint">
        {lastRun === null
          ? t('It has not worked yet.')
          : tRich('It last worked on {time} in <a>a document</a>.', {
              time: formatDate(lastRun.at, dateAndTime),
              a: (text) => (
                <Link to={documentPath(lastRun.document)} className="underline">
                  {text}
                </Link>
              ),
            })}
      </p>
    </div>
  )
}

function Trigger({ trigger }: { trigger: SetTrigger }) {
  const { nextAt, problem, localizable } = trigger
  const next = nextAt === null ? '' : t('next on {time}', { time: formatDate(nextAt, dateAndTime) })
  return (
    <>
      <p className="text-ink-soft">{[describeTrigger(trigger), next].filter(Boolean).join(' · ')}</p>
      {problem !== null && <p className="text-danger">{sentText(problem, localizable) ?? problem}</p>}
    </>
  )
}
