import { type ApiKey, CreateKey, type KeyScope } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createKey, keysQuery, revokeKey } from '../api/caller/account.ts'
import { parse } from '../api/client.ts'
import { relativeTime } from '../common/relative-time.ts'
import { formatDate } from '../i18n/format.ts'
import { type EnglishText, t, tEach } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Form } from '../ui/fields/form.tsx'
import { SelectField } from '../ui/fields/select.tsx'
import { useOpening } from '../ui/focus/use-opening.ts'
import { Loaded, Rows } from '../ui/loaded.tsx'
import { showToast } from '../ui/toasts/toasts.tsx'
import { useAction, useSaving } from '../ui/use-action.ts'
import { Section } from './settings/page-frame.tsx'
import { OneTimeSecret } from './settings/one-time-secret.tsx'

const scopes: Record<KeyScope, EnglishText> = {
  read: 'Read',
  comment: 'Read, comment and suggest',
  write: 'Read and write',
}
const lifetimes = {
  '30': '30 days',
  '90': '90 days',
  '365': 'One year',
  never: 'Until revoked',
} as const satisfies Record<string, EnglishText>

/** API keys, with which programs act as the user. */
export function KeysSection() {
  const [opener, making] = useOpening()
  const [made, setMade] = useState<string>()
  const close = () => {
    making.close()
    setMade(undefined)
  }
  return (
    <Section
      title={t('Keys for programs')}
      text={t(
        'A key acts in your name, never with more rights than you have. An assistant that connects with it appears under its name.',
      )}
      tool={
        !making.isOpen && (
          <Button ref={opener} look="primary" onClick={making.open}>
            {t('New API key')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {made !== undefined && (
          <OneTimeSecret
            label={t('Key')}
            value={made}
            text={t('Copy the key now. It is not shown again.')}
            onDone={close}
          >
            <ConnectAssistant apiKey={made} />
          </OneTimeSecret>
        )}
        {making.isOpen && made === undefined && <KeyForm onCancel={close} onMade={setMade} />}
        <Loaded query={useQuery(keysQuery)}>{(keys) => <KeyList keys={keys} isMaking={making.isOpen} />}</Loaded>
      </div>
    </Section>
  )
}

/** Instructions for connecting an assistant with a new key; see docs/mcp.md. */
function ConnectAssistant({ apiKey }: { apiKey: string }) {
  const address = `${location.origin}/mcp`
  const header = `authorization: Bearer ${apiKey}`
  const line = `claude mcp add --transport http copydesk ${address} --header "${header}"`
  const codeClass = 'rounded bg-sunken px-1.5 py-0.5 font-mono text-xs break-all select-all'
  return (
    <details className="text-sm">
      <summary className="cursor-pointer py-2.5 font-medium">{t('Connect an assistant')}</summary>
      <dl className="grid gap-2">
        <dt>{t('Claude Code, in a terminal:')}</dt>
        <dd dir="ltr">
          <code className={codeClass}>{line}</code>
        </dd>
        <dt>{t('Cursor, VS Code and others (MCP over HTTP), the address and the header:')}</dt>
        <dd dir="ltr" className="flex flex-col items-start gap-1">
          <code className={codeClass}>{address}</code>
          <code className={codeClass}>{header}</code>
        </dd>
      </dl>
    </details>
  )
}

function KeyList({ keys, isMaking }: { keys: ApiKey[]; isMaking: boolean }) {
  const revoke = useAction(revokeKey, { changes: keysQuery.queryKey, onDone: () => showToast(t('Key revoked.')) })
  return (
    <Rows label={t('Keys')} rows={keys} empty={isMaking ? undefined : t('There are no keys yet.')}>
      {(key) => (
        <li key={key.id} className="flex min-h-14 items-center gap-3 py-2">
          <div className="min-w-0 flex-1">
            <p dir="auto" className="truncate font-medium">
              {key.name}
            </p>
            <p className="text-sm text-ink-faint">{describeKey(key)}</p>
          </div>
          <Button
            size="small"
            look="danger"
            aria-label={t('Revoke {name}', { name: key.name })}
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(key.id)}
          >
            {t('Revoke')}
          </Button>
        </li>
      )}
    </Rows>
  )
}

function describeKey({ scope, start, expiresAt, lastUsedAt }: ApiKey): string {
  const used = lastUsedAt === null ? t('never used') : t('used {time}', { time: relativeTime(lastUsedAt, new Date()) })
  const until = expiresAt === null ? [] : [t('until {date}', { date: formatDate(expiresAt, { dateStyle: 'medium' }) })]
  return [`${start}…`, t(scopes[scope]), used, ...until].join(' · ')
}

function KeyForm({ onMade, onCancel }: { onMade: (key: string) => void; onCancel: () => void }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<KeyScope>('read')
  const [lifetime, setLifetime] = useState<keyof typeof lifetimes>('90')
  const make = useSaving(
    async () =>
      createKey(parse(CreateKey, { name, scope, ...(lifetime === 'never' ? {} : { days: Number(lifetime) }) })),
    { changes: keysQuery.queryKey, onDone: ({ key }) => onMade(key) },
  )
  return (
    <Form frame="narrowPanel" label={t('New API key')} save={t('Make key')} saving={make} onCancel={onCancel}>
      <Field
        label={t('Name')}
        placeholder={t('What it is for')}
        autoFocus
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField label={t('It may')} value={scope} options={tEach(scopes)} onChange={setScope} />
      <SelectField label={t('Valid for')} value={lifetime} options={tEach(lifetimes)} onChange={setLifetime} />
    </Form>
  )
}
