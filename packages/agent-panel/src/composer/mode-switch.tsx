import { useId } from 'react'
import { useTexts } from '../language/panel-language.tsx'
import type { ChatMode } from '../common/types.ts'

/** The agent's mode as a row of choices, with a description of the chosen one. */
export function ModeSwitch({ mode }: { mode: ChatMode }) {
  const name = useId()
  const texts = useTexts()
  const { value, options, onChange, disabledReason } = mode
  const isOff = disabledReason !== undefined
  return (
    <fieldset className="ap-mode" disabled={isOff} title={disabledReason} aria-describedby={`${name}-means`}>
      <legend className="ap-hidden">{texts.modeLegend}</legend>
      <div className="ap-mode-options">
        {options.map((option) => (
          <label key={option.value} className="ap-mode-option" title={disabledReason ?? option.description}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <span id={`${name}-means`} className={isOff ? 'ap-faint' : 'ap-hidden'}>
        {disabledReason ?? options.find((option) => option.value === value)?.description}
      </span>
    </fieldset>
  )
}
