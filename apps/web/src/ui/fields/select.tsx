import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { useId } from 'react'
import { inputClass } from './field.tsx'
import { Labelled } from './labelled.tsx'

type SelectProps<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; name: string; detail?: string }[]
  onChange: (value: T) => void
  /** An action below the options. */
  action?: { name: string; onSelect: () => void } | undefined
  className?: string
  /** The id of a field with a separate label, as wide as its container. */
  fieldId?: string
}

const action = 'action'

/** A choice among a few options, as a button that opens a list. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, action: last, className = '', fieldId } = props
  const choose = (given: string) => {
    if (given === action) return last?.onSelect()
    const option = options[Number(given)]
    if (option !== undefined) onChange(option.value)
  }
  return (
    // By their indices: Radix doesn't accept an empty value.
    <Radix.Root value={String(options.findIndex((option) => option.value === value))} onValueChange={choose}>
      <Radix.Trigger
        id={fieldId}
        aria-label={label}
        className={`inline-flex items-center justify-between gap-1 pointer-coarse:h-10 ${fieldId === undefined ? quietClass : inputClass} ${className}`}
      >
        <span className="truncate">
          <Radix.Value />
        </span>
        <Radix.Icon>
          <ChevronDown size={14} aria-hidden className="text-ink-soft" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          align={fieldId === undefined ? 'end' : 'start'}
          sideOffset={4}
          collisionPadding={8}
          className="pop z-60 max-h-(--radix-select-content-available-height) max-w-[calc(100vw-1rem)] min-w-[max(11rem,var(--radix-select-trigger-width))] overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-raised"
        >
          <Radix.Viewport>
            {options.map((option, index) => (
              <Radix.Item key={option.value} value={String(index)} className={itemClass}>
                <span className="flex flex-col">
                  <Radix.ItemText>{option.name}</Radix.ItemText>
                  {option.detail !== undefined && <span className="text-xs text-ink-soft">{option.detail}</span>}
                </span>
                <Radix.ItemIndicator>
                  <Check size={15} aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
            {last && (
              <>
                <Radix.Separator className="my-1 h-px bg-line" />
                <Radix.Item value={action} className={`${itemClass} text-danger`}>
                  <Radix.ItemText>{last.name}</Radix.ItemText>
                </Radix.Item>
              </>
            )}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const quietClass =
  'h-9 shrink-0 rounded-md border border-transparent px-2.5 text-sm text-ink hover:bg-hover data-[state=open]:bg-hover'
const itemClass =
  'flex cursor-pointer items-center justify-between gap-4 rounded-md px-2.5 py-2 text-sm outline-none data-[highlighted]:bg-hover pointer-coarse:min-h-10'

/** The options of a select, from their names by value. */
export function optionsOf<T extends string>(names: Readonly<Record<T, string>>): { value: T; name: string }[] {
  return (Object.entries(names) as [T, string][]).map(([value, name]) => ({ value, name }))
}

type SelectFieldProps<T extends string> = {
  label: string
  value: T
  options: Readonly<Record<T, string>>
  onChange: (value: T) => void
}

/** A labelled select with a few options. */
export function SelectField<T extends string>({ label, value, options, onChange }: SelectFieldProps<T>) {
  const id = useId()
  return (
    <Labelled id={id} label={label}>
      <Select fieldId={id} label={label} value={value} options={optionsOf(options)} onChange={onChange} />
    </Labelled>
  )
}
