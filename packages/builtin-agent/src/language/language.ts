import german from './de.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }

/** A language of requests and answers. */
export type Language = 'en' | 'de'

/** A text of an answer in English, an ICU message: the key of its translations. */
export type Text = keyof typeof german.texts

type Names = Readonly<Record<string, string>>

/**
 * The data of a language: patterns of requests (see `compile`), and texts. `signs` tell the language of a request,
 * `polite` is what surrounds it, `binding` makes a sentence more than what comes before a request. Patterns are made of
 * `words`; `forms` are the sentences of each command, of which the first that fits counts, `formats` those of
 * `apply_formatting`; `terms` tell a text, which of its places, and where. `examples` are three commands for requests
 * with a pattern, the last for all. `names` are what answers call tools, formats and error codes.
 */
type Data = { signs: string; polite: readonly string[]; binding: string; words: Names; formats: Names } & {
  forms: Readonly<Record<string, readonly string[]>>
  terms: Readonly<Record<keyof typeof english.terms, string>>
} & { examples: Names; names: Names; texts?: Names }

/** The data of each language; sentences are tried in this order. */
export const languages: Readonly<Record<Language, Data>> = { de: german, en: english }

/** Something for each language. */
export function inEach<Made>(make: (data: Data) => Made): Record<Language, Made> {
  return { de: make(german), en: make(english) }
}

/**
 * The pattern of one quoted passage. Parsing replaces them by characters of the private use area, so that words such as
 * "with" inside of them don't count as syntax.
 */
export const quotedPattern = '\uE000\\d+\uE001'

/**
 * A pattern of a language as a regular expression. In it, `{name}` is a word of the language, and else any text, as the
 * group of this name: `{target}` (a text), `{passage}` (a text that stays as it is), `{new}` (what replaces a text),
 * `{place}`, `{said}` (a text verbatim), `{plain}` (any words).
 */
export function compile(pattern: string, { words, formats }: Data): RegExp {
  const format = `(?<format>${Object.values(formats).join('|')}){level}`
  const known: Names = { ...words, format, mark: quotedPattern }
  const expand = (text: string): string =>
    text.replaceAll(/\{(\p{L}+)\}/gu, (_, name: string) => expand(known[name] ?? `(?<${name}>.+?)`))
  return new RegExp(expand(pattern), 'i')
}

/** Three commands for an instruction, by a pattern that occurs in it; the first one counts, the last fits all. */
export const examples = inEach((data) =>
  Object.entries(data.examples).map(([each, pattern]) => ({ commands: each as Text, pattern: compile(pattern, data) })),
)
