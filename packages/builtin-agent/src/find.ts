import { quote, unchanged } from './messages.ts'
import { ask, change, type Input, type Plan, type Steps, stop } from './plan.ts'
import { type FoundPlace, findPlaces, readBlocks, type ShownBlock } from './results.ts'
import type { Scope, Target } from './terms.ts'

/** A match: the text as found, which occurrence it is in the document and in its block, if that is known. */
export type Hit = { variant: string; occurrence: number; block?: number; inBlock?: number }

/** The matches of a text, last first, so that changes in that order keep the indices of the others valid. */
export type Found = {
  hits: readonly Hit[]
  blocks: readonly ShownBlock[]
  isWord: boolean
  variants: readonly string[]
  /** Whether no match was left out, and whether at least none was because it is in a request to the agent. */
  isEvery: boolean
  isFree: boolean
  /** Each is followed by a space, so that a deleted word can include it and the indices of the others stay valid. */
  isBetweenSpaces: boolean
}

/** `anyCase`: capitals don't matter. `atOnce`: one call changes all whole words, so that not each has to be seen. */
type Wanted = Pick<Target, 'find' | 'scope' | 'isQuoted'> & { anyCase?: boolean; atOnce?: boolean }

/** Searches for a text, exact capitalisation first; ends the plan if it isn't there or not all of it can be seen. */
export function* find({ find: query, scope, isQuoted, anyCase = false, atOnce = false }: Wanted): Steps<Found> {
  for (const matchCase of anyCase ? [false] : [true, false]) {
    const result = yield* ask('search_document', { query, matchCase })
    const blocks = readBlocks(result)
    const places = findPlaces(blocks, query, !matchCase)
    const total = Number(/^(\d+) match/.exec(result)?.[1] ?? places.length)
    if (total === 0) continue
    const found = choose(places, blocks, scope)
    // "cat" doesn't mean a part of "category", but scripts without spaces have no other matches.
    if (places.length > 0 && !found.isWord && !isQuoted && !hasNoSpaces.test(query))
      return yield* stop(`${quote(query)} is only a part of other words here. Quote it to mean that. ${unchanged}`)
    if (total === places.length) return found
    // Long lines and many matches are shortened: the full text shows all.
    const pages = yield* readPages(3)
    const all = findPlaces(pages.blocks, query, !matchCase)
    if (all.length === total) return choose(all, pages.blocks, scope)
    const isSure = atOnce && matchCase && found.isWord && found.isFree
    if (isSure && !/^[1-9]/.test(yield* ask('search_document', { query: '@agent', matchCase: false })))
      return { ...found, isBetweenSpaces: false }
    return yield* stop(`I can not see all ${total} places of ${quote(query)}. ${unchanged}`)
  }
  return yield* stop(
    `I did not find ${quote(query)} in the document, in any spelling of its capitals. If it is there with other words or a line break inside, quote it exactly. ${unchanged}`,
  )
}

const hasNoSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Selects the matches for a command: whole words where there are some, and none in a request to the agent. */
export function choose(places: readonly FoundPlace[], blocks: readonly ShownBlock[], scope: Scope): Found {
  const requests = new Set(blocks.filter(isRequest).map(({ number }) => number))
  const isWord = places.some((place) => place.isWord)
  const counts = new Map<string, number>()
  const count = (key: string): number => counts.set(key, (counts.get(key) ?? 0) + 1).get(key) ?? 1
  const hits = places
    .map((place) => ({ ...place, occurrence: count(place.variant), inBlock: count(`${place.block} ${place.variant}`) }))
    .filter((place) => place.isWord === isWord && !requests.has(place.block))
    .toReversed()
  return {
    hits: scope.occurrence === 'first' ? hits.slice(-1) : scope.occurrence === 'last' ? hits.slice(0, 1) : hits,
    blocks,
    isWord,
    variants: [...new Set(hits.map(({ variant }) => variant))],
    isEvery: hits.length === places.length,
    isFree: places.every((place) => place.isWord !== isWord || !requests.has(place.block)),
    isBetweenSpaces: places.every((place) => place.isBetweenSpaces),
  }
}

type InputOf = (hit: Hit) => Input

/** One call of `name` for each place of a text, or for the selection; `isSingle`: several places are declined. */
export function* onEach(name: string, target: Target, line: string, inputOf?: InputOf, isSingle = false): Plan {
  const { find: text, isSelection } = target
  if (isSelection)
    return yield* change(name, [{ ...inputOf?.({ variant: text, occurrence: 1 }), selection: true }], line)
  const { hits } = yield* find(target)
  if (isSingle && hits.length > 1)
    return `${quote(text)} is there ${hits.length} times: say “the first” or “the last”, or quote more words. ${unchanged}`
  const inputs = hits.map((hit) => ({ search: hit.variant, occurrence: hit.occurrence, ...inputOf?.(hit) }))
  return yield* change(name, inputs, line)
}

// A block is a request to the agent, such as "@agent replace teh with the": it stays unchanged.
function isRequest({ text }: ShownBlock): boolean {
  return /(?:^|[^\p{L}\p{N}_])@agent(?![\p{L}\p{N}_])/u.test(text)
}

/** Reads the blocks of at most the first `most` parts of the document, and the document's header. */
export function* readPages(most: number): Steps<{ blocks: ShownBlock[]; header: string }> {
  const pages: string[] = []
  let next: string | undefined = '{}'
  while (next !== undefined && pages.length < most) {
    pages.push(yield* ask('read_document', JSON.parse(next)))
    next = /read_document (\{"from": \d+(?:, "offset": \d+)?\})/.exec(pages.at(-1) ?? '')?.[1]
  }
  return { blocks: pages.flatMap(readBlocks), header: pages[0] ?? '' }
}
