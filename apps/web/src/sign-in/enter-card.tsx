import type { ReactNode } from 'react'
import { ChevronDown, Languages } from 'lucide-react'
import { currentWording, languages } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { LanguageItems } from '../ui/menus/language-items.tsx'
import { Menu } from '../ui/menus/menu.tsx'

type EnterCardProps = { title: string; text?: string | undefined; children?: ReactNode }

/** The card in the middle of an otherwise empty page, for signing in and similar. */
export function EnterCard({ title, text, children }: EnterCardProps) {
  return (
    <main className="flex min-h-full flex-col items-center justify-center p-6">
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-7 shadow-raised">
        <img src="/icon.svg" alt="" width={36} height={36} className="mb-4" />
        <h1 className="text-xl font-semibold text-balance">{title}</h1>
        {text && <p className="mt-1 text-ink-soft">{text}</p>}
        <div className="mt-5">{children}</div>
      </div>
      <LanguageMenu />
    </main>
  )
}

/** A line with a word in the middle, between two alternatives. */
export function OrLine() {
  return (
    <div aria-hidden className="my-5 flex items-center gap-3 text-xs text-ink-faint">
      <span className="h-px flex-1 bg-line" />
      {t('or')}
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}

/** The choice of the language, for people who may not be able to read the page; not shown over an open page. */
function LanguageMenu() {
  const name = languages[currentWording().language]
  const trigger = (
    <button
      type="button"
      aria-label={`${t('Language')}: ${name}`}
      className="flex h-9 items-center gap-1.5 rounded-md px-2 hover:bg-hover aria-expanded:bg-hover"
    >
      <Languages size={16} aria-hidden />
      {name}
      <ChevronDown size={14} aria-hidden />
    </button>
  )
  return (
    <div className="mt-4 flex justify-center text-sm text-ink-soft in-[[role=dialog]]:hidden">
      <Menu trigger={trigger}>
        <LanguageItems />
      </Menu>
    </div>
  )
}
