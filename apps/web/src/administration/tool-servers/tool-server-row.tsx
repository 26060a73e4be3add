import type { ToolServer, ToolServerTrouble } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Power, Trash2 } from 'lucide-react'
import { type RefObject, useId, useRef, useState } from 'react'
import { deleteToolServer, patchToolServer, testToolServer } from '../../api/operators/tool-servers.ts'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menus/menu.tsx'
import { showError } from '../../ui/toasts/toasts.tsx'
import { ToolList, toolServersKey } from './tool-list.tsx'
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
  opener: RefObject<HTMLElement | null>
}

/** A tool server: its address or command, its state, its tools, and what can be done with it. */
export function ToolServerRow({ server, opener }: ToolServerRowProps) {
  const { name } = server
  const uid = useId()
  const queryClient = useQueryClient()
  const menu = useRef<HTMLButtonElement>(null)
  const [isEditing, setEditing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: toolServersKey })
  const test = useMutation({
    mutationFn: () => testToolServer(name),
    onSuccess: () => {
      setOpen(true)
      return refresh()
    },
    onError: showError,
  })
  const closeForm = () => {
    setEditing(false)
    requestAnimationFrame(() => menu.current?.focus())
  }
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex items-start gap-3">
        <Description nameId={`${uid}-name`} server={server} isTesting={test.isPending} />
        <Actions {...{ server, opener, refresh }} button={menu} onEdit={() => setEditing(true)} />
      </div>
      {isEditing ? (
        <ToolServerForm
          server={server}
          onCancel={closeForm}
          onSaved={() => {
            closeForm()
            void refresh()
          }}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button aria-describedby={`${uid}-name`} disabled={test.isPending} onClick={() => test.mutate()}>
            {t('Test')}
          </Button>
          <Button
            aria-describedby={`${uid}-name`}
            aria-expanded={isOpen}
            aria-controls={`${uid}-tools`}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'Hide tools' : 'Show tools')}
          </Button>
        </div>
      )}
      <div id={`${uid}-tools`}>{isOpen && <ToolList server={server} />}</div>
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

type ActionsProps = ToolServerRowProps & {
  button: RefObject<HTMLButtonElement | null>
  refresh: () => Promise<void>
  onEdit: () => void
}

function Actions({ server, button, opener, refresh, onEdit }: ActionsProps) {
  const { name, kind, enabled } = server
  const [isAsking, setAsking] = useState(false)
  const turn = useMutation({
    mutationFn: () => patchToolServer(name, { enabled: !enabled }),
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
        {kind === 'http' && (
          <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
            {t('Edit')}
          </MenuItem>
        )}
        <MenuItem icon={<Power size={16} />} onSelect={() => turn.mutate()}>
          {t(enabled ? 'Switch off' : 'Switch on')}
        </MenuItem>
        {kind === 'http' && (
          <MenuItem icon={<Trash2 size={16} />} danger onSelect={() => setAsking(true)}>
            {t('Delete')}
          </MenuItem>
        )}
      </Menu>
      {isAsking && <DeleteQuestion {...{ name, button, opener, refresh }} onClose={() => setAsking(false)} />}
    </>
  )
}

type DeleteQuestionProps = Pick<ActionsProps, 'button' | 'opener' | 'refresh'> & { name: string; onClose: () => void }

function DeleteQuestion({ name, button, opener, refresh, onClose }: DeleteQuestionProps) {
  const [isDone, setDone] = useState(false)
  const removing = useMutation({
    mutationFn: () => deleteToolServer(name),
    onSuccess: () => {
      // Before the list loses the row, and the dialog with it.
      setDone(true)
      return refresh()
    },
    onError: showError,
  })
  return (
    <Dialog
      title={t('Delete this tool server?')}
      open={!isDone}
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={(isDone ? opener : button).current}
    >
      <p className="text-sm break-words">{t('Agents lose the tools of {name}, and its token is deleted.', { name })}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="danger" disabled={removing.isPending} onClick={() => removing.mutate()}>
          {t('Delete')}
        </Button>
      </div>
    </Dialog>
  )
}
