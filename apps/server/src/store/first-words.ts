import type { DocumentRow } from './tables.ts'

const most = 80

/** The beginning of the first line that has words, at most 80 characters and whole words; empty if there is none. */
export function firstWords(text: string): string {
  const line = /^.*\S.*$/m.exec(text)?.[0].trim().replace(/\s+/g, ' ') ?? ''
  if (line.length <= most) return line
  const cut = line.slice(0, most + 1)
  const end = cut.lastIndexOf(' ')
  // A word that is longer than that is cut between its characters.
  return end > 0 ? cut.slice(0, end) : line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}

/** The name of a document in lists: its title, or else its first words; empty if it has neither. */
export function shownTitle({ title, first_words }: Pick<DocumentRow, 'title' | 'first_words'>): string {
  return title || first_words
}
