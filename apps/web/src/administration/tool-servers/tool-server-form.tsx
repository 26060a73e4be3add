import { CreateToolServer, PatchToolServer, type ToolServer } from '@copydesk/protocol'
import { parse } from '../../api/client.ts'
import { createToolServer, patchToolServer, toolServersQuery } from '../../api/operators/tool-servers.ts'
import { t } from '../../i18n/translate.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Form, useFields } from '../../ui/fields/form.tsx'
import { useSaving } from '../../ui/use-action.ts'

type ToolServerFormProps = {
  /** The tool server to change; a new one by default. */
  server?: ToolServer
  onClose: () => void
}

type Given = { name: string; url: string; token: string; header: string }

/** The name, address and token of a tool server. The token is never shown again. */
export function ToolServerForm({ server, onClose }: ToolServerFormProps) {
  const given: Given = { name: '', url: server?.url ?? '', token: '', header: server?.header ?? '' }
  const { values, field } = useFields(given)
  const saving = useSaving(() => save(values, server), { changes: toolServersQuery.queryKey, onDone: onClose })
  const technical = { dir: 'ltr', autoComplete: 'off' } as const
  return (
    <Form
      frame="panel"
      label={t(server ? 'Edit tool server' : 'New tool server')}
      save={t(server ? 'Save' : 'Add tool server')}
      saving={saving}
      onCancel={onClose}
    >
      {!server && (
        <Field
          {...field('name')}
          label={t('Short name, such as wiki')}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          maxLength={20}
        />
      )}
      <Field
        {...field('url')}
        {...technical}
        label={t('Address')}
        type="url"
        placeholder="https://"
        autoFocus={server !== undefined}
        maxLength={2000}
      />
      <Field
        {...field('token')}
        {...technical}
        label={t(server?.hasToken === true ? 'New token (empty: as before)' : 'Token (optional)')}
        type="password"
        maxLength={4000}
      />
      <Field
        {...field('header')}
        {...technical}
        label={t('Header of the token, if not Authorization')}
        maxLength={60}
      />
    </Form>
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
