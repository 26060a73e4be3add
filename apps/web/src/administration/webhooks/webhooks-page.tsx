import type { Webhook } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, KeyRound, Pencil, Power, Trash2 } from 'lucide-react'
import { type RefObject, useId, useRef, useState } from 'react'
import { ListState, PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { ShownOnce } from '../../account/settings/shown-once.tsx'
import { describeError } from '../../api/client.ts'
import {
  createWebhook,
  deleteWebhook,
  fetchWebhooks,
  patchWebhook,
  replaceSecret,
  testWebhook,
} from '../../api/operators/webhooks.ts'
import { dateAndTime, formatDate, formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menus/menu.tsx'
import { showError } from '../../ui/toasts/toasts.tsx'
import { eventNames, WebhookForm } from './webhook-form.tsx'
import { deliveriesKey, WebhookLog, webhooksKey } from './webhook-log.tsx'

/** For operators: the addresses that are called when something happens, and the log of deliveries. */
export function WebhooksPage() {
  const queryClient = useQueryClient()
  const opener = useRef<HTMLButtonElement>(null)
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { data, error } = useQuery({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => fetchWebhooks(signal),
    refetchInterval: 10_000,
  })
  const close = () => {
    setMaking(false)
    setSecret(undefined)
  }
  useFocusAfter(isMaking || secret !== undefined, opener)
  return (
    <PageFrame title={t('Webhooks')}>
      <Section
        title={t('Calls to other programs')}
        text={t('This server calls these addresses when something happens in any document. A call holds ids, no text.')}
      >
        <div className="flex flex-col gap-4">
          {secret !== undefined && (
            <ShownOnce
              label={t('Secret')}
              value={secret}
              text={t('The receiver checks the signature of each call with this secret. It is not shown again.')}
              onDone={close}
            />
          )}
          {data ? (
            <List webhooks={data} opener={opener} onSecret={setSecret} />
          ) : (
            <ListState error={error ? describeError(error) : undefined} />
          )}
          {isMaking ? (
            <WebhookForm
              save={createWebhook}
              onCancel={close}
              onSaved={(made) => {
                setMaking(false)
                setSecret(made.secret)
                void queryClient.invalidateQueries({ queryKey: webhooksKey })
              }}
            />
          ) : (
            <Button ref={opener} look="primary" className="self-start" onClick={() => setMaking(true)}>
              {t('New webhook')}
            </Button>
          )}
        </div>
      </Section>
    </PageFrame>
  )
}

type ListProps = { webhooks: Webhook[]; opener: RefObject<HTMLElement | null>; onSecret: (secret: string) => void }

function List({ webhooks, opener, onSecret }: ListProps) {
  if (webhooks.length === 0) return <p className="text-sm text-ink-faint">{t('There are no webhooks.')}</p>
  return (
    <ul aria-label={t('Webhooks')} className="-my-2 divide-y divide-line">
      {webhooks.map((webhook) => (
        <Row key={webhook.id} webhook={webhook} opener={opener} onSecret={onSecret} />
      ))}
    </ul>
  )
}

type RowProps = Omit<ListProps, 'webhooks'> & { webhook: Webhook }

function Row({ webhook, ...rest }: RowProps) {
  const { id } = webhook
  const uid = useId()
  const queryClient = useQueryClient()
  const menu = useRef<HTMLButtonElement>(null)
  const [isEditing, setEditing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const test = useMutation({
    mutationFn: () => testWebhook(id),
    onSuccess: () => {
      setOpen(true)
      return queryClient.invalidateQueries({ queryKey: deliveriesKey(id) })
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
        <Description urlId={`${uid}-url`} webhook={webhook} />
        <Actions webhook={webhook} button={menu} onEdit={() => setEditing(true)} {...rest} />
      </div>
      {isEditing ? (
        <WebhookForm
          webhook={webhook}
          save={(given) => patchWebhook(id, given)}
          onCancel={closeForm}
          onSaved={() => {
            closeForm()
            void queryClient.invalidateQueries({ queryKey: webhooksKey })
          }}
        />
      ) : (
        <RowButtons uid={uid} isOpen={isOpen} onTest={() => test.mutate()} onToggle={() => setOpen(!isOpen)} />
      )}
      <div id={`${uid}-log`}>{isOpen && <WebhookLog webhook={webhook} />}</div>
    </li>
  )
}

type RowButtonsProps = { uid: string; isOpen: boolean; onTest: () => void; onToggle: () => void }

function RowButtons({ uid, isOpen, onTest, onToggle }: RowButtonsProps) {
  const shared = { size: 'small', className: 'pointer-coarse:h-10', 'aria-describedby': `${uid}-url` } as const
  return (
    <div className="flex flex-wrap gap-2">
      <Button {...shared} onClick={onTest}>
        {t('Send a test event')}
      </Button>
      <Button {...shared} aria-expanded={isOpen} aria-controls={`${uid}-log`} onClick={onToggle}>
        {t(isOpen ? 'Hide deliveries' : 'Show deliveries')}
      </Button>
    </div>
  )
}

function Description({ urlId, webhook }: { urlId: string; webhook: Webhook }) {
  const { url, description, events, active } = webhook
  const problem = problemOf(webhook)
  return (
    <div className="min-w-0 flex-1">
      {description !== '' && (
        <p dir="auto" className="font-medium wrap-anywhere">
          {description}
        </p>
      )}
      <p id={urlId} dir="ltr" className="font-mono text-sm break-all">
        {url}
      </p>
      <p className="text-sm text-ink-faint">
        <span aria-hidden className={`me-1.5 inline-block size-2 rounded-full ${lampOf(webhook)}`} />
        {[t(active ? 'Switched on' : 'Switched off'), formatList(events.map((event) => t(eventNames[event])))].join(
          ' · ',
        )}
      </p>
      {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
    </div>
  )
}

function lampOf({ active, stopped, failingSince, dropped }: Webhook): string {
  if (stopped !== null || failingSince !== null || dropped > 0) return 'bg-danger'
  return active ? 'bg-accent' : 'bg-line-strong'
}

function problemOf({ stopped, failingSince, dropped, waiting }: Webhook): string | undefined {
  const since = failingSince === null ? '' : formatDate(failingSince, dateAndTime)
  if (stopped === 'gone') return t('The receiver answered 410: it wants no more calls.')
  if (stopped === 'failing') return t('No call has succeeded since {time}, so it was switched off.', { time: since })
  if (dropped > 0) {
    return t('Too many calls wait: {count, plural, one {# event was} other {# events were}} dropped.', {
      count: dropped,
    })
  }
  if (failingSince === null) return undefined
  return t('No call has succeeded since {time}; {count, plural, one {# waits} other {# wait}}.', {
    time: since,
    count: waiting,
  })
}

type ActionsProps = RowProps & { button: RefObject<HTMLButtonElement | null>; onEdit: () => void }

function Actions({ webhook, button, opener, onEdit, onSecret }: ActionsProps) {
  const { id, url, active } = webhook
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey })
  const turn = useMutation({
    mutationFn: () => patchWebhook(id, { active: !active }),
    onSuccess: refresh,
    onError: showError,
  })
  const renew = useMutation({ mutationFn: () => replaceSecret(id), onSuccess: onSecret, onError: showError })
  return (
    <>
      <Menu
        trigger={
          <button
            ref={button}
            type="button"
            aria-label={t('Actions for {name}', { name: url })}
            className={iconButtonClass}
          >
            <Ellipsis size={18} aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
          {t('Edit')}
        </MenuItem>
        <MenuItem icon={<Power size={16} />} onSelect={() => turn.mutate()}>
          {t(active ? 'Switch off' : 'Switch on')}
        </MenuItem>
        <MenuItem icon={<KeyRound size={16} />} onSelect={() => renew.mutate()}>
          {t('New secret')}
        </MenuItem>
        <MenuItem icon={<Trash2 size={16} />} danger onSelect={() => setAsking(true)}>
          {t('Delete')}
        </MenuItem>
      </Menu>
      {isAsking && (
        <DeleteQuestion
          url={url}
          remove={() => deleteWebhook(id)}
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
  url: string
  remove: () => Promise<void>
  opener: RefObject<HTMLElement | null>
  /** Gets the focus when the webhook, and with it the opener, is removed from the list. */
  rest: RefObject<HTMLElement | null>
  onClose: () => void
  onRemoved: () => Promise<void>
}

function DeleteQuestion({ url, remove, opener, rest, onClose, onRemoved }: DeleteQuestionProps) {
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
      title={t('Delete this webhook?')}
      open={!isDone}
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={(isDone ? rest : opener).current}
    >
      <p className="text-sm break-all">{t('{url} gets no more calls, and the log is deleted.', { url })}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="danger" disabled={removing.isPending} onClick={() => removing.mutate()}>
          {t('Delete')}
        </Button>
      </div>
    </Dialog>
  )
}
