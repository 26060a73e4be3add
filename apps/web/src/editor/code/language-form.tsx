import { type KeyboardEvent, useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { inputClass } from '../../ui/fields/field.tsx'
import type { FormProps } from '../common/editor-ui.ts'
import { describeLanguage, searchLanguages } from './languages.ts'

type Choice = { name: string; label: string }

/** Chooses the language of the code block with the caret; typed text filters the list. */
export function LanguageForm({ editor, onDone }: FormProps) {
  const id = useId()
  const [before] = useState(() => describeLanguage(editor.getAttributes('codeBlock').language))
  const [typed, setTyped] = useState('')
  const choices = findChoices(typed)
  const [active, setActive] = useState(() => choices.findIndex(({ label }) => label === before))
  const choose = (choice: Choice | undefined) => {
    if (!choice) return
    editor.commands.updateAttributes('codeBlock', { language: choice.name || null })
    onDone()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((active + step + choices.length) % Math.max(1, choices.length))
    else if (event.key === 'Enter') choose(choices[active])
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        role="combobox"
        aria-label={t('Code language')}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={choices[active] && `${id}-${active}`}
        autoFocus
        autoComplete="off"
        placeholder={t('Search languages')}
        className={inputClass}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('Code language')} className="mt-2 max-h-56 overflow-y-auto">
        {choices.map((choice, index) => (
          <Option
            key={choice.name}
            id={`${id}-${index}`}
            label={choice.label}
            isActive={index === active}
            isCurrent={choice.label === before}
            onChoose={() => choose(choice)}
          />
        ))}
      </div>
      {choices.length === 0 && <p className="px-2.5 py-1.5 text-sm text-ink-soft">{t('No language has this name.')}</p>}
    </>
  )
}

function findChoices(typed: string): readonly Choice[] {
  const found = searchLanguages(typed)
  return typed.trim() === '' ? [{ name: '', label: t('Plain text') }, ...found] : found
}

type OptionProps = { id: string; label: string; isActive: boolean; isCurrent: boolean; onChoose: () => void }

function Option({ id, label, isActive, isCurrent, onChoose }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      ref={(element) => void (isActive && element?.scrollIntoView({ block: 'nearest' }))}
      className={`flex cursor-pointer justify-between rounded-md px-2.5 py-1.5 text-sm hover:bg-hover ${isActive ? 'bg-hover' : ''}`}
      // The list must not take the focus from the field.
      onMouseDown={(event) => {
        event.preventDefault()
        onChoose()
      }}
    >
      {label}
      {isCurrent && <span className="text-ink-soft">{t('current')}</span>}
    </div>
  )
}
