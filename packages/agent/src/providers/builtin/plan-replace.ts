import type { Command, Replace } from './command.ts'
import { choose, findForCommand, isFound, isRequest } from './find-places.ts'
import type { Found, Hit } from './find-places.ts'
import { matchCapitals, misspellings } from './misspellings.ts'
import { reportChanges } from './report.ts'
import { findPlaces, readBlocks, readError, readSearch, readSelected } from './results.ts'
import { callOf, resultOf } from './turn.ts'
import type { Exchanged, Move, Turn } from './turn.ts'
import { countOf } from './builtin-messages.ts'

type Call = { name: string; arguments: Record<string, unknown> }

// More calls than this in one answer would block other users too long; the answer offers to do the rest.
const maxCalls = 100

const onlyReading = 'I can only read here, so I have changed nothing.'

/**
 * Replaces text: searches for it first, then edits every match by its index, last first, so that a replacement that
 * contains the searched text is never matched again. With "everywhere", one call for each spelling replaces all
 * matches.
 */
export function planReplace(command: Replace, turn: Turn): Move {
  if (!turn.offers('edit_document')) return { text: onlyReading }
  const edited = changingRound(turn)
  if (edited) return { text: report(edited, turn) }
  const found = findForCommand(command, turn)
  if (!isFound(found)) return found
  return (
    (command.scope.everywhere === true && replaceEverywhere(command, found, turn)) || edits(toCalls(command, found))
  )
}

/** Corrects every common misspelling in the shown text. */
export function planFixTypos(turn: Turn): Move {
  if (!turn.offers('edit_document')) return { text: onlyReading }
  const [read, edited] = turn.rounds
  if (edited) return { text: report(edited, turn) }
  const result = read?.[0]?.result
  if (!result) return callOf('read_document', {})
  if (result.isError) return { text: `- I could not read the document: ${readError(result.text)}` }
  const calls: Call[] = []
  const blocks = readBlocks(result.text)
  for (const [wrong, right] of misspellings) {
    const places = findPlaces(blocks, wrong, true)
    if (!places.some((place) => place.isWord)) continue
    const scope = { occurrence: 'all' as const }
    const command: Replace = { kind: 'replace', find: wrong, replace: right, scope, anyCase: true }
    const reading = { blocks, claimed: undefined, isPartial: false }
    calls.push(...toCalls(command, choose(command, places, reading, false)))
  }
  if (calls.length > 0) return edits(calls)
  return {
    text: 'I found none of the common misspellings that I know. Name a word, and I will change it: change X to Y.',
  }
}

/** Replaces only the person's selection, even if the same words occur elsewhere. */
export function planReplaceSelection(command: Extract<Command, { kind: 'replace-selection' }>, turn: Turn): Move {
  const { find, replace } = command
  if (!turn.offers('read_selection')) {
    return planReplace({ kind: 'replace', find, replace, scope: { occurrence: 'all' }, anyCase: false }, turn)
  }
  if (!turn.offers('edit_document')) return { text: onlyReading }
  const edited = changingRound(turn)
  if (edited) return { text: report(edited, turn) }
  const read = resultOf(turn, 'read_selection')
  if (!read) return callOf('read_selection', {})
  if (read.result.isError) return { text: `- Not changed: ${readError(read.result.text)}` }
  const selected = readSelected(read.result.text)
  if (!selected) return { text: 'The selection is too long for me to change at once. Select less of it.' }
  const { text, block, occurrence } = selected
  const where = block === undefined ? {} : { block }
  return callOf('edit_document', { find: text, replace, ...where, ...(occurrence === undefined ? {} : { occurrence }) })
}

function changingRound(turn: Turn): Exchanged[] | undefined {
  return turn.rounds.find((round) =>
    round.some(({ call }) => call.name === 'edit_document' || call.name === 'replace_text'),
  )
}

function edits(calls: readonly Call[]): Move {
  if (calls.length === 0) {
    return { text: 'That stands only in a request to me, and requests stay as they are. I have changed nothing.' }
  }
  return { text: '', calls: calls.slice(0, maxCalls) }
}

// A single call can neither skip requests to the agent nor delete a space along with each word.
function replaceEverywhere(command: Replace, found: Found, turn: Turn): Move | undefined {
  const takesSpace = command.replace === '' && found.variants.some(({ isBetweenSpaces }) => isBetweenSpaces)
  if (!turn.offers('replace_text') || found.skipped || takesSpace || command.scope.occurrence !== 'all')
    return undefined
  if (command.scope.block !== undefined || found.variants.length === 0) return undefined
  if (found.isPartial) {
    const requests = turn.rounds.flat().find(({ call }) => call.arguments['query'] === '@agent')
    if (!requests) return callOf('search_document', { query: '@agent', matchCase: false })
    if (holdsRequestWith(command.find, requests)) return undefined
  }
  const isWord = found.variants.some((variant) => variant.isWord)
  if (found.isPartial && !found.wasExact) {
    const { find: searchText, replace: newText } = command
    return callOf('replace_text', { searchText, newText, matchCase: false, wholeWord: isWord })
  }
  const calls = found.variants.map((variant) => {
    const newText = toReplacement(command, variant.text)
    return {
      name: 'replace_text',
      arguments: { searchText: variant.text, newText, matchCase: true, wholeWord: isWord },
    }
  })
  return { text: '', calls }
}

function holdsRequestWith(text: string, requests: Exchanged): boolean {
  const reading = readSearch(requests.result.text)
  if (requests.result.isError || reading.isPartial) return true
  return reading.blocks.some((block) => isRequest(block.text) && findPlaces([block], text, true).length > 0)
}

function toCalls(command: Replace, found: Found): Call[] {
  return found.hits.map((hit) => toCall(command, hit))
}

function toCall(command: Replace, hit: Hit): Call {
  const { occurrence, block } = hit
  const takesSpace = command.replace === '' && hit.isBetweenSpaces
  const where = block === undefined ? {} : { block }
  const replace = toReplacement(command, hit.variant)
  const find = takesSpace ? `${hit.variant} ` : hit.variant
  return { name: 'edit_document', arguments: { find, replace, ...where, occurrence } }
}

/** The replacement of a text, in the capitalisation of the match. */
export function toReplacement({ find, replace }: { find: string; replace: string }, variant: string): string {
  if (variant === find) return replace
  // Formatting a text keeps its capitalisation; another wording takes over that of the match.
  if (replace.includes(find)) return replace.replaceAll(find, () => variant)
  return find === find.toLowerCase() ? matchCapitals(variant, replace) : replace
}

function report(made: readonly Exchanged[], turn: Turn): string {
  const bullets = reportChanges(made, turn)
  const left = countLeft(made, turn)
  if (left > 0)
    bullets.push(`${countOf(left, 'more place')} left as ${left === 1 ? 'it is' : 'they are'}; say it again to go on.`)
  return bullets.join('\n')
}

// Counts only matches left because of the limit on calls, not those outside of a requested first or last match.
function countLeft(made: readonly Exchanged[], turn: Turn): number {
  if (made.length < maxCalls) return 0
  const search = turn.rounds.flat().findLast(({ call }) => call.name === 'search_document')
  return Math.max(0, (search ? (readSearch(search.result.text).claimed ?? 0) : 0) - made.length)
}
