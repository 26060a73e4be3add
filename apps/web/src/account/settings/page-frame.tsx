import { type ReactNode, useEffect, useId } from 'react'
import { Select } from '../../ui/fields/select.tsx'

type PageFrameProps = { title: string; children: ReactNode }

/** A page of settings: its heading, and sections below each other. */
export function PageFrame({ title, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} – Copydesk`
  }, [title])
  return (
    <>
      <h1 className="pt-8 pb-5 text-2xl font-semibold tracking-tight">{title}</h1>
      <div className="flex flex-col gap-6">{children}</div>
    </>
  )
}

type SectionProps = { title: string; text?: ReactNode; children: ReactNode }

/** One section of a page of settings. */
export function Section({ title, text, children }: SectionProps) {
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-surface p-5 sm:p-6">
      <h2 className="text-base font-semibold">{title}</h2>
      {text && <p className="mt-1 text-sm text-ink-soft">{text}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}

/** The loading or error state of a list. */
export function ListState({ error }: { error: string | undefined }) {
  if (error !== undefined) {
    return (
      <p role="alert" className="text-sm text-danger">
        {error}
      </p>
    )
  }
  return <div aria-busy="true" className="skeleton h-12" />
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
  const entries = Object.entries(options) as [T, string][]
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <Select
        fieldId={id}
        label={label}
        value={value}
        options={entries.map(([key, name]) => ({ value: key, name }))}
        onChange={onChange}
      />
    </div>
  )
}
