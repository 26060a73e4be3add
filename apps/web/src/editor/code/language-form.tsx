import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { ChoiceField } from '../../ui/fields/choice-field.tsx'
import type { FormProps } from '../common/editor-ui.ts'
import { describeLanguage, searchLanguages } from './languages.ts'

/** Chooses the language of the code block with the caret; typed text filters the list. */
export function LanguageForm({ editor, onDone }: FormProps) {
  const [before] = useState(() => describeLanguage(editor.getAttributes('codeBlock').language))
  const [typed, setTyped] = useState('')
  const found = findLanguages(typed)
  const [active, setActive] = useState(() => found.find(({ label }) => label === before)?.name)
  return (
    <ChoiceField
      label={t('Code language')}
      placeholder={t('Search languages')}
      text={typed}
      onText={(text) => {
        setTyped(text)
        setActive(findLanguages(text)[0]?.name)
      }}
      choices={found.map(({ name, label }) => ({
        key: name,
        name: label,
        note: label === before ? t('current') : '',
      }))}
      value={active}
      onValue={setActive}
      onChosen={(language) => {
        editor.commands.updateAttributes('codeBlock', { language: language || null })
        onDone()
      }}
      empty={t('No language has this name.')}
    />
  )
}

function findLanguages(typed: string): readonly { name: string; label: string }[] {
  const found = searchLanguages(typed)
  return typed.trim() === '' ? [{ name: '', label: t('Plain text') }, ...found] : found
}
