import german from './de.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }

/** A language of requests and answers. */
export type Language = 'en' | 'de'

/** A text of an answer in English, an ICU message: the key of its translations. */
export type Text = keyof typeof german.texts

/** A language. All but `names` and `texts` has patterns of requests (see `compile`). */
type Data = {
  /** What tells the language of a request. */
  signs: string
  /** What surrounds a request. */
  polite: readonly string[]
  /** What makes a sentence more than the beginning of a request: a condition, a negation, another request. */
  binding: string
  /** What patterns are made of. */
  words: Readonly<Record<string, string>>
  /** The sentences of each command; the first that matches a whole sentence counts. */
  forms: Readonly<Record<string, readonly string[]>>
  /** The formats of `apply_formatting`. */
  formats: Readonly<Record<string, string>>
  /** What tells which text a command is about, which of several places, and where. */
  terms: Readonly<Record<keyof typeof english.terms, string>>
  /** Three commands for a request with this pattern; the first one counts, the last fits all. */
  examples: Readonly<Record<string, string>>
  /** What tools, formats and error codes are called in answers. */
  names: Readonly<Record<string, string>>
  /** Translations of the texts of answers. */
  texts?: Readonly<Record<string, string>>
}

/** The data of each language; sentences are tried in this order. */
export const languages: Readonly<Record<Language, Data>> = { de: german, en: english }

/** Something for each language. */
export function inEach<Made>(make: (data: Data, language: Language) => Made): Record<Language, Made> {
  return { de: make(languages.de, 'de'), en: make(languages.en, 'en') }
}

/** The pattern of one quoted passage, which parsing replaces by characters of the private use area. */
export const quotedPattern = '\uE000\\d+\uE001'

/**
 * A pattern of a language as a regular expression. In it, `{name}` is a word of the language, and else any text, as the
 * group of this name: `{target}` (a text), `{passage}` (a text that stays as it is), `{new}` (what replaces a text),
 * `{place}`, `{said}` (a text verbatim), `{plain}` (any words).
 */
export function compile(pattern: string, { words, formats }: Data): RegExp {
  const format = `(?<format>${Object.values(formats).join('|')}){level}`
  const known: Data['words'] = { ...words, format, mark: quotedPattern }
  const expand = (text: string): string =>
    text.replaceAll(/\{(\p{L}+)\}/gu, (_, name: string) => expand(known[name] ?? `(?<${name}>.+?)`))
  return new RegExp(expand(pattern), 'i')
}
