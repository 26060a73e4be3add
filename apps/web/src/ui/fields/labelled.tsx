import type { ReactNode } from 'react'

type LabelledProps = {
  id: string
  label: string
  /** A description below the field, with the id `${id}-text`. */
  text?: ReactNode
  /** The problem of the input, with the id `${id}-problem`. */
  problem?: string | undefined
  /** Takes the whole width of a form in columns. */
  isWide?: boolean
  children: ReactNode
}

/** The frame of the field with the id `id`: the label above it, a description and the problem below it. */
export function Labelled({ id, label, text, problem, isWide = false, children }: LabelledProps) {
  return (
    <div className={`flex flex-col gap-1.5 ${isWide ? 'col-span-full' : ''}`}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {text !== undefined && (
        <p id={`${id}-text`} className="text-sm text-ink-faint">
          {text}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
