import { type AgentPreferences, FAVOURITE_FILES } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { TextArea } from '../../ui/fields/field.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'

type Given = Partial<Pick<AgentPreferences, 'instructions' | 'files'>>

type InstructionsFormProps = {
  value: AgentPreferences
  /** The maximum number of characters of the instructions. */
  most: number
  placeholder: string
  save: (given: Given) => Promise<void>
  onCancel?: (() => void) | undefined
}

/** Instructions for all runs, and the files of the project that the agent reads first. */
export function InstructionsForm({ value, most, placeholder, save, onCancel }: InstructionsFormProps) {
  const [instructions, setInstructions] = useState<string>()
  const [files, setFiles] = useState<string>()
  const given = { ...changedText(instructions, value), ...changedFiles(files, value) }
  const saving = useMutation({
    mutationFn: () => save(given),
    onSuccess: () => {
      setInstructions(undefined)
      setFiles(undefined)
      showToast(t('Saved.'))
    },
  })
  return (
    <Form save={t('Save')} saving={saving} canSave={Object.keys(given).length > 0} onCancel={onCancel}>
      <TextArea
        label={t('Instructions')}
        text={t('At most {count, number} characters.', { count: most })}
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
    </Form>
  )
}

function changedText(text: string | undefined, { instructions }: AgentPreferences): Given {
  return text === undefined || text.trim() === instructions ? {} : { instructions: text.trim() }
}

function changedFiles(text: string | undefined, { files }: AgentPreferences): Given {
  const paths = text?.split('\n').flatMap((line) => line.trim() || [])
  return paths === undefined || paths.join('\n') === files.join('\n') ? {} : { files: paths }
}
