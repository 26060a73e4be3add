import { CreateToolServer, PatchToolServer, type ToolServer } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { describeError } from '../api/client.ts'
import { createToolServer, patchToolServer } from '../api/tool-servers.ts'
import { t } from '../i18n/translate.ts'
import { FormProblem } from '../sign-in/enter-card.tsx'
import { parse } from '../sign-in/use-entering.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields/field.tsx'

type ToolServerFormProps = {
  /** The tool server to change; a new one by default. */
  server?: ToolServer
  onSaved: (saved: ToolServer) => void
  onCancel: () => void
}

/** The name, address and token of a tool server. The token is never shown again. */
export function ToolServerForm({ server, onSaved, onCancel }: ToolServerFormProps) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState(server?.url ?? '')
  const [token, setToken] = useState('')
  const [header, setHeader] = useState(server?.header ?? '')
  const saving = useMutation({
    mutationFn: async () => {
      const given = {
        url: url.trim(),
        ...(token.trim() === '' ? {} : { token }),
        ...(header.trim() === '' ? (server ? { header: 'Authorization' } : {}) : { header: header.trim() }),
      }
      return server
        ? patchToolServer(server.name, parse(PatchToolServer, given))
        : createToolServer(parse(CreateToolServer, { name: name.trim(), ...given }))
    },
    onSuccess: onSaved,
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form
      onSubmit={onSubmit}
      noValidate
      aria-label={t(server ? 'Edit tool server' : 'New tool server')}
      className="grid gap-4 rounded-lg bg-sunken p-4 sm:grid-cols-2"
    >
      {!server && (
        <Field
          label={t('Short name, such as wiki')}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          maxLength={20}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <Field
        label={t('Address')}
        type="url"
        dir="ltr"
        placeholder="https://"
        autoFocus={server !== undefined}
        autoComplete="off"
        maxLength={2000}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Field
        label={t(server?.hasToken === true ? 'New token (empty: as before)' : 'Token (optional)')}
        type="password"
        dir="ltr"
        autoComplete="off"
        maxLength={4000}
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <Field
        label={t('Header of the token')}
        dir="ltr"
        placeholder="Authorization: Bearer"
        autoComplete="off"
        maxLength={60}
        value={header}
        onChange={(event) => setHeader(event.target.value)}
      />
      <div className="flex flex-col items-start gap-3 sm:col-span-2">
        <FormProblem text={saving.error ? describeError(saving.error) : undefined} />
        <div className="flex gap-2">
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {t(server ? 'Save' : 'Add tool server')}
          </Button>
          <Button onClick={onCancel}>{t('Cancel')}</Button>
        </div>
      </div>
    </form>
  )
}
