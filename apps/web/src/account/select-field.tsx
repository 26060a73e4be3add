import { useId } from 'react'
import { inputClass } from '../ui/field.tsx'

type SelectFieldProps<T extends string> = {
  label: string
  value: T
  options: Readonly<Record<T, string>>
  onChange: (value: T) => void
}

/** A labelled select with a few options. */
export function SelectField<T extends string>({ label, value, options, onChange }: SelectFieldProps<T>) {
  const id = useId()
  const entries = Object.entries(options) as [T, string][]
  const choose = (given: string) => {
    const chosen = entries.find(([key]) => key === given)
    if (chosen) onChange(chosen[0])
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select id={id} value={value} className={`${inputClass} px-2`} onChange={(event) => choose(event.target.value)}>
        {entries.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
