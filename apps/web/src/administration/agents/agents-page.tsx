import type { AgentList, NamedAgent, SetTrigger } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Power, Trash2 } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { ListState, PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { agentsKey, createAgent, deleteAgent, fetchAgents, patchAgent } from '../../api/operators/agents.ts'
import { describeError } from '../../api/client.ts'
import { documentPath, Link } from '../../common/location.tsx'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { tRich } from '../../i18n/rich-text.ts'
import { t } from '../../i18n/translate.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts'
import { Menu, MenuItem } from '../../ui/menus/menu.tsx'
import { Avatar } from '../../ui/people/avatar.tsx'
import { showError } from '../../ui/toasts/toasts.tsx'
import { AgentForm } from './agent-form.tsx'
import { describeTrigger } from './trigger-words.ts'

/** For operators: the agents that people can call besides the default agent. */
export function AgentsPage() {
  const queryClient = useQueryClient()
  const opener = useRef<HTMLButtonElement>(null)
  const [isMaking, setMaking] = useState(false)
  const { data, error } = useQuery({
    queryKey: agentsKey,
    queryFn: ({ signal }) => fetchAgents(signal),
    refetchInterval: 10_000,
  })
  const close = () => setMaking(false)
  useFocusAfter(isMaking, opener)
  return (
    <PageFrame title={t('Agents')}>
      <Section
        title={t('Agents with a name')}
        text={t(
          'People call an agent by its handle, in the text, in comments and in the chat. @agent is always there.',
        )}
      >
        <div className="flex flex-col gap-4">
          {data ? <List list={data} opener={opener} /> : <ListState error={error ? describeError(error) : undefined} />}
          {isMaking && data ? (
            <AgentForm
              list={data}
              save={createAgent}
              onCancel={close}
              onSaved={() => {
                close()
                void queryClient.invalidateQueries({ queryKey: agentsKey })
              }}
            />
          ) : (
            <Button ref={opener} className="self-start" onClick={() => setMaking(true)}>
              {t('New agent')}
            </Button>
          )}
        </div>
      </Section>
    </PageFrame>
  )
}

type ListProps = { list: AgentList; opener: RefObject<HTMLElement | null> }

function List({ list, opener }: ListProps) {
  const { agents } = list
  if (agents.length === 0) return <p className="text-sm text-ink-faint">{t('There are no agents yet.')}</p>
  return (
    <ul aria-label={t('Agents')} className="-my-2 divide-y divide-line">
      {agents.map((agent) => (
        <Row key={agent.id} agent={agent} list={list} opener={opener} />
      ))}
    </ul>
  )
}

type RowProps = ListProps & { agent: NamedAgent }

function Row({ agent, list, opener }: RowProps) {
  const queryClient = useQueryClient()
  const menu = useRef<HTMLButtonElement>(null)
  const [isEditing, setEditing] = useState(false)
  const closeForm = () => setEditing(false)
  useFocusAfter(isEditing, menu)
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex items-start gap-3">
        <Avatar name={`${agent.picture ?? ''} ${agent.name}`.trim()} color={agent.color} kind="agent" size={36} />
        <Description agent={agent} />
        <Actions agent={agent} button={menu} opener={opener} onEdit={() => setEditing(true)} />
      </div>
      {isEditing && (
        <AgentForm
          agent={agent}
          list={list}
          save={(given) => patchAgent(agent.id, given)}
          onCancel={closeForm}
          onSaved={() => {
            closeForm()
            void queryClient.invalidateQueries({ queryKey: agentsKey })
          }}
        />
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
  const { nextAt, problem } = trigger
  const next = nextAt === null ? '' : t('next on {time}', { time: formatDate(nextAt, dateAndTime) })
  return (
    <>
      <p className="text-ink-soft">{[describeTrigger(trigger), next].filter(Boolean).join(' · ')}</p>
      {problem !== null && <p className="text-danger">{problem}</p>}
    </>
  )
}

type ActionsProps = Omit<RowProps, 'list'> & { button: RefObject<HTMLButtonElement | null>; onEdit: () => void }

function Actions({ agent: { id, name, enabled }, button, opener, onEdit }: ActionsProps) {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: agentsKey })
  const turn = useMutation({
    mutationFn: () => patchAgent(id, { enabled: !enabled }),
    onSuccess: refresh,
    onError: showError,
  })
  return (
    <>
      <Menu
        trigger={
          <button ref={button} type="button" aria-label={t('Actions for {name}', { name })} className={iconButtonClass}>
            <Ellipsis size={18} aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
          {t('Edit')}
        </MenuItem>
        <MenuItem icon={<Power size={16} />} onSelect={() => turn.mutate()}>
          {t(enabled ? 'Pause' : 'Resume')}
        </MenuItem>
        <MenuItem icon={<Trash2 size={16} />} danger onSelect={() => setAsking(true)}>
          {t('Delete')}
        </MenuItem>
      </Menu>
      {isAsking && (
        <DeleteQuestion
          name={name}
          remove={() => deleteAgent(id)}
          opener={button}
          rest={opener}
          onClose={() => setAsking(false)}
          onRemoved={refresh}
        />
      )}
    </>
  )
}

type DeleteQuestionProps = {
  name: string
  remove: () => Promise<void>
  opener: RefObject<HTMLElement | null>
  /** Gets the focus when the agent, and with it the opener, is removed from the list. */
  rest: RefObject<HTMLElement | null>
  onClose: () => void
  onRemoved: () => Promise<void>
}

function DeleteQuestion({ name, remove, opener, rest, onClose, onRemoved }: DeleteQuestionProps) {
  const [isDone, setDone] = useState(false)
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      // Before the list loses the row, and the dialog with it.
      setDone(true)
      return onRemoved()
    },
    onError: showError,
  })
  return (
    <Dialog
      title={t('Delete this agent?')}
      open={!isDone}
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={(isDone ? rest : opener).current}
    >
      <p className="text-sm break-words">
        {t('{name} stops working. What it has written stays, under its name.', { name })}
      </p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="danger" disabled={removing.isPending} onClick={() => removing.mutate()}>
          {t('Delete')}
        </Button>
      </div>
    </Dialog>
  )
}
