import { type AgentPreferences, FAVOURITE_FILES } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { describeError } from '../../api/client.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { FormProblem } from '../../sign-in/enter-card.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'

type Given = Partial<Pick<AgentPreferences, 'instructions' | 'files'>>

type StandingFormProps = {
  value: AgentPreferences
  /** The most characters of the instructions. */
  most: number
  placeholder: string
  save: (given: Given) => Promise<void>
  /** Further buttons, after that to save. */
  children?: ReactNode
}

/** Instructions that hold for all runs, and the files of the project that the agent reads first. */
export function StandingForm({ value, most, placeholder, save, children }: StandingFormProps) {
  const [instructions, setInstructions] = useState<string>()
  const [files, setFiles] = useState<string>()
  const saving = useMutation({
    mutationFn: () => save({ ...changedText(instructions, value), ...changedFiles(files, value) }),
    onSuccess: () => {
      setInstructions(undefined)
      setFiles(undefined)
      showToast(t('Saved.'))
    },
  })
  const given = { ...changedText(instructions, value), ...changedFiles(files, value) }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(given).length > 0) saving.mutate()
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <TextArea
        label={t('Instructions')}
        text={t('At most {count, number} characters.', { count: most })}
        dir="auto"
        rows={5}
        maxLength={most}
        placeholder={placeholder}
        value={instructions ?? value.instructions}
        onChange={({ target }) => setInstructions(target.value)}
      />
      {value.hasProject && (
        <TextArea
          label={t('Favourite files')}
          text={t('Files of the project that the agent reads first, one path in each line, at most {count}.', {
            count: formatNumber(FAVOURITE_FILES),
          })}
          dir="ltr"
          rows={3}
          spellCheck={false}
          autoCapitalize="off"
          placeholder="docs/style.md"
          className="font-mono"
          value={files ?? value.files.join('\n')}
          onChange={({ target }) => setFiles(target.value)}
        />
      )}
      <FormProblem text={saving.error ? describeError(saving.error) : undefined} />
      <div className="flex gap-2">
        <Button look="primary" type="submit" disabled={Object.keys(given).length === 0 || saving.isPending}>
          {t('Save')}
        </Button>
        {children}
      </div>
    </form>
  )
}

function changedText(text: string | undefined, { instructions }: AgentPreferences): Given {
  return text === undefined || text.trim() === instructions ? {} : { instructions: text.trim() }
}

function changedFiles(text: string | undefined, { files }: AgentPreferences): Given {
  const paths = text?.split('\n').flatMap((line) => line.trim() || [])
  return paths === undefined || paths.join('\n') === files.join('\n') ? {} : { files: paths }
}
