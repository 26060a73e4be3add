import type { ReactNode } from 'react'

type PageNoticeProps = { title: string; text?: string; children?: ReactNode }

/** A full page with one message and its next steps. */
export function PageNotice({ title, text, children }: PageNoticeProps) {
  return (
    <main className="flex min-h-full items-center justify-center p-6">
      <div className="w-full max-w-md rounded-xl border border-line bg-surface p-7 text-center shadow-raised">
        <h1 className="text-lg font-semibold text-balance">{title}</h1>
        {text && <p className="mt-2 text-ink-soft">{text}</p>}
        {children && <div className="mt-5 flex justify-center gap-2">{children}</div>}
      </div>
    </main>
  )
}
