import { Languages } from 'lucide-react'
import { chooseLanguage, currentWording, languages } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'

/** The choice of the language, for pages of people who may not be able to read it; none over an open page. */
export function LanguageSelect() {
  return (
    <div className="mt-4 flex items-center justify-center gap-1.5 text-sm text-ink-soft in-[[role=dialog]]:hidden">
      <Languages size={16} aria-hidden />
      <select
        aria-label={t('Language')}
        value={currentWording().language}
        onChange={(event) => chooseLanguage(event.target.value)}
        className="h-9 rounded-md bg-transparent px-1 hover:bg-hover pointer-coarse:h-10"
      >
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
