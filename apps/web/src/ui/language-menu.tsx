import { ChevronDown, Languages } from 'lucide-react'
import { currentWording, languages } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { LanguageItems } from './language-items.tsx'
import { Menu } from './menu.tsx'

/** The choice of the language, for pages of people who may not be able to read it; none over an open page. */
export function LanguageMenu() {
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
