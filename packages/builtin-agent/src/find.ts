import { quote } from './messages.ts'
import type { Scope } from './phrase.ts'
import { type FoundPlace, findPlaces, plainResult, readBlocks, readSentence, type ShownBlock } from './results.ts'
import { callOf, type Move, type Turn } from './turn.ts'

/** One match: the text as found and the index of the occurrence; `block` is unknown if it wasn't shown. */
export type Hit = { variant: string; occurrence: number; block: number | undefined }

/**
 * The matches of a text, last first, so that changes in that order keep the indices of the others valid. `skipped`:
 * some are in requests to the agent, which stay unchanged; `isPartial`: not all were shown; `isEvery`: none was left
 * out.
 */
export type Found = {
  hits: Hit[]
  variants: string[]
  blocks: readonly ShownBlock[]
  isWord: boolean
  isEvery: boolean
  skipped: boolean
  isPartial: boolean
  /** Each is followed by a space, so that a deleted word can include it and the indices of the others stay valid. */
  isBetweenSpaces: boolean
}

/** Searches for a text, exact capitalisation first: a call that the search needs, an answer, or the matches. */
export function find(wanted: { find: string; scope: Scope; anyCase?: boolean }, turn: Turn): Move | Found {
  const { find: query, scope } = wanted
  const last = turn.made.findLast(({ call }) => call.name === 'search_document' && call.arguments['query'] === query)
  if (!last) return callOf('search_document', { query, matchCase: wanted.anyCase !== true })
  if (last.result.isError) return { text: `- I could not search: ${readSentence(last.result)}` }
  const wasExact = last.call.arguments['matchCase'] === true
  const blocks = readBlocks(last.result.text)
  const places = findPlaces(blocks, query, !wasExact)
  const claimed = Number(/^(\d+) match/.exec(plainResult(last.result.text))?.[1] ?? places.length)
  if (places.length === 0 && (claimed === 0 || !wasExact)) {
    if (wasExact) return callOf('search_document', { query, matchCase: false })
    return {
      text: `I did not find ${quote(query)} in the document, in any spelling of its capitals, so I have changed nothing. If it is there with other words or a line break inside, quote it exactly.`,
    }
  }
  if (claimed !== places.length && /^[\p{L}\p{N}]|[\p{L}\p{N}]$/u.test(query)) {
    // The lines were shortened: only the full text shows which of the matches are words.
    const pages = readPages(turn, 3)
    if ('calls' in pages) return pages
    const all = findPlaces(pages.blocks, query, !wasExact)
    if (all.length === claimed) return choose(query, scope, all, pages.blocks, claimed)
  }
  return choose(query, scope, places, blocks, claimed)
}

/** Selects the matches for a command: whole words where there are some, and none in a request to the agent. */
export function choose(
  text: string,
  scope: Scope,
  places: readonly FoundPlace[],
  blocks: readonly ShownBlock[],
  claimed = places.length,
): Found {
  const requests = new Set(blocks.flatMap((block) => (isRequest(block) ? [block.number] : [])))
  const isWord = places.some((place) => place.isWord)
  const kept = places.filter((place) => place.isWord === isWord)
  const variants = [...new Set(kept.map(({ variant }) => variant))]
  const isPartial = claimed > places.length
  const counts = new Map<string, number>()
  const hits = places.flatMap((place): Hit[] => {
    const { variant, block } = place
    const occurrence = (counts.get(variant) ?? 0) + 1
    counts.set(variant, occurrence)
    if (place.isWord !== isWord || requests.has(block)) return []
    return [{ variant, occurrence, block }]
  })
  // Formatting inside a text hides it from the shown lines; then the count of the search is right.
  if (isPartial && kept.length === places.length && variants.length < 2) {
    const variant = variants[0] ?? text
    for (let occurrence = places.length + 1; occurrence <= claimed; occurrence++)
      hits.push({ variant, occurrence, block: undefined })
  }
  hits.reverse()
  const skipped = kept.some(({ block }) => requests.has(block))
  const { occurrence } = scope
  return {
    hits: occurrence === 'first' ? hits.slice(-1) : occurrence === 'last' ? hits.slice(0, 1) : hits,
    variants,
    blocks,
    isWord,
    isEvery: !isPartial && !skipped && kept.length === places.length,
    skipped,
    isPartial,
    isBetweenSpaces: !isPartial && places.every((place) => place.isBetweenSpaces),
  }
}

/** Whether a block is a request to the agent, such as "@agent replace teh with the": it stays unchanged. */
export function isRequest({ text }: ShownBlock): boolean {
  return /(?:^|[^\p{L}\p{N}_])@agent(?![\p{L}\p{N}_])/u.test(text)
}

/**
 * The blocks of the first `most` parts of the document and what precedes them, or the call that reads the next part.
 */
export function readPages(
  turn: Turn,
  most: number,
): Extract<Move, { calls: unknown }> | { blocks: ShownBlock[]; header: string } {
  const pages = turn.made.flatMap(({ call, result }) => (call.name === 'read_document' ? [result] : []))
  const last = pages.at(-1)
  const [, from, offset] = /read_document \{"from": (\d+)(?:, "offset": (\d+))?\}/.exec(last?.text ?? '') ?? []
  if (!last) return callOf('read_document', {})
  if (from !== undefined && pages.length < most && !last.isError)
    return callOf('read_document', { from: Number(from), ...(offset === undefined ? {} : { offset: Number(offset) }) })
  const read = pages.filter(({ isError }) => !isError).map(({ text }) => plainResult(text))
  return { blocks: read.flatMap(readBlocks), header: read[0] ?? '' }
}
