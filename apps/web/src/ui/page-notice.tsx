import { type ReactNode, useEffect } from 'react'
import { noteFirstScreen } from '../common/first-screen.ts'
import { Link } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'

type PageNoticeProps = { title: string; text?: string; children?: ReactNode }

/** A full page with one message and its next steps. */
export function PageNotice({ title, text, children }: PageNoticeProps) {
  useEffect(noteFirstScreen, [])
  return (
    <main className="flex min-h-full items-center justify-center p-6">
      <div className="w-full max-w-md rounded-xl border border-line bg-surface p-7 text-center shadow-raised">
        <h1 className="text-lg font-semibold text-balance">{title}</h1>
        {text && <p className="mt-2 text-balance text-ink-soft">{text}</p>}
        {children && <div className="mt-5 flex justify-center gap-2">{children}</div>}
      </div>
    </main>
  )
}

export function HomeLink({ text = t('All documents') }) {
  return (
    <Link
      to="/"
      className="inline-flex h-9 items-center rounded-md border border-line px-3.5 text-sm font-medium hover:bg-hover pointer-coarse:h-10"
    >
      {text}
    </Link>
  )
}

/** A skeleton of a document's page while it loads, with the same layout. */
export function DocumentSkeleton() {
  return (
    <div aria-busy="true" aria-label={t('Loading the document')} className="flex h-full flex-col">
      <div className="h-14 border-b border-line bg-page" />
      <div className="h-12 border-b border-line bg-page" />
      <TextSkeleton />
    </div>
  )
}

const widths = ['62%', '100%', '96%', '88%', '40%', '100%', '93%', '71%']

/** Grey lines as placeholders of text. */
export function TextSkeleton() {
  return (
    <div aria-hidden className="min-h-0 flex-1 overflow-clip bg-surface">
      <div className="ms-(--text-start) me-5 flex max-w-(--measure) flex-col gap-4 py-10">
        {widths.map((width, index) => (
          <div key={index} className={index === 0 ? 'skeleton mb-3 h-8' : 'skeleton h-4'} style={{ width }} />
        ))}
      </div>
    </div>
  )
}
