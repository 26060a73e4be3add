import { Languages } from 'lucide-react'
import { chooseLanguage, currentWording, languages } from '../../i18n/language.ts'
import { MenuItem } from './menu.tsx'

/** The other languages of the interface as items of a `Menu`, each by its own name. */
export function LanguageItems() {
  const { language } = currentWording()
  return Object.entries(languages)
    .filter(([code]) => code !== language)
    .map(([code, name]) => (
      <MenuItem
        key={code}
        icon={Languages}
        onSelect={() => chooseLanguage(code)}
        text={<span lang={code}>{name}</span>}
      />
    ))
}
