import { foldText, showableText, sortKey } from './fold-text.ts'
import type { DocumentRow } from './tables.ts'

const wordsAtMost = 80
const previewAtMost = 200

/** The beginning of the first line with words, at most 80 characters and whole words; empty if there is none. */
export function firstWords(text: string): string {
  return beginning(oneLine(/^.*\S.*$/m.exec(text)?.[0] ?? ''), wordsAtMost)
}

/**
 * The beginning of a text, one line of at most 200 characters and whole words. Omits the title, or the first words that
 * are shown instead of it, if the text begins with them.
 */
function previewOf(text: string, title: string): string {
  // The text may contain line breaks between the words of the title, which can be longer there than `title`.
  const start = oneLine(text.slice(0, 4 * previewAtMost + 2 * title.length))
  const shown = oneLine(title) || firstWords(text)
  const isShown = shown !== '' && `${start} `.startsWith(`${shown} `)
  return beginning((isShown ? start.slice(shown.length) : start).trim(), previewAtMost)
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

function beginning(line: string, most: number): string {
  if (line.length <= most) return line
  const cut = line.slice(0, most + 1)
  const end = cut.lastIndexOf(' ')
  // A longer word is cut between two characters, never inside a surrogate pair.
  return end > 0 ? cut.slice(0, end) : line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}

/** The name of a document in lists: its title, or else its first words; empty if it has neither. */
export function shownTitle({ title, first_words }: Pick<DocumentRow, 'title' | 'first_words'>): string {
  return title || first_words
}

/** The title in lists in the forms for search and sorting. */
export function titleColumns(shown: string): Pick<DocumentRow, 'folded_title' | 'sort_title'> {
  return { folded_title: foldText(shown), sort_title: sortKey(shown) }
}

/** The data of a document's text that lists and search need. */
export type TextSummary = { text: string; shownText: string; firstWords: string; preview: string }

/** Summarises a document's text. */
export function summarizeText(text: string, title: string): TextSummary {
  return {
    text: foldText(text),
    shownText: showableText(text),
    firstWords: firstWords(text),
    preview: previewOf(text, title),
  }
}
