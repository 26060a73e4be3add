import { type ComponentProps, useId } from 'react'

type TextAreaProps = ComponentProps<'textarea'> & { label: string; text?: string }

/** A labelled field of several lines, with a description below. */
export function TextArea({ label, text, ...rest }: TextAreaProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5 sm:col-span-2">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        className="w-full rounded-md border border-line-strong/70 bg-surface px-3 py-2 text-sm text-ink"
        {...rest}
      />
      {text !== undefined && (
        <p id={`${id}-text`} className="text-xs text-ink-soft">
          {text}
        </p>
      )}
    </div>
  )
}
