import type { Language } from '@copydesk/protocol'
import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import german from './de.json' with { type: 'json' }

/** A text of a mail, in English: an ICU message, the key of its translations. */
type LetterText = keyof typeof german

const catalogues: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<LetterText, string>>>> = { de: german }

const formatters = {
  getNumberFormat: (...given: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...given),
  getPluralRules: (...given: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...given),
  getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...given),
}

/** Writes a text of a mail in a language, with its values. */
export function writeText(language: Language, text: LetterText, values: Record<string, string | number> = {}): string {
  const message = language === 'en' ? text : catalogues[language][text]
  return String(format<string>(compile(message), language, values, { formatters }))
}

/** A moment in a language, to the minute, in UTC: the server doesn't know the reader's time zone. */
export function writeDate(language: Language, time: string): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Date(time).toLocaleString(language, style)} UTC`
}
