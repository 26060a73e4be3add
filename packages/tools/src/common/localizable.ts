/**
 * A text for people that interfaces can translate: `key` is the text in English as an ICU message, in which `{0}` is
 * the first value. A value may be such a text itself.
 */
export type Localizable = { key: string; values: (string | number | Localizable)[] }

/** Creates a `Localizable` from a template: its constant parts are the key, its expressions the values. */
export function localizable(parts: TemplateStringsArray, ...values: Localizable['values']): Localizable {
  const key = parts.reduce((before, part, index) => `${before}{${index - 1}}${part}`)
  return { key, values }
}

/** A number with its noun, such as `1 match` and `2 matches`. */
export function counted(count: number, one: string, other = `${one}s`): Localizable {
  return { key: `{0, plural, one {# ${one}} other {# ${other}}}`, values: [count] }
}

/** The text in English; a plain string is returned unchanged. */
export function inEnglish(text: Localizable | string): string {
  if (typeof text === 'string') return text
  const { key, values } = text
  const [, one, other] = /^\{0, plural, one \{(.*)\} other \{(.*)\}\}$/.exec(key) ?? []
  const [count] = values
  const form = count === 1 ? one : other
  if (form !== undefined && typeof count === 'number') return form.replace('#', `${count}`)
  return key.replaceAll(/\{(\d+)\}/g, (_whole, index: string) => {
    const value = values[Number(index)] ?? ''
    return typeof value === 'object' ? inEnglish(value) : String(value)
  })
}

/** The summary of a call without changes. */
export const nothingToChange = localizable`Nothing to change`

/** The value that replaces a text that was removed or never existed. */
export const removed = localizable`(removed)`
export const empty = localizable`(empty)`
