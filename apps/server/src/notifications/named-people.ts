import type { Mentioned } from '@copydesk/protocol'

const wordCharacter = /[\p{L}\p{N}_]/u

/**
 * The people whom a text names as `@name`, in their given order. A longer name takes precedence over its prefixes, so
 * that “@Ana Lima” doesn't name Ana. The `@` must begin a word and the name must end one.
 */
export function namedPeople(text: string, people: readonly Mentioned[]): Mentioned[] {
  let rest = text
  const named = new Set<Mentioned>()
  for (const person of people.toSorted((a, b) => b.name.length - a.name.length)) {
    const parts = rest.split(`@${person.name}`)
    const kept = parts.reduce((before, after) => {
      if (wordCharacter.test(before.at(-1) ?? '') || wordCharacter.test(after[0] ?? '')) {
        return `${before}@${person.name}${after}`
      }
      named.add(person)
      // The text may also mean another person with the same name.
      return people.some((other) => other !== person && other.name === person.name)
        ? `${before}@${person.name}${after}`
        : `${before}\u0000${after}`
    })
    rest = kept
  }
  return people.filter((person) => named.has(person))
}

/**
 * The beginning of a text for a notification, on one line and without bidi control characters, which would affect other
 * text.
 */
export function excerptOf(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim()
  return line.length <= excerptLimit
    ? line
    : `${line
        .slice(0, excerptLimit - 1)
        .toWellFormed()
        .trimEnd()}…`
}

const excerptLimit = 240
