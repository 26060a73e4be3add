import { type ComponentProps, type ReactNode, useId } from 'react'

type TextAreaProps = ComponentProps<'textarea'> & { label: string; text?: ReactNode }

/** A labelled field of several lines; `text` describes it. */
export function TextArea({ label, text, className = '', ...rest }: TextAreaProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        className={`w-full rounded-md border border-line-strong/70 bg-surface px-3 py-2 text-sm text-ink focus-visible:outline-offset-0 ${className}`}
        {...rest}
      />
      {text !== undefined && (
        <p id={`${id}-text`} className="text-sm text-ink-faint">
          {text}
        </p>
      )}
    </div>
  )
}
