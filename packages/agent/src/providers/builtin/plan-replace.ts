import type { Command } from './commands.ts'
import { matchCapitals, misspellings } from './misspellings.ts'
import { nextPage, pagesOf } from './pages.ts'
import { findPlaces, readBlocks, readError, readSearch, withoutMarker } from './results.ts'
import type { FoundPlace, SearchReading } from './results.ts'
import type { Exchanged, Move, Turn } from './turn.ts'
import { countOf, quote } from './wording.ts'

type Replace = Extract<Command, { kind: 'replace' }>
type EditCall = { name: 'edit_document'; arguments: Record<string, unknown> }

// How many parts of a long document are read to tell words from parts of words.
const maxPages = 3

// More calls than this in one answer would keep everybody waiting; the rest is offered.
const maxCalls = 100

/**
 * Replaces text: searches for it first, then edits every place by its number, the last first, so that a replacement
 * that holds the searched text is never found again. Whole words win over parts of words where both occur.
 */
export function planReplace(command: Replace, turn: Turn): Move {
  if (!turn.offers('edit_document')) return { text: 'I can only read here, so I have changed nothing.' }
  const edited = turn.rounds.find((round) => round.some(({ call }) => call.name === 'edit_document'))
  if (edited) return { text: report(edited, turn) }
  if (command.scope.block !== undefined) return inBlock(command, command.scope.block, turn)
  const searches = turn.rounds.flat().filter(({ call }) => call.name === 'search_document')
  const last = searches.at(-1)
  if (!last) {
    if (!turn.offers('search_document')) return { text: '', calls: [toCall(command, command.find, 'first')] }
    return search(command.find, !command.anyCase)
  }
  if (last.result.isError) return { text: `- I could not search: ${readError(last.result.text)}` }
  const wasExact = last.call.arguments['matchCase'] === true
  const reading = readSearch(last.result.text)
  const places = findPlaces(reading.blocks, command.find, !wasExact)
  if (places.length === 0 && !(wasExact && (reading.claimed ?? 0) > 0)) {
    if (wasExact) return search(command.find, false)
    return { text: notFound(command.find) }
  }
  if (command.whole) return wholeBlocks(command, places, reading)
  if (reading.claimed !== undefined && reading.claimed !== places.length && isWordLike(command.find)) {
    // The lines were shortened: only the full text tells which of the places are words.
    const more = nextPage(turn, maxPages)
    if (more) return more
    const blocks = pagesOf(turn).flatMap((page) => (page.result.isError ? [] : readBlocks(page.result.text)))
    const all = findPlaces(blocks, command.find, !wasExact)
    if (all.length === reading.claimed) return edits(toCalls(command, all, { ...reading, blocks }))
  }
  return edits(toCalls(command, places, reading))
}

function edits(calls: readonly EditCall[]): Move {
  if (calls.length === 0) {
    return { text: 'That stands only in a request to me, and requests stay as they are. I have changed nothing.' }
  }
  return { text: '', calls: calls.slice(0, maxCalls) }
}

function wholeBlocks(command: Replace, places: readonly FoundPlace[], reading: SearchReading): Move {
  const whole = new Set(
    reading.blocks.filter((block) => withoutMarker(block.text) === command.find).map((block) => block.number),
  )
  const calls = places.flatMap((place, index) => {
    if (!whole.has(place.block)) return []
    return [
      toCall(
        command,
        place.variant,
        places.slice(0, index + 1).filter((other) => other.variant === place.variant).length,
      ),
    ]
  })
  if (calls.length > 0) return edits(command.scope.occurrence === 'first' ? calls.slice(0, 1) : calls.toReversed())
  return {
    text: `${quote(command.find)} is only a part of its block. Quote the whole line that shall become a heading.`,
  }
}

function isRequest(text: string): boolean {
  return /(?:^|[^\p{L}\p{N}_])@agent(?![\p{L}\p{N}_])/u.test(text)
}

function isWordLike(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) || /[\p{L}\p{N}]$/u.test(text)
}

/** Corrects every common misspelling that the document shows. */
export function planFixTypos(turn: Turn): Move {
  if (!turn.offers('edit_document')) return { text: 'I can only read here, so I have changed nothing.' }
  const [read, edited] = turn.rounds
  if (edited) return { text: report(edited, turn) }
  const result = read?.[0]?.result
  if (!result) return { text: '', calls: [{ name: 'read_document', arguments: {} }] }
  if (result.isError) return { text: `- I could not read the document: ${readError(result.text)}` }
  const calls: EditCall[] = []
  const blocks = readBlocks(result.text)
  for (const [wrong, right] of misspellings) {
    const places = findPlaces(blocks, wrong, true)
    if (!places.some((place) => place.isWord)) continue
    const command: Replace = {
      kind: 'replace',
      find: wrong,
      replace: right,
      scope: { occurrence: 'all' },
      anyCase: true,
    }
    const reading = { blocks, claimed: undefined, isPartial: false }
    calls.push(
      ...toCalls(
        command,
        places.filter((place) => place.isWord || places.some((other) => other.isWord)),
        reading,
      ),
    )
  }
  if (calls.length > 0) return edits(calls)
  return {
    text: 'I found none of the common misspellings that I know. Name a word, and I will change it: change X to Y.',
  }
}

function inBlock(command: Replace, block: number, turn: Turn): Move {
  const read = turn.rounds.flat().findLast(({ call }) => call.name === 'read_document')
  // A number counts only once the block has been shown.
  if (!read) return { text: '', calls: [{ name: 'read_document', arguments: { from: block, to: block } }] }
  if (read.result.isError) return { text: `- I could not read block ${block}: ${readError(read.result.text)}` }
  const shown = readBlocks(read.result.text).filter((candidate) => candidate.number === block)
  const exact = findPlaces(shown, command.find, false)
  const places = exact.length > 0 ? exact : findPlaces(shown, command.find, true)
  if (places.length === 0)
    return { text: `${quote(command.find)} is not in block ${block}, so I have changed nothing.` }
  return { text: '', calls: toCalls(command, places, { blocks: shown, claimed: undefined, isPartial: false }, block) }
}

function search(query: string, matchCase: boolean): Move {
  return { text: '', calls: [{ name: 'search_document', arguments: { query, matchCase } }] }
}

function toCalls(command: Replace, places: readonly FoundPlace[], reading: SearchReading, block?: number): EditCall[] {
  const { occurrence } = command.scope
  const variants = [...new Set(places.map((place) => place.variant))]
  // Formatting inside of a text hides it from the lines that were shown; then the tool's own count is right.
  const hidden = variants.length <= 1 && block === undefined && (reading.claimed ?? 0) > places.length
  // "@agent replace teh with the" is a request and stays as it was written.
  const requests = new Set(reading.blocks.filter(({ text }) => isRequest(text)).map(({ number }) => number))
  const calls: EditCall[] = []
  for (const variant of variants.length > 0 ? variants : [command.find]) {
    const own = places.filter((place) => place.variant === variant)
    const words = own.filter((place) => place.isWord).length
    const onlyWords = places.some((place) => place.isWord) && !(hidden && words === own.length)
    const total = hidden && !(onlyWords && words < own.length) ? (reading.claimed ?? 0) : own.length
    // A word that is deleted takes one of its two spaces along. Where each place has one behind, the numbers stay the
    // same.
    const takesSpace = command.replace === '' && !hidden && own.every((place) => place.isBetweenSpaces)
    for (let number = total; number >= 1; number--) {
      const place = own[number - 1]
      if (onlyWords && place && !place.isWord) continue
      if (place && requests.has(place.block)) continue
      calls.push(toCall(command, takesSpace ? `${variant} ` : variant, number, block))
    }
  }
  if (occurrence === 'first') return calls.slice(-1)
  if (occurrence === 'last') return calls.slice(0, 1)
  return calls
}

function toCall(command: Replace, variant: string, occurrence: number | 'first', block?: number): EditCall {
  const replace = toReplacement(command, variant)
  return {
    name: 'edit_document',
    arguments: { find: variant, replace, ...(block === undefined ? {} : { block }), occurrence },
  }
}

function toReplacement(command: Replace, variant: string): string {
  if (variant === command.find) return command.replace
  // Formatting a text keeps it as it stands; another wording takes over its capitals.
  if (command.replace.includes(command.find)) return command.replace.replaceAll(command.find, () => variant)
  return command.find === command.find.toLowerCase() ? matchCapitals(variant, command.replace) : command.replace
}

function report(edits: readonly Exchanged[], turn: Turn): string {
  const done = new Map<string, number>()
  const failed = new Map<string, number>()
  let isSuggested = false
  for (const { call, result } of edits) {
    if (call.name !== 'edit_document') continue
    if (!result.isError && /\bsuggest/i.test(result.text)) isSuggested = true
    const line = result.isError
      ? `- Not changed, ${quote(String(call.arguments['find']))}: ${readError(result.text)}`
      : describeChange(String(call.arguments['find']), String(call.arguments['replace']))
    const lines = result.isError ? failed : done
    lines.set(line, (lines.get(line) ?? 0) + 1)
  }
  const bullets = [...done, ...failed].map(([line, count]) =>
    count > 1 && done.has(line) ? `${line} (${count}×)` : line,
  )
  if (isSuggested) bullets.push('These are suggestions: accept or reject them in the text.')
  const left = countLeft(edits, turn)
  if (left > 0)
    bullets.push(`${countOf(left, 'more place')} left as ${left === 1 ? 'it is' : 'they are'}; say it again to go on.`)
  return bullets.join('\n')
}

function describeChange(find: string, replace: string): string {
  if (replace === '') return `- deleted ${quote(find)}`
  return `- ${shorten(find)} → ${shorten(replace)}`
}

function shorten(text: string): string {
  const line = text.replaceAll('\n', ' ⏎ ')
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}

// Only what was left because of the limit on calls; the first or the last alone was asked for.
function countLeft(edits: readonly Exchanged[], turn: Turn): number {
  if (edits.length < maxCalls) return 0
  const search = turn.rounds.flat().findLast(({ call }) => call.name === 'search_document')
  return Math.max(0, (search ? (readSearch(search.result.text).claimed ?? 0) : 0) - edits.length)
}

function notFound(text: string): string {
  return `I did not find ${quote(text)} in the document, in any spelling of its capitals, so I have changed nothing. If it is there with other words or a line break inside, quote it exactly as it stands.`
}
