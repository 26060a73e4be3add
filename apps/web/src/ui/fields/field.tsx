import { type ComponentProps, type ReactNode, useId } from 'react'
import { Labelled } from './labelled.tsx'

/** The style of single-line inputs. */
export const inputClass =
  'h-9 w-full rounded-md border border-line-strong/70 bg-surface px-3 text-sm text-ink focus-visible:outline-offset-0'

type FieldProps = ComponentProps<'input'> & { label: string; problem?: string | undefined }

/** A labelled input with its error. */
export function Field({ label, problem, ...rest }: FieldProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} problem={problem}>
      <input
        id={id}
        className={inputClass}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        {...rest}
      />
    </Labelled>
  )
}

type TextAreaProps = ComponentProps<'textarea'> & {
  label: string
  text?: ReactNode
  problem?: string | undefined
}

/** A labelled field of several lines; `text` describes it. */
export function TextArea({ label, text, problem, className = '', ...rest }: TextAreaProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} text={text} problem={problem} isWide>
      <textarea
        id={id}
        dir="auto"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : text === undefined ? undefined : `${id}-text`}
        className={`w-full rounded-md border border-line-strong/70 bg-surface px-3 py-2 text-sm text-ink focus-visible:outline-offset-0 ${className}`}
        {...rest}
      />
    </Labelled>
  )
}

type CheckFieldProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }

/** A checkbox with its label after it. */
export function CheckField({ checked, onChange, children }: CheckFieldProps) {
  return (
    <label className="flex min-h-8 min-w-0 items-center gap-2 text-sm pointer-coarse:min-h-10">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  )
}
