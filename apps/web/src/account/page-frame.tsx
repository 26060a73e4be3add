import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useId } from 'react'
import { Link } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'
import { Select } from '../ui/fields/select.tsx'
import { ThemeToggle } from '../ui/theme.tsx'

type PageFrameProps = { title: string; children: ReactNode }

/** A page of settings: the back link, a heading, and sections below each other. */
export function PageFrame({ title, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} – Copydesk`
  }, [title])
  return (
    <div className="mx-auto flex min-h-full max-w-3xl flex-col px-4 pb-16 sm:px-6">
      <header className="flex h-14 items-center justify-between gap-2.5">
        <Link
          to="/"
          className="-ml-2 inline-flex h-9 items-center gap-2 rounded-md px-2 text-sm text-ink-soft hover:bg-hover hover:text-ink"
        >
          <ArrowLeft size={16} aria-hidden />
          {t('All documents')}
        </Link>
        <ThemeToggle />
      </header>
      <main className="flex-1">
        <h1 className="pt-6 pb-5 text-2xl font-semibold tracking-tight">{title}</h1>
        <div className="flex flex-col gap-6">{children}</div>
      </main>
    </div>
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
