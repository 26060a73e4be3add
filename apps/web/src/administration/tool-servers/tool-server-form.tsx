import { CreateToolServer, PatchToolServer, type ToolServer } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { describeError } from '../../api/client.ts'
import { createToolServer, patchToolServer } from '../../api/operators/tool-servers.ts'
import { t } from '../../i18n/translate.ts'
import { FormProblem } from '../../sign-in/enter-card.tsx'
import { parse } from '../../sign-in/use-entering.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/fields/field.tsx'

type ToolServerFormProps = {
  /** The tool server to change; a new one by default. */
  server?: ToolServer
  onSaved: (saved: ToolServer) => void
  onCancel: () => void
}

type Given = { name: string; url: string; token: string; header: string }

/** The name, address and token of a tool server. The token is never shown again. */
export function ToolServerForm({ server, onSaved, onCancel }: ToolServerFormProps) {
  const [given, setGiven] = useState({ name: '', url: server?.url ?? '', token: '', header: server?.header ?? '' })
  const saving = useMutation({ mutationFn: () => save(given, server), onSuccess: onSaved })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  const field = (name: keyof Given): Pick<ComponentProps<typeof Field>, 'value' | 'onChange' | 'autoComplete'> => ({
    value: given[name],
    onChange: (event) => setGiven({ ...given, [name]: event.target.value }),
    autoComplete: 'off',
  })
  return (
    <form
      onSubmit={onSubmit}
      noValidate
      aria-label={t(server ? 'Edit tool server' : 'New tool server')}
      className="grid grid-cols-1 gap-4 rounded-lg bg-sunken p-4 sm:grid-cols-2"
    >
      {!server && (
        <Field
          {...field('name')}
          label={t('Short name, such as wiki')}
          autoFocus
          autoCapitalize="none"
          maxLength={20}
        />
      )}
      <Field
        {...field('url')}
        label={t('Address')}
        type="url"
        dir="ltr"
        placeholder="https://"
        autoFocus={server !== undefined}
        maxLength={2000}
      />
      <Field
        {...field('token')}
        label={t(server?.hasToken === true ? 'New token (empty: as before)' : 'Token (optional)')}
        type="password"
        dir="ltr"
        maxLength={4000}
      />
      <Field {...field('header')} label={t('Header of the token, if not Authorization')} dir="ltr" maxLength={60} />
      <div className="flex flex-col items-start gap-3 sm:col-span-2">
        <FormProblem text={saving.error ? describeError(saving.error) : undefined} />
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {t(server ? 'Save' : 'Add tool server')}
          </Button>
          <Button onClick={onCancel}>{t('Cancel')}</Button>
        </div>
      </div>
    </form>
  )
}

async function save({ name, url, token, header }: Given, server: ToolServer | undefined): Promise<ToolServer> {
  const body = {
    url: url.trim(),
    header: header.trim() || 'authorization',
    ...(token.trim() === '' ? {} : { token }),
  }
  return server
    ? patchToolServer(server.name, parse(PatchToolServer, body))
    : createToolServer(parse(CreateToolServer, { name: name.trim(), ...body }))
}
