import parse from 'icu-minify/compile'
import format from 'icu-minify/format'
import { type Language, languages, type Text } from './language.ts'

/** An answer, or a part of one, in a language. */
export type Answer = (language: Language) => string

const formatters = {
  getNumberFormat: (...given: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...given),
  getPluralRules: (...given: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...given),
  getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...given),
}

/** A text with its values. A string among them is quoted: on one line, at most 60 characters. */
export function say(text: Text, values: Readonly<Record<string, string | number | Answer>> = {}): Answer {
  return (language) => {
    const given = Object.entries(values).map(([name, value]) => {
      if (typeof value === 'string') return [name, cut(value.replaceAll(/\s+/g, ' ').trim(), 60)] as const
      return [name, typeof value === 'function' ? value(language) : value] as const
    })
    const message = parse(languages[language].texts?.[text] ?? text)
    return String(format<string>(message, language, Object.fromEntries(given), { formatters }))
  }
}

/** Why nothing was changed. */
export function sayUnchanged(...why: Parameters<typeof say>): Answer {
  return joined([say(...why), say('I have changed nothing.')], ' ')
}

/** What a language calls a tool, a format or an error code, else `otherwise`. */
export function called(name: string, otherwise: string): Answer {
  return (language) => languages[language].names[name] ?? otherwise
}

/** The parts of an answer, one after another. */
export function joined(parts: readonly (string | Answer)[], separator = '\n'): Answer {
  return (language) => parts.map((part) => (typeof part === 'string' ? part : part(language))).join(separator)
}

/** The first `length` characters of a text, with a sign if it is longer. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
