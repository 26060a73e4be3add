import { type EnglishText, t, translations } from './translate.ts'

let namesByText: ReadonlyMap<string, readonly string[]> | undefined

/**
 * The English names for a label in the user's language, none in English: users also search by the names that they know
 * from other programs.
 */
export function englishNames(label: string): readonly string[] {
  namesByText ??= readNames()
  return namesByText.get(label) ?? []
}

/** Other search terms in the user's language and in English. */
export function searchWords(words: EnglishText): string {
  const translated = t(words)
  return translated === words ? words : `${translated} ${words}`
}

function readNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const [english, text] of translations()) {
    const name = english.replace(/\|.*/, '')
    names.set(text, [...(names.get(text) ?? []), name])
  }
  return names
}
