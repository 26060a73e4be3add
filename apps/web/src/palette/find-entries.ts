import fuzzysort from 'fuzzysort'
import type { PaletteEntry, PaletteGroup } from '../common/commands/palette-additions.ts'
import { englishNames, searchWords } from '../i18n/search-words.ts'

/** The number of shown entries of a group: of an unfiltered one, and of one that a search has filtered. */
const shown = { all: 60, found: 8 }

// Letters that are scattered over a label are not an intended match.
const leastScore = 0.4

type Scored = { entry: PaletteEntry; score: number }

/**
 * The entries that match a search, best first, and groups by their best entry; without a search all of them in their
 * own order. `isFound`: whether an entry matches although its label and words don't, such as a document by its text.
 */
export function findEntries(
  groups: readonly PaletteGroup[],
  search: string,
  isFound: (entry: PaletteEntry) => boolean = () => false,
): PaletteGroup[] {
  const query = search.trim()
  if (query === '') return groups.map((group) => cut(group, shown.all)).filter(hasEntries)
  return groups
    .map(({ title, entries }) => ({ title, scored: score(entries, query, isFound) }))
    .toSorted((a, b) => bestOf(b.scored) - bestOf(a.scored))
    .map(({ title, scored }) => cut({ title, entries: scored.map(({ entry }) => entry) }, shown.found))
    .filter(hasEntries)
}

function score(entries: readonly PaletteEntry[], query: string, isFound: (entry: PaletteEntry) => boolean): Scored[] {
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, query) }))
    .filter((scored) => scored.score >= leastScore || isFound(scored.entry))
    .toSorted((a, b) => b.score - a.score)
}

/** The score of an entry's match, from 0 to 1. */
function scoreOf({ label, words = [] }: PaletteEntry, query: string): number {
  const isBeginning = label.toLowerCase().startsWith(query.toLowerCase())
  const byLabel = isBeginning ? 1 : scoreIn(label, query)
  // Other search terms count less than the name.
  const byWords = 0.8 * scoreIn(words.map(searchWords).join(' '), query)
  const byEnglish = Math.max(0, ...englishNames(label).map((name) => 0.8 * scoreIn(name, query)))
  return Math.max(byLabel, byWords, byEnglish)
}

function scoreIn(text: string, query: string): number {
  return fuzzysort.single(query, text)?.score ?? 0
}

function bestOf(scored: readonly Scored[]): number {
  return scored[0]?.score ?? 0
}

function cut({ title, entries }: PaletteGroup, count: number): PaletteGroup {
  return { title, entries: entries.slice(0, count) }
}

function hasEntries({ entries }: PaletteGroup): boolean {
  return entries.length > 0
}
