import type { Me } from '@copydesk/protocol'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useId, useRef } from 'react'
import { Link, navigate, usePath } from '../../common/location.tsx'
import { t } from '../../i18n/translate.ts'
import { Select } from '../../ui/fields/select.tsx'
import { ThemeToggle } from '../../ui/theme.tsx'
import { settingsPages } from './settings-pages.ts'

type SettingsFrameProps = { me: Me; children: ReactNode }

/**
 * The settings: a page with the navigation to the others next to it, or in narrow windows above it. Pages outside the
 * settings are shown without it. Stays mounted across pages, so that the focus is kept.
 */
export function SettingsFrame({ me, children }: SettingsFrameProps) {
  const path = usePath()
  const sections = settingsPages(me)
  const isSettings = sections.some(({ pages }) => pages.some(([each]) => each === path))
  const content = useRef<HTMLElement>(null)
  useEffect(() => {
    // The element that opened the page, such as a menu item, no longer exists.
    if (document.activeElement === document.body) content.current?.focus()
  }, [])
  useEffect(() => {
    scrollTo({ top: 0 })
  }, [path])
  if (!isSettings) return <Suspense>{children}</Suspense>
  return (
    <div className="flex min-h-full max-md:flex-col">
      <header className="sticky top-0 z-10 flex h-14 items-center border-b border-line bg-page px-2 md:hidden">
        <BackLink isShort />
        <PageSelect me={me} path={path} />
        <ThemeToggle />
      </header>
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-e border-line bg-page md:flex">
        <div className="flex h-14 shrink-0 items-center px-2">
          <BackLink />
        </div>
        <nav aria-label={t('Settings')} className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-2 py-3">
          {sections.map(({ title, pages }) => (
            <PageList key={title} title={title}>
              {pages.map(([to, text, Icon]) => (
                <li key={to}>
                  <Link to={to} aria-current={to === path ? 'page' : undefined} className={linkClass}>
                    <Icon size={16} aria-hidden className="shrink-0" />
                    <span className="truncate">{t(text)}</span>
                  </Link>
                </li>
              ))}
            </PageList>
          ))}
        </nav>
        <div className="flex shrink-0 justify-end p-2">
          <ThemeToggle />
        </div>
      </aside>
      <main
        ref={content}
        tabIndex={-1}
        // In a narrow window the navigation above names the page.
        className="mx-auto w-full max-w-4xl min-w-0 flex-1 px-4 pb-16 outline-none max-md:pt-4 max-md:[&_h1]:sr-only sm:px-8"
      >
        <Suspense>{children}</Suspense>
      </main>
    </div>
  )
}

const linkClass =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent-strong pointer-coarse:h-10'

function BackLink({ isShort = false }) {
  return (
    <Link
      to="/"
      className="inline-flex h-9 min-w-9 items-center gap-2.5 rounded-md px-2 text-sm text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:h-10 pointer-coarse:min-w-10"
    >
      <ArrowLeft size={16} aria-hidden className="rtl:-scale-x-100" />
      <span className={isShort ? 'sr-only' : ''}>{t('All documents')}</span>
    </Link>
  )
}

function PageList({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <div>
      <h2 id={id} className="px-2 pb-1 text-xs font-medium text-ink-faint">
        {title}
      </h2>
      <ul aria-labelledby={id}>{children}</ul>
    </div>
  )
}

function PageSelect({ me, path }: { me: Me; path: string }) {
  const options = settingsPages(me).flatMap(({ title, pages }) =>
    pages.map(([to, text]) => ({ value: to, name: t(text), detail: title })),
  )
  return (
    <div className="flex min-w-0 flex-1">
      <Select
        label={t('Settings')}
        value={path}
        options={options}
        onChange={(to) => navigate(to)}
        className="min-w-0 font-semibold"
      />
    </div>
  )
}
