import type { Localizable } from '@copydesk/protocol'
import type { GetICUArgs } from '@schummar/icu-type-parser'
import format, { type CompiledMessage } from 'icu-minify/format'
import type german from './de.json'
import { formatters } from './format.ts'
import { currentWording, type Language, preferredWording, setWording } from './language.ts'

type Key = keyof typeof german

/**
 * A text of the interface without values, in English. The part after a `|` is for translators: it distinguishes
 * meanings that share an English word.
 */
export type EnglishText = Exclude<Key, `${string}{${string}` | `${string}</${string}`>

/** A text of the interface with values or tags, in English: an ICU message. */
export type EnglishMessage = Exclude<Key, EnglishText>

/** The values of a message, with the types of its arguments. */
export type ValuesOf<Message extends EnglishMessage> = GetICUArgs<
  Message,
  { ICUArgument: string; ICUNumberArgument: number; ICUDateArgument: Date }
>

type Catalogue = Readonly<Record<string, CompiledMessage>>

// English needs none.
const catalogues: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: unknown }>>> = {
  de: () => import('./de.json'),
}

// Tools' messages about failed calls, which only the agent's panel shows.
const failures: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: unknown }>>> = {
  de: () => import('./failures/de.json'),
}

let catalogue: Catalogue | undefined

/**
 * Loads the user's language; must be called before the first text is shown. If loading fails, the interface is in
 * English.
 */
export async function startLanguage(): Promise<void> {
  const wording = preferredWording()
  if (wording.language !== 'en') {
    const loaded = await catalogues[wording.language]().catch(() => undefined)
    if (!loaded) return
    // The build compiles its messages.
    catalogue = loaded.default as Catalogue
  }
  setWording(wording)
  document.documentElement.lang = wording.language
}

/** Loads tools' messages about failed calls, for `sentText`; without them these texts are in English. */
export async function loadFailureTexts(): Promise<void> {
  const { language } = currentWording()
  if (language === 'en') return
  const loaded = await failures[language]().catch(() => undefined)
  if (loaded) catalogue = { ...(loaded.default as Catalogue), ...catalogue }
}

/** A text in the user's language. */
export function t(text: EnglishText): string
/** A message, given as a literal, with its values, in the user's language. */
export function t<Message extends EnglishMessage>(message: Message, values: ValuesOf<Message>): string
export function t(text: Key, values?: object, compiled?: CompiledMessage): string {
  return String(formatMessage(text, values, compiled))
}

/** Translates each of several texts. */
export function tEach<Name extends string>(texts: Readonly<Record<Name, EnglishText>>): Record<Name, string> {
  const translated = Object.entries<EnglishText>(texts).map(([name, text]) => [name, t(text)])
  return Object.fromEntries(translated) as Record<Name, string>
}

/**
 * A text of the server, in English, in the user's language; undefined if the catalogue lacks it. Looked up by its key,
 * else by the text itself.
 */
export function sentText(text: string, { key, values }: Localizable = { key: text, values: [] }): string | undefined {
  if (!catalogue) return text
  if (!Object.hasOwn(catalogue, key)) return undefined
  const given = values.map((value) => (typeof value === 'object' ? sentText(value.key, value) : value) ?? '')
  return String(
    format<string>(catalogue[key] ?? '', currentWording().locale, Object.fromEntries(given.entries()), { formatters }),
  )
}

/** The texts without values by their keys, in the user's language; none in English. */
export function translations(): [EnglishText, string][] {
  return Object.entries(catalogue ?? {}).filter((entry): entry is [EnglishText, string] => typeof entry[1] === 'string')
}

/** Formats a text with its values. The build passes the English message as `compiled`, so that no parser is loaded. */
export function formatMessage<Element>(text: Key, values?: object, compiled?: CompiledMessage) {
  const message = catalogue?.[text] ?? compiled ?? text.replace(/\|.*/, '')
  return format<Element>(message, currentWording().locale, { ...values }, { formatters })
}
