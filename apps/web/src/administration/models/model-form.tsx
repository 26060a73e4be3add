import { type Provider, type ProviderModel, PutModel } from '@copydesk/protocol'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useId } from 'react'
import { fetchOfferedModels, putModel } from '../../api/operators/models.ts'
import { parse } from '../../api/client.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Form, useFields } from '../../ui/fields/form.tsx'
import { problemInWords } from './model-texts.ts'

type ModelFormProps = {
  provider: Provider
  /** The model to change; a new one by default. */
  model?: ProviderModel
  /** The largest request to a model without its own limit. */
  defaultContextTokens: number
  onClose: () => void
  onChanged: () => void
}

const number = { inputMode: 'decimal', dir: 'ltr', autoComplete: 'off' } as const

/** The name, prices and settings of a model. Models of the environment have only prices and a window. */
export function ModelForm({ provider, model, defaultContextTokens, onClose, onChanged }: ModelFormProps) {
  const { values, field } = useFields({
    model: model?.model ?? '',
    inputPrice: toText(model?.inputPrice),
    outputPrice: toText(model?.outputPrice),
    temperature: toText(model?.temperature),
    maxOutputTokens: toText(model?.maxOutputTokens),
    contextTokens: toText(model?.contextTokens),
  })
  const saving = useMutation({
    mutationFn: async () => {
      const { model: name, ...numbers } = values
      const given = Object.fromEntries(Object.entries(numbers).map(([key, text]) => [key, toNumber(text)]))
      await putModel(provider.id, parse(PutModel, { model: name, ...given }))
    },
    onSuccess: () => {
      onClose()
      onChanged()
    },
  })
  return (
    <Form
      frame="panel"
      label={model ? t('Edit {name}', { name: model.model }) : t('New model')}
      save={t(model ? 'Save' : 'Add model')}
      saving={saving}
      onCancel={onClose}
    >
      {!model && <NameField provider={provider.id} {...field('model')} />}
      <Field
        label={t('Price of a million tokens in')}
        {...number}
        autoFocus={model !== undefined}
        {...field('inputPrice')}
      />
      <Field label={t('Price of a million tokens out')} {...number} {...field('outputPrice')} />
      <Field
        label={t('Window: largest request, in tokens')}
        {...number}
        placeholder={formatNumber(defaultContextTokens)}
        {...field('contextTokens')}
      />
      {provider.source === 'operator' && (
        <>
          <Field label={t('Temperature (optional)')} {...number} {...field('temperature')} />
          <Field label={t('Most tokens of an answer (optional)')} {...number} {...field('maxOutputTokens')} />
        </>
      )}
    </Form>
  )
}

type NameFieldProps = Pick<ComponentProps<'input'>, 'value' | 'onChange'> & { provider: string }

/** The name of a model, with those that the provider lists as proposals. */
function NameField({ provider, ...field }: NameFieldProps) {
  const list = useId()
  const { data } = useQuery({
    queryKey: ['offered-models', provider],
    queryFn: ({ signal }) => fetchOfferedModels(provider, signal),
  })
  return (
    <div className="flex flex-col gap-1.5 sm:col-span-2">
      <Field label={t('Model')} dir="ltr" autoFocus autoComplete="off" maxLength={160} list={list} {...field} />
      <datalist id={list}>
        {data?.models.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <p role="status" className="text-sm text-ink-faint">
        {data?.problem && `${t('The models are not known.')} ${problemInWords(data.problem)}`}
        {data?.problem === null &&
          t(
            '{count, plural, =0 {The provider lists no models.} one {# model is offered.} other {# models are offered.}}',
            { count: data.models.length },
          )}
      </p>
    </div>
  )
}

function toText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}

/** The number in a text, with a decimal point or comma; null for an empty text. */
function toNumber(text: string): number | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : Number(trimmed.replace(',', '.'))
}
