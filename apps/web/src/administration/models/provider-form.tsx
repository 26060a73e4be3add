import { CreateProvider, PatchProvider, type Provider, type ProviderList } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { parse } from '../../api/client.ts'
import { createProvider, patchProvider } from '../../api/operators/models.ts'
import { t } from '../../i18n/translate.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Form, useFields } from '../../ui/fields/form.tsx'
import { SelectField } from '../../ui/fields/select.tsx'

/** The kind of a server that speaks the protocol of another service. */
const compatible = 'compatible'

const technical = { dir: 'ltr', autoComplete: 'off' } as const

type ProviderFormProps = {
  list: ProviderList
  /** The provider to change; a new one by default. */
  provider?: Provider
  onSaved: () => void
  onCancel: () => void
}

/** The service, name, address and key of a provider. A stored key is not shown; an empty field keeps it. */
export function ProviderForm({ list: { providers, services }, provider, onSaved, onCancel }: ProviderFormProps) {
  const [kind, setKind] = useState(provider?.service ?? services[0]?.id ?? compatible)
  const { values, field } = useFields({ name: provider?.name ?? '', address: provider?.baseUrl ?? '', key: '' })
  const service = services.find(({ id, keyIsOptional }) => (kind === compatible ? keyIsOptional : id === kind))
  const [name, address, key] = [values.name.trim(), values.address.trim(), values.key.trim()]
  // A key can be replaced without changing the name.
  const isTaken = (wanted: string) =>
    wanted !== provider?.name && providers.some(({ id, name: other }) => id !== provider?.id && same(other, wanted))
  const proposedName = freeName(kind === compatible ? t('Local server') : (service?.name ?? ''), isTaken)
  const keyIsOptional = kind === compatible || (service?.keyIsOptional === true && address !== '')
  const saving = useMutation({
    mutationFn: () =>
      save(provider, service?.id, {
        name: name === '' ? proposedName : name,
        baseUrl: address === '' && kind !== compatible ? null : address,
        ...(key === '' ? {} : { apiKey: key }),
      }),
    onSuccess: onSaved,
  })
  return (
    <Form
      frame="panel"
      label={t(provider ? 'Edit provider' : 'New provider')}
      save={t(provider ? 'Save' : 'Add provider')}
      saving={saving}
      canSave={!isTaken(name)}
      onCancel={onCancel}
      note={provider && key === '' && losesKey(provider, address) && <LostKey />}
    >
      {!provider && <ServiceField services={services} value={kind} onChange={setKind} />}
      <Field
        label={t('Name')}
        dir="auto"
        autoFocus
        autoComplete="off"
        maxLength={80}
        placeholder={proposedName}
        problem={isTaken(name) ? t('Another provider has this name.') : undefined}
        {...field('name')}
      />
      <Field
        label={t(kind === compatible ? 'Address' : 'Other address (optional)')}
        type="url"
        maxLength={2000}
        {...technical}
        placeholder={kind === compatible ? 'http://127.0.0.1:11434/v1' : service?.baseUrl}
        {...field('address')}
      />
      <Field
        label={t(provider ? 'New key (empty: keep it)' : keyIsOptional ? 'Key (optional)' : 'Key')}
        type="password"
        maxLength={1000}
        {...technical}
        {...field('key')}
      />
    </Form>
  )
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The name, or the first of “name 2”, “name 3” and so on that is not taken. */
function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  for (let count = 2; isTaken(free); count++) free = `${name} ${count}`
  return free
}

type ServiceFieldProps = Pick<ProviderList, 'services'> & { value: string; onChange: (kind: string) => void }

function ServiceField({ services, ...field }: ServiceFieldProps) {
  const names = Object.fromEntries(services.map(({ id, name }) => [id, name]))
  const options = { ...names, [compatible]: t('Local or compatible server') }
  return <SelectField {...field} label={t('Service')} options={options} />
}

async function save(provider: Provider | undefined, service: string | undefined, given: object): Promise<Provider> {
  if (provider) return patchProvider(provider.id, parse(PatchProvider, given))
  return createProvider(parse(CreateProvider, { ...given, service }))
}

function LostKey() {
  return (
    <p role="status" className="text-sm text-danger">
      {t('The stored key was entered for another host and is deleted. Enter it again.')}
    </p>
  )
}

/** Whether a change of the address deletes the stored key: the key is sent only to the host that it was entered for. */
function losesKey({ key, baseUrl }: Provider, address: string): boolean {
  return key === 'stored' && originOf(baseUrl ?? '') !== originOf(address)
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : ''
}
