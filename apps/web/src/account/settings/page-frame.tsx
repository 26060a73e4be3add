import { type ReactNode, useEffect } from 'react'

type PageFrameProps = { title: string; children: ReactNode }

/** A page of settings: its heading, and its sections. */
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

type SectionProps = {
  title: string
  text?: ReactNode
  /** A control that changes or extends the section, next to its title. */
  tool?: ReactNode
  children: ReactNode
}

export function Section({ title, text, tool, children }: SectionProps) {
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-surface p-5 sm:p-6">
      <div className="flex justify-between gap-x-4 max-sm:flex-col">
        <div className="min-w-0">
          <h2 className="text-base font-semibold">{title}</h2>
          {text && <p className="mt-1 text-sm text-pretty text-ink-soft sm:text-balance">{text}</p>}
        </div>
        {tool && <div className="-my-1.5 shrink-0 max-sm:my-0 max-sm:*:mt-3">{tool}</div>}
      </div>
      <div className="mt-4">{children}</div>
    </section>
  )
}
