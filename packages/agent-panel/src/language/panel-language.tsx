import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { englishTexts, type PanelTexts } from './texts.ts'

/** The language of the panel: its texts, with English for missing ones, and the locale of dates and numbers. */
export type PanelLanguageOptions = {
  texts?: Partial<PanelTexts> | undefined
  /** BCP 47, "en" by default. */
  locale?: string | undefined
}

const Texts = createContext<PanelTexts>(englishTexts)
const Locale = createContext('en')

/** Sets the language of panel components that are used without `AgentPanel`. */
export function PanelLanguage({ texts, locale, children }: PanelLanguageOptions & { children?: ReactNode }) {
  const around = useLocale()
  return (
    <Texts value={useTexts(texts)}>
      <Locale value={locale ?? around}>{children}</Locale>
    </Texts>
  )
}

/** The texts of the enclosing language; `own` take precedence. */
export function useTexts(own?: Partial<PanelTexts>): PanelTexts {
  const around = useContext(Texts)
  return useMemo(() => (own ? { ...around, ...own } : around), [around, own])
}

export function useLocale(): string {
  return useContext(Locale)
}
