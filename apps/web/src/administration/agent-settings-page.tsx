import { INSTRUCTION_LIMITS, type PatchAgentSettings, type AgentLimit } from '@copydesk/protocol'
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query'
import { PageFrame, Section } from '../account/settings/page-frame.tsx'
import { InstructionsForm } from '../account/settings/instructions-form.tsx'
import { agentSettingsQuery, patchAgentSettings } from '../api/operators/agent-settings.ts'
import { t, type EnglishText } from '../i18n/translate.ts'
import { Loaded } from '../ui/loaded.tsx'
import { useId, useState } from 'react'
import { inputClass } from '../ui/fields/field.tsx'
import { Form } from '../ui/fields/form.tsx'
import { showToast } from '../ui/toasts/toasts.tsx'

/** For operators: the settings for all runs of the agent. */
export function AgentSettingsPage() {
  const queryClient = useQueryClient()
  const save = async (given: PatchAgentSettings) => {
    queryClient.setQueryData(agentSettingsQuery.queryKey, await patchAgentSettings(given))
  }
  return (
    <PageFrame title={t('Agent settings')}>
      <Loaded query={useQuery(agentSettingsQuery)}>
        {(settings) => (
          <>
            <Section
              title={t('Instructions for everybody')}
              text={t('The agent follows them in every run, for everybody. They come before the wishes of a person.')}
            >
              <InstructionsForm
                value={settings}
                most={INSTRUCTION_LIMITS.server}
                placeholder={t('For example: Use British spelling. Our product is called Copydesk, in one word.')}
                save={save}
              />
            </Section>
            <Section
              title={t('Limits')}
              text={t('They hold from the next run on. What a variable of the server sets can’t be changed here.')}
            >
              <LimitsForm limits={settings.limits} save={(limits) => save({ limits })} />
            </Section>
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

const groups: readonly [title: EnglishText, limits: Readonly<Record<string, EnglishText>>][] = [
  ['Runs', { rounds: 'Answers of the model in a run' }],
  [
    'The document',
    {
      promptCharacters: 'Characters of a document that is shown whole at the start',
      outlineHeadings: 'Headings shown at the start',
      selectionPreview: 'Characters shown of the selection',
      readCharacters: 'Characters of one read',
      searchMatches: 'Places that a search shows',
      findCharacters: 'Characters that one change replaces',
      insertCharacters: 'Characters that one change writes',
      changedCharacters: 'Characters shown of what was changed',
    },
  ],
  [
    'The files of the project',
    {
      fileLines: 'Lines of one read',
      fileCharacters: 'Characters of one read or search',
      fileEntries: 'Files in one list',
      fileMatches: 'Lines that a search shows',
    },
  ],
]

type LimitsFormProps = {
  limits: readonly AgentLimit[]
  save: (changed: Record<string, number | null>) => Promise<void>
}

/** The limits of runs as numbers; an empty field is the default. */
function LimitsForm({ limits, save }: LimitsFormProps) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const changed = changesOf(limits, given)
  const saving = useMutation({
    mutationFn: () => save(changed),
    onSuccess: () => {
      setGiven({})
      showToast(t('Saved.'))
    },
  })
  const hasProblem = limits.some((limit) => isOutside(limit, given[limit.name]))
  return (
    <Form
      frame="groups"
      save={t('Save limits')}
      saving={saving}
      canSave={Object.keys(changed).length > 0 && !hasProblem}
    >
      {groups.map(([title, names]) => (
        <fieldset key={title} className="flex flex-col gap-4">
          <legend className="mb-3 text-sm font-semibold text-ink-soft">{t(title)}</legend>
          {limits.map((limit) => {
            const label = names[limit.name]
            if (label === undefined) return null
            const onChange = (text: string) => setGiven({ ...given, [limit.name]: text })
            return (
              <LimitRow key={limit.name} limit={limit} label={t(label)} text={given[limit.name]} onText={onChange} />
            )
          })}
        </fieldset>
      ))}
    </Form>
  )
}

type LimitRowProps = { limit: AgentLimit; label: string; text: string | undefined; onText: (text: string) => void }

function LimitRow({ limit, label, text, onText }: LimitRowProps) {
  const id = useId()
  const isProblem = isOutside(limit, text)
  return (
    <div className="grid items-start gap-x-4 gap-y-1 sm:grid-cols-[1fr_9rem]">
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <p
          id={`${id}-text`}
          role={isProblem ? 'alert' : undefined}
          className={`text-sm ${isProblem ? 'text-danger' : 'text-ink-faint'}`}
        >
          {describe(limit)}
        </p>
      </div>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={limit.min}
        max={limit.max}
        step={1}
        disabled={limit.isFixed}
        placeholder={String(limit.default)}
        aria-invalid={isProblem || undefined}
        aria-describedby={`${id}-text`}
        className={`${inputClass} disabled:bg-sunken disabled:text-ink-soft pointer-coarse:h-10`}
        value={text ?? String(limit.value)}
        onChange={({ target }) => onText(target.value)}
      />
    </div>
  )
}

function describe({ name, isFixed, min, max, default: initially }: AgentLimit): string {
  if (isFixed) return t('Set by {variable}', { variable: name === 'rounds' ? 'AGENT_MAX_ROUNDS' : 'TOOL_LIMITS' })
  return t('{min, number} to {max, number}; {initially, number} by default', { min, max, initially })
}

function isOutside({ min, max }: AgentLimit, text: string | undefined): boolean {
  if (text === undefined || text === '') return false
  const value = Number(text)
  return !Number.isInteger(value) || value < min || value > max
}

function changesOf(
  limits: readonly AgentLimit[],
  given: Readonly<Record<string, string>>,
): Record<string, number | null> {
  const changed: Record<string, number | null> = {}
  for (const { name, value, default: initially } of limits) {
    const text = given[name]
    if (text === undefined) continue
    if (text === '' ? value !== initially : Number(text) !== value) changed[name] = text === '' ? null : Number(text)
  }
  return changed
}
