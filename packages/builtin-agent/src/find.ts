import { type Answer, sayUnchanged } from './language/answers.ts'
import { ask, change, type Input, type Plan, type Steps, stop } from './plan.ts'
import { findPlaces, readBlocks, type ShownBlock } from './results.ts'
import type { Target } from './terms.ts'

/** What begins a request: `@agent`, or else the handle of a named agent, which looks like the mention of a person. */
const mentions = [/(?<![\p{L}\p{N}_])@agent\b/u, /(?<![\p{L}\p{N}_])@[a-z][a-z0-9-]*/u]

/**
 * The places of a text as calls name them, last first, so that changes keep the indices of the others valid; the
 * selection has no block. `isBetweenSpaces`: each is followed by a space, which a deleted word can include.
 */
type Found = { hits: readonly { at: Input; block?: ShownBlock }[]; isWord: boolean; isBetweenSpaces: boolean }

/** Finds the selection or a text in its very capitalisation; ends the plan if it isn't there or not all can be seen. */
export function* find({ find: query, scope, isQuoted, isSelection }: Target, atOnce = false): Steps<Found> {
  if (isSelection) return { hits: [{ at: { selection: true } }], isWord: true, isBetweenSpaces: false }
  const result = yield* ask('search_document', { query, matchCase: true })
  let places = findPlaces(readBlocks(result), query)
  const total = Number(/^(\d+) match/.exec(result)?.[1] ?? places.length)
  if (total === 0)
    return yield* stop(sayUnchanged('I did not find “{query}”: give it exactly as it is written.', { query }))
  // Long lines and many matches are shortened: the full text shows all, unless one call changes all whole words.
  if (places.length < total && !atOnce) places = findPlaces((yield* readPages(3)).blocks, query)
  // A search doesn't count the text of the run's own request, which blocks show.
  for (const mention of places.length > total ? mentions : []) {
    const others = places.filter(({ before }) => !mention.test(before))
    if (others.length === total) places = others
  }
  if (places.length === 0 || (places.length !== total && !atOnce))
    return yield* stop(sayUnchanged('I can not see all {total} places of “{query}”.', { total, query }))
  const isWord = places.some((place) => place.isWord)
  // "cat" doesn't mean a part of "category", but scripts without spaces have no other matches.
  if (!isWord && !isQuoted && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(query))
    return yield* stop(sayUnchanged('“{query}” is only a part of other words here. Quote it to mean that.', { query }))
  const numbered = places.map((place, index) => ({ ...place, at: { find: query, occurrence: index + 1 } }))
  const hits = numbered.filter((place) => place.isWord === isWord).toReversed()
  const chosen = { all: hits, first: hits.slice(-1), last: hits.slice(0, 1) }[scope.occurrence]
  return { hits: chosen, isWord, isBetweenSpaces: places.every((place) => place.isBetweenSpaces) }
}

/** One call of `name` for each place of a text, or for the selection; `isSingle`: several places are declined. */
export function* onEach(name: string, target: Target, line: Answer, input: Input = {}, isSingle = false): Plan {
  const { hits } = yield* find(target)
  const inputs = hits.map(({ at }) => ({ ...at, ...input }))
  if (!isSingle || inputs.length === 1) return yield* change(name, inputs, line)
  const said = { text: target.find, count: hits.length }
  return sayUnchanged('“{text}” is there {count} times: say “the first” or “the last”, or quote more words.', said)
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
