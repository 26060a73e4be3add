/**
 * The values that an attribute may have. `allows` checks every value that a client writes. `fit` converts a value of an
 * existing document to an allowed one and throws a `RangeError` if the value is unusable; with `cuts` it also shortens
 * text that is too long, if a part of it is still usable. `range` describes the values in docs/protocol.md.
 */
export type AttributeRule = {
  range: string
  allows(value: unknown): boolean
  fit(value: unknown, cuts: boolean): unknown
}

const isPrimitive = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/**
 * An integer in a range. A value above the range is clamped to its end; no editor writes any other value outside of it.
 */
export function integer(from: number, to: number): AttributeRule {
  const isAbove = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= from
  return {
    range: `a whole number from ${format(from)} to ${format(to)}`,
    allows: (value) => isAbove(value) && Number(value) <= to,
    fit(value) {
      if (!isAbove(value)) throw new RangeError('no whole number')
      return Math.min(Number(value), to)
    },
  }
}

/** Text of at most `most` UTF-16 units; with `part`, a prefix of it is still usable. */
export function text(most: number, { part = false } = {}): AttributeRule {
  return {
    range: `text of at most ${format(most)} characters`,
    allows: (value) => typeof value === 'string' && value.length <= most,
    fit(value, cuts) {
      if (!isPrimitive(value)) throw new RangeError('no text')
      return cuts && part ? cutText(String(value), most) : String(value)
    },
  }
}

/** One of a fixed set of words; `fit` converts any other value to `fallback`. */
export function oneOf(words: readonly string[], fallback: string | null): AttributeRule {
  const isOne = (value: unknown) => words.some((word) => word === value)
  return {
    range: `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
    allows: isOne,
    fit(value) {
      if (!isPrimitive(value)) throw new RangeError('no word')
      return isOne(value) ? value : fallback
    },
  }
}

/** A boolean; `fit` throws for any other value. */
export const flag: AttributeRule = {
  range: 'true or false',
  allows: (value) => typeof value === 'boolean',
  fit(value) {
    if (typeof value !== 'boolean') throw new RangeError('neither true nor false')
    return value
  },
}

/** The width or height of an image in pixels, or as text with `px` or `%`; `fit` converts any other value to null. */
export const extent: AttributeRule = {
  range: 'a number above 0 and up to 10,000, or that as text, with or without `px` or `%`',
  allows: isExtent,
  fit(value) {
    if (!isPrimitive(value)) throw new RangeError('no size')
    return isExtent(value) ? value : null
  },
}

function isExtent(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 12 && isExtent(sizeOf(value))
  return typeof value === 'number' && value > 0 && value <= 10_000
}

function sizeOf(value: string): number {
  return Number(/^(\d+(?:\.\d+)?)(?:px|%)?$/.exec(value)?.[1] ?? Number.NaN)
}

/** The widths of the columns that a cell spans. `fit` converts longer lists to null. */
export function widths(most: number): AttributeRule {
  const areNumbers = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length <= most && value.every((width) => typeof width === 'number')
  const isWidth = (width: number) => width >= 0 && width <= 10_000
  return {
    range: `a list of at most ${format(most)} numbers from 0 to 10,000`,
    allows: (value) => areNumbers(value) && value.every(isWidth),
    fit(value) {
      if (!Array.isArray(value)) throw new RangeError('no list of widths')
      return areNumbers(value) && value.every(isWidth) ? value : null
    },
  }
}

/** The given rule, which also allows null. */
export function nullable({ range, allows, fit }: AttributeRule): AttributeRule {
  return {
    range: `${range}; or none`,
    allows: (value) => value === null || allows(value),
    fit: (value, cuts) => (value === null ? null : fit(value, cuts)),
  }
}

/** The first `most` UTF-16 units of a text, without half a surrogate pair at the end. */
export function cutText(value: string, most: number): string {
  if (value.length <= most) return value
  const last = value.charCodeAt(most - 1)
  return value.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

// `toLocaleString` would load the browser's language data before a document is shown.
function format(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
