import { currentWording } from './language.ts'

/** Intl's formatters by locale and options; creating one takes longer than many uses of it. */
export const formatters = {
  getNumberFormat: kept((locale, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)),
  getPluralRules: kept((locale, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options)),
  getDateTimeFormat: kept((locale, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)),
}

const getRelativeTimeFormat = kept((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
const getListFormat = kept((locale) => new Intl.ListFormat(locale))

type Locales = Intl.LocalesArgument

function kept<Options, Formatter>(make: (locale: Locales, options?: Options) => Formatter) {
  const made = new Map<string, Formatter>()
  return (locale: Locales, options?: Options): Formatter => {
    const key = `${String(locale)} ${JSON.stringify(options)}`
    const found = made.get(key) ?? make(locale, options)
    made.set(key, found)
    return found
  }
}

/** The options of `formatDate` for a day with the time. */
export const dateAndTime = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const

/** The options of `formatDate` for a time of the day. */
export const timeOfDay = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** A number in the user's language. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return formatters.getNumberFormat(currentWording().locale, options).format(value)
}

/** A moment in the user's language and time zone; `moment` is a Date, ISO 8601 or milliseconds. */
export function formatDate(moment: Date | string | number, options?: Intl.DateTimeFormatOptions): string {
  return formatters.getDateTimeFormat(currentWording().locale, options).format(new Date(moment))
}

/** A moment relative to now, such as "yesterday" or "5 minutes ago" for a negative `value`. */
export function formatRelative(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  return getRelativeTimeFormat(currentWording().locale).format(value, unit)
}

/** A list of names or phrases: "a, b, and c". */
export function formatList(parts: readonly string[]): string {
  return getListFormat(currentWording().locale).format(parts)
}
