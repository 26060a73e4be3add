import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'

type SwitchProps = {
  label: string
  /** A description below the label. */
  text?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** An on/off switch that takes effect immediately, with its label before it. */
export function Switch({ label, text, checked, disabled = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-4">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {text !== undefined && (
          <p id={`${id}-text`} className="mt-0.5 text-xs text-ink-soft">
            {text}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        onCheckedChange={onChange}
        className="group inline-flex shrink-0 items-center justify-end rounded-full disabled:opacity-60"
      >
        <span className="inline-flex h-6 w-10 items-center rounded-full border border-line-strong bg-sunken p-0.5 transition-colors group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent">
          <Radix.Thumb className="size-4.5 rounded-full bg-line-strong transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent motion-reduce:transition-none rtl:data-[state=checked]:-translate-x-4" />
        </span>
      </Radix.Root>
    </div>
  )
}
