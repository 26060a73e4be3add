import type { ToolServer, ToolServerTrouble } from '@copydesk/protocol'
import { Pencil, Power } from 'lucide-react'
import { type RefObject, useId, useState } from 'react'
import {
  deleteToolServer,
  patchToolServer,
  testToolServer,
  toolServersQuery,
} from '../../api/operators/tool-servers.ts'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/focus/use-opening.ts'
import { MenuItem } from '../../ui/menus/menu.tsx'
import { RowMenu } from '../../ui/menus/row-menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ToolList } from './tool-list.tsx'
import { ToolServerForm } from './tool-server-form.tsx'

const reasons: Readonly<Record<ToolServerTrouble, EnglishText>> = {
  inside: 'its address is not on the public internet; set ALLOW_PRIVATE_HOSTS to allow it',
  unreachable: 'it can’t be reached',
  slow: 'it did not answer in time',
  refused: 'it refuses the token',
  status: 'it answers with an error',
  protocol: 'it does not speak the protocol as it should',
  ended: 'it ended the connection',
  unset: 'its command is not in the configuration any more',
  sealed: 'its token was stored with another secret; enter it again',
}

type ToolServerRowProps = {
  server: ToolServer
  /** Gets the focus when the server is removed from the list. */
  rest: RefObject<HTMLElement | null>
}

const changes = toolServersQuery.queryKey

/** A tool server: its address or command, its state, its tools, and actions on it. */
export function ToolServerRow({ server, rest }: ToolServerRowProps) {
  const { name, kind, enabled } = server
  const uid = useId()
  const [menu, editing] = useOpening()
  const [isOpen, setOpen] = useState(false)
  const test = useAction(() => testToolServer(name), { changes, onDone: () => setOpen(true) })
  const turn = useAction(() => patchToolServer(name, { enabled: !enabled }), { changes })
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex items-start gap-3">
        <Description nameId={`${uid}-name`} server={server} isTesting={test.isPending} />
        <RowMenu
          name={name}
          button={menu}
          removal={
            kind === 'http' && {
              title: t('Delete this tool server?'),
              text: t('Agents lose the tools of {name}, and its token is deleted.', { name }),
              remove: () => deleteToolServer(name),
              rest,
              changes,
            }
          }
        >
          {kind === 'http' && <MenuItem icon={Pencil} onSelect={editing.open} text={t('Edit')} />}
          <MenuItem icon={Power} onSelect={() => turn.mutate()} text={t(enabled ? 'Switch off' : 'Switch on')} />
        </RowMenu>
      </div>
      {editing.isOpen ? (
        <ToolServerForm server={server} onClose={editing.close} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button size="small" aria-describedby={`${uid}-name`} disabled={test.isPending} onClick={() => test.mutate()}>
            {t('Test')}
          </Button>
          <Button
            size="small"
            aria-describedby={`${uid}-name`}
            aria-expanded={isOpen}
            aria-controls={`${uid}-tools`}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'Hide tools' : 'Show tools')}
          </Button>
        </div>
      )}
      <div id={`${uid}-tools`} className="empty:hidden">
        {isOpen && <ToolList server={server} />}
      </div>
    </li>
  )
}

type DescriptionProps = { nameId: string; server: ToolServer; isTesting: boolean }

function Description({ nameId, server, isTesting }: DescriptionProps) {
  const { name, url, command, tools, enabled, state, detail } = server
  const changed = tools.filter((tool) => tool.changed).length
  return (
    <div className="min-w-0 flex-1">
      <p id={nameId} className="font-medium">
        {name}
      </p>
      <p dir="ltr" className="font-mono text-sm break-all">
        {url ?? command}
      </p>
      <p role="status" className={`text-sm ${state === 'down' ? 'text-danger' : 'text-ink-faint'}`}>
        {isTesting || state === 'connecting'
          ? t('Connecting…')
          : [
              ...(enabled ? [] : [t('Switched off')]),
              describeState(server),
              t('{count, plural, one {# tool} other {# tools}}', { count: tools.length }),
            ].join(' · ')}
      </p>
      {detail !== null && (
        <p dir="ltr" className="font-mono text-xs break-words whitespace-pre-line text-ink-faint">
          {detail}
        </p>
      )}
      {changed > 0 && (
        <p className="text-sm text-danger">
          {t('{count, plural, one {# tool has} other {# tools have}} changed and waits for you.', { count: changed })}
        </p>
      )}
    </div>
  )
}

function describeState({ state, since, reason }: ToolServer): string {
  const time = since === null ? '' : formatDate(since, dateAndTime)
  if (state === 'untried' || state === 'connecting') return t('Not tried yet')
  if (state === 'working') return t('Working since {time}', { time })
  return t('Down since {time}: {reason}', { time, reason: t(reasons[reason ?? 'unreachable']) })
}
