import type { Mentioned } from '@copydesk/protocol'

const wordCharacter = /[\p{L}\p{N}_]/u

/**
 * Which of these people a text names as `@name`, in their order. A longer name counts before a shorter one that it begins with, so that
 * “@Ana Lima” doesn't name Ana. The `@` begins a word and the name ends one.
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
      // Another person of the same name may be meant as well.
      return people.some((other) => other !== person && other.name === person.name)
        ? `${before}@${person.name}${after}`
        : `${before}\u0000${after}`
    })
    rest = kept
  }
  return people.filter((person) => named.has(person))
}

/** The beginning of a text for a notification, in one line and without characters that change how others' text is shown. */
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
