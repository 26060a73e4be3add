import { type AgentList, type AgentMode, CreateAgent, type NamedAgent } from '@copydesk/protocol'
import { useState } from 'react'
import { parse } from '../../api/client.ts'
import { useFolders } from '../../api/folders.ts'
import { agentsQuery } from '../../api/operators/agents.ts'
import { t } from '../../i18n/translate.ts'
import { CheckField, Field, inputClass, TextArea } from '../../ui/fields/field.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { TriggerFields } from './trigger-fields.tsx'
import { useSaving } from '../../ui/use-action.ts'

type AgentFormProps = {
  /** The agent to change; a new one by default. */
  agent?: NamedAgent
  /** The models and tools that can be assigned to it. */
  list: Pick<AgentList, 'models' | 'tools'>
  save: (given: CreateAgent) => Promise<NamedAgent>
  onClose: () => void
}

type Values = Omit<Required<CreateAgent>, 'enabled'>

const empty: Values = {
  handle: '',
  name: '',
  description: '',
  color: '#2d6f7f',
  picture: null,
  instructions: '',
  model: null,
  tools: null,
  mode: null,
  dailyTokens: null,
  maxRounds: null,
  folders: null,
  triggers: [],
}

/** The look, the instructions and the limits of an agent. */
export function AgentForm({ agent, list, save, onClose }: AgentFormProps) {
  const [values, setValues] = useState<Values>(() => (agent ? valuesOf(agent) : empty))
  const set = (changed: Partial<Values>) => setValues({ ...values, ...changed })
  const saving = useSaving(async () => save(parse(CreateAgent, values)), {
    changes: agentsQuery.queryKey,
    onDone: onClose,
  })
  return (
    <Form
      frame="panel"
      label={t(agent ? 'Edit agent' : 'New agent')}
      save={t(agent ? 'Save' : 'Add agent')}
      saving={saving}
      onCancel={onClose}
    >
      <AppearanceFields values={values} set={set} />
      <TextArea
        label={t('Instructions')}
        text={t('What it is for, and how it works. It gets them with every request.')}
        rows={6}
        maxLength={8000}
        value={values.instructions}
        onChange={({ target }) => set({ instructions: target.value })}
      />
      <Limits values={values} set={set} list={list} />
      <TriggerFields triggers={values.triggers} onChange={(triggers) => set({ triggers })} />
    </Form>
  )
}

function valuesOf(agent: NamedAgent): Values {
  const names = Object.keys(empty) as (keyof Values)[]
  return { ...empty, ...Object.fromEntries(names.map((name) => [name, agent[name]])) }
}

type PartProps = { values: Values; set: (changed: Partial<Values>) => void }

function AppearanceFields({ values, set }: PartProps) {
  return (
    <>
      <Field
        label={t('Name')}
        dir="auto"
        autoFocus
        autoComplete="off"
        maxLength={80}
        value={values.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Field
        label={t('Handle, after the @')}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        placeholder={t('editor|handle')}
        maxLength={30}
        value={values.handle}
        onChange={({ target }) => set({ handle: target.value })}
      />
      <Field
        label={t('Picture (one emoji, optional)')}
        autoComplete="off"
        maxLength={16}
        value={values.picture ?? ''}
        onChange={({ target }) => set({ picture: target.value === '' ? null : target.value })}
      />
      <Field
        label={t('Colour')}
        type="color"
        className={`${inputClass} max-w-20 px-1`}
        value={values.color}
        onChange={({ target }) => set({ color: target.value })}
      />
      <div className="sm:col-span-2">
        <Field
          label={t('Description (optional)')}
          dir="auto"
          maxLength={200}
          value={values.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </div>
    </>
  )
}

function Limits({ values, set, list: { models, tools } }: PartProps & Pick<AgentFormProps, 'list'>) {
  const { data: folders = [] } = useFolders()
  return (
    <>
      <SelectField
        label={t('Model')}
        value={values.model ?? ''}
        options={{
          '': t('The default model'),
          ...Object.fromEntries(models.map(({ ref, label }) => [ref, ref === 'builtin' ? t('Built-in agent') : label])),
        }}
        onChange={(model) => set({ model: model === '' ? null : model })}
      />
      <SelectField<AgentMode | ''>
        label={t('How it changes the text')}
        value={values.mode ?? ''}
        options={{
          '': t('As the document says'),
          ask: t('At most after approval'),
          suggest: t('Only as suggestions'),
          edit: t('At once, if the document allows it'),
        }}
        onChange={(mode) => set({ mode: mode === '' ? null : mode })}
      />
      <NumberField
        label={t('Rounds of a run at most')}
        value={values.maxRounds}
        onChange={(maxRounds) => set({ maxRounds })}
      />
      <NumberField
        label={t('Tokens a day at most')}
        value={values.dailyTokens}
        onChange={(dailyTokens) => set({ dailyTokens })}
      />
      <Selection
        label={t('Folders')}
        all={t('Works everywhere')}
        options={folders.map(({ id, name }) => ({ id, name }))}
        chosen={values.folders}
        onChange={(chosen) => set({ folders: chosen })}
      />
      <Selection
        label={t('Tools')}
        all={t('All tools')}
        options={tools.map((name) => ({ id: name, name: name.replaceAll('_', ' ') }))}
        chosen={values.tools}
        onChange={(chosen) => set({ tools: chosen })}
      />
    </>
  )
}

type NumberFieldProps = { label: string; value: number | null; onChange: (value: number | null) => void }

function NumberField({ label, value, onChange }: NumberFieldProps) {
  return (
    <Field
      label={label}
      type="number"
      min={1}
      placeholder={t('No limit of its own')}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    />
  )
}

type SelectionProps = {
  label: string
  /** The label of the choice of all options, including future ones. */
  all: string
  options: readonly { id: string; name: string }[]
  /** Null for all. */
  chosen: readonly string[] | null
  onChange: (chosen: string[] | null) => void
}

/** Selects all or some of many options. */
function Selection({ label, all, options, chosen, onChange }: SelectionProps) {
  return (
    <fieldset className="col-span-full">
      <legend className="text-sm font-medium">{label}</legend>
      <CheckField checked={chosen === null} onChange={(on) => onChange(on ? null : [])}>
        {all}
      </CheckField>
      {chosen !== null && (
        <div className="mt-1 grid max-h-60 overflow-auto rounded-md border border-line px-3 py-1 sm:grid-cols-2">
          {options.map(({ id, name }) => (
            <CheckField
              key={id}
              checked={chosen.includes(id)}
              onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((each) => each !== id))}
            >
              <bdi className="min-w-0 break-words">{name}</bdi>
            </CheckField>
          ))}
        </div>
      )}
    </fieldset>
  )
}
