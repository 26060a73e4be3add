import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'

type SelectProps<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; name: string; detail?: string }[]
  onChange: (value: T) => void
  /** An action below the options. */
  action?: { name: string; onSelect: () => void } | undefined
  className?: string
}

const action = 'action'

/** A choice of one of a few, as a button that opens a list. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, action: last, className = '' } = props
  const choose = (given: string) => {
    if (given === action) return last?.onSelect()
    const option = options.find((each) => each.value === given)
    if (option !== undefined) onChange(option.value)
  }
  return (
    <Radix.Root value={value} onValueChange={choose}>
      <Radix.Trigger
        aria-label={label}
        className={`inline-flex h-9 shrink-0 items-center justify-between gap-1 rounded-md border border-transparent px-2.5 text-sm text-ink hover:bg-hover data-[state=open]:bg-hover pointer-coarse:h-10 ${className}`}
      >
        <Radix.Value />
        <Radix.Icon>
          <ChevronDown size={14} aria-hidden className="text-ink-soft" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="pop z-60 max-h-(--radix-select-content-available-height) min-w-44 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-raised"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className={itemClass}>
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

const itemClass =
  'flex cursor-pointer items-center justify-between gap-4 rounded-md px-2.5 py-2 text-sm outline-none data-[highlighted]:bg-hover pointer-coarse:min-h-10'
