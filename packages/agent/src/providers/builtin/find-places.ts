import { nextPage, pagesOf } from './pages.ts'
import type { Scope } from './phrases.ts'
import { findPlaces, readBlocks, readError, readSearch, withoutMarker } from './results.ts'
import type { FoundPlace, SearchReading } from './results.ts'
import { callOf } from './turn.ts'
import type { Move, Turn } from './turn.ts'
import { quote } from './builtin-messages.ts'

/** A text to search for. With `whole`, only where it is the whole content of its block. */
export type Wanted = { find: string; scope: Scope; anyCase?: boolean; whole?: boolean }

/**
 * One match: the text as found, the index of the occurrence (in `block` if a block was named), the block in which it
 * was shown, and whether every occurrence of it has a space on either side.
 */
export type Hit = {
  variant: string
  occurrence: number | 'first'
  block?: number
  shownIn?: number
  isBetweenSpaces: boolean
}

/**
 * One spelling of the text; with `isWord` only its matches as a separate word; `isEvery` if all its matches are hits.
 */
export type Variant = { text: string; isWord: boolean; isEvery: boolean; isBetweenSpaces: boolean }

/**
 * The matches of a text, last first, so that changes in that order keep the indices of the others valid. `skipped`:
 * some are in requests to the agent, which stay unchanged; `isPartial`: there are more matches that haven't been shown.
 */
export type Found = { hits: Hit[]; variants: Variant[]; skipped: boolean; isPartial: boolean; wasExact: boolean }

// How many parts of a long document are read to tell words from parts of words.
const maxPages = 3

/**
 * Searches for a text: returns the next call that the search needs, or the answer if there is no match, or the matches.
 * Whole words take precedence over parts of words, exact capitalisation over others.
 */
export function findForCommand(wanted: Wanted, turn: Turn): Move | Found {
  if (wanted.scope.block !== undefined) return inBlock(wanted, wanted.scope.block, turn)
  const searches = turn.rounds
    .flat()
    .filter(({ call }) => call.name === 'search_document' && call.arguments['query'] === wanted.find)
  const last = searches.at(-1)
  if (!last) {
    const first: Hit = { variant: wanted.find, occurrence: 'first', isBetweenSpaces: false }
    if (!turn.offers('search_document')) return found([first], [], { isPartial: false, wasExact: true })
    return search(wanted.find, wanted.anyCase !== true)
  }
  if (last.result.isError) return { text: `- I could not search: ${readError(last.result.text)}` }
  const wasExact = last.call.arguments['matchCase'] === true
  const reading = readSearch(last.result.text)
  const places = findPlaces(reading.blocks, wanted.find, !wasExact)
  if (places.length === 0 && !(wasExact && (reading.claimed ?? 0) > 0)) {
    if (wasExact) return search(wanted.find, false)
    return { text: notFound(wanted.find) }
  }
  if (wanted.whole) return wholeBlocks(wanted, places, reading, wasExact)
  if (reading.claimed !== undefined && reading.claimed !== places.length && isWordLike(wanted.find)) {
    // The lines were shortened: only the full text shows which of the matches are words.
    const more = nextPage(turn, maxPages)
    if (more) return more
    const blocks = pagesOf(turn).flatMap((page) => (page.result.isError ? [] : readBlocks(page.result.text)))
    const all = findPlaces(blocks, wanted.find, !wasExact)
    if (all.length === reading.claimed) return choose(wanted, all, { ...reading, blocks, isPartial: false }, wasExact)
  }
  return choose(wanted, places, reading, wasExact)
}

/** Whether there are matches; else a call or an answer comes first. */
export function isFound(found: Move | Found): found is Found {
  return 'hits' in found
}

/** Whether a block is a request to the agent, such as "@agent replace teh with the": it stays unchanged. */
export function isRequest(text: string): boolean {
  return /(?:^|[^\p{L}\p{N}_])@agent(?![\p{L}\p{N}_])/u.test(text)
}

function found(
  hits: Hit[],
  variants: Variant[],
  rest: { isPartial: boolean; wasExact: boolean },
  skipped = false,
): Found {
  return { hits, variants, skipped, ...rest }
}

function search(query: string, matchCase: boolean): Move {
  return callOf('search_document', { query, matchCase })
}

function isWordLike(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) || /[\p{L}\p{N}]$/u.test(text)
}

function inBlock(wanted: Wanted, block: number, turn: Turn): Move | Found {
  const read = turn.rounds.flat().findLast(({ call }) => call.name === 'read_document')
  // A block number is valid only once the block has been shown.
  if (!read) return callOf('read_document', { from: block, to: block })
  if (read.result.isError) return { text: `- I could not read block ${block}: ${readError(read.result.text)}` }
  const shown = readBlocks(read.result.text).filter((candidate) => candidate.number === block)
  const exact = findPlaces(shown, wanted.find, false)
  const places = exact.length > 0 ? exact : findPlaces(shown, wanted.find, true)
  if (places.length === 0) return { text: `${quote(wanted.find)} is not in block ${block}, so I have changed nothing.` }
  return choose(wanted, places, { blocks: shown, claimed: undefined, isPartial: false }, exact.length > 0, block)
}

function wholeBlocks(
  wanted: Wanted,
  places: readonly FoundPlace[],
  reading: SearchReading,
  wasExact: boolean,
): Move | Found {
  const whole = new Set(
    reading.blocks.filter((block) => withoutMarker(block.text) === wanted.find).map((block) => block.number),
  )
  const hits = places.flatMap((place, index): Hit[] => {
    if (!whole.has(place.block)) return []
    const before = places.slice(0, index + 1).filter((other) => other.variant === place.variant)
    return [{ variant: place.variant, occurrence: before.length, shownIn: place.block, isBetweenSpaces: false }]
  })
  const rest = { isPartial: reading.isPartial, wasExact }
  if (hits.length > 0)
    return found(wanted.scope.occurrence === 'first' ? hits.slice(0, 1) : hits.toReversed(), [], rest)
  return { text: `${quote(wanted.find)} is only a part of its block. Quote the whole line that it shall be.` }
}

/** Selects the matches for a command from those that were shown. */
export function choose(
  wanted: Wanted,
  places: readonly FoundPlace[],
  reading: SearchReading,
  wasExact: boolean,
  block?: number,
): Found {
  const { occurrence } = wanted.scope
  const names = [...new Set(places.map((place) => place.variant))]
  // Formatting inside a text hides it from the shown lines; then the tool's own count is right.
  const hidden = names.length <= 1 && block === undefined && (reading.claimed ?? 0) > places.length
  const requests = new Set(reading.blocks.filter(({ text }) => isRequest(text)).map(({ number }) => number))
  const hits: Hit[] = []
  const variants: Variant[] = []
  let skipped = false
  for (const variant of names.length > 0 ? names : [wanted.find]) {
    const own = places.filter((place) => place.variant === variant)
    const words = own.filter((place) => place.isWord).length
    const onlyWords = places.some((place) => place.isWord) && !(hidden && words === own.length)
    const total = hidden && !(onlyWords && words < own.length) ? (reading.claimed ?? 0) : own.length
    // If each match is followed by a space, a deleted word can include its space, and the indices stay valid.
    const isBetweenSpaces = !hidden && own.every((place) => place.isBetweenSpaces)
    for (let number = total; number >= 1; number--) {
      const place = own[number - 1]
      if (onlyWords && place && !place.isWord) continue
      if (place && requests.has(place.block)) {
        skipped = true
        continue
      }
      const where = { ...(block === undefined ? {} : { block }), ...(place ? { shownIn: place.block } : {}) }
      hits.push({ variant, occurrence: number, ...where, isBetweenSpaces })
    }
    const isEvery = !onlyWords || (!hidden && words === own.length)
    if (hits.some((hit) => hit.variant === variant))
      variants.push({ text: variant, isWord: places.some((place) => place.isWord), isEvery, isBetweenSpaces })
  }
  const isPartial = reading.isPartial || (reading.claimed ?? 0) > places.length
  const chosen = occurrence === 'first' ? hits.slice(-1) : occurrence === 'last' ? hits.slice(0, 1) : hits
  return found(chosen, variants, { isPartial, wasExact }, skipped)
}

function notFound(text: string): string {
  return `I did not find ${quote(text)} in the document, in any spelling of its capitals, so I have changed nothing. If it is there with other words or a line break inside, quote it exactly as it stands.`
}
