import { type ComponentProps, useId } from 'react'

/** The style of single-line inputs. */
export const inputClass =
  'h-9 w-full rounded-md border border-line-strong/70 bg-surface px-3 text-sm text-ink focus-visible:outline-offset-0'

type FieldProps = ComponentProps<'input'> & { label: string; problem?: string | undefined }

/** A labelled input with its error. */
export function Field({ label, problem, ...rest }: FieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className={inputClass}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        {...rest}
      />
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
