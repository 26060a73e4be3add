import { firstIndex } from '@copydesk/schema/ids'
import type { Node } from 'prosemirror-model'
import type { Range } from '../document/changed-ranges.ts'
import { normalize } from '../text/normalize.ts'
import { type FlatText, flatTextAround, flatTextOf } from './flat-text.ts'

/** The text that a thread refers to, with some of the text before and after it, blocks separated by line feeds. */
export type QuoteInContext = { quote: string; prefix: string; suffix: string }

const contextLength = 32
// A single occurrence of a quote with this many letters and digits is reliable; a shorter quote needs its context.
const distinctiveLetters = 15
const distinctiveContext = 6
const margin = 3

/** The text of a range of `doc` with up to 32 characters on either side, with all suggested changes accepted. */
export function contextOf(doc: Node, from: number, to: number): QuoteInContext {
  const end = doc.content.size
  for (let reach = contextLength; ; reach *= 8) {
    const window = { from: Math.max(0, from - reach), to: Math.min(end, to + reach) }
    const { text, offsetsOf } = flatTextAround(doc, window)
    const offsets = offsetsOf({ from, to })
    const prefix = text.slice(Math.max(0, offsets.from - contextLength), offsets.from)
    const suffix = text.slice(offsets.to, offsets.to + contextLength)
    const reachesBefore = prefix.length === contextLength || window.from === 0
    if (!reachesBefore || (suffix.length < contextLength && window.to < end)) continue
    const quote = text.slice(offsets.from, offsets.to)
    return { quote, prefix: prefix.replace(/^[\uDC00-\uDFFF]/, ''), suffix: suffix.replace(/[\uD800-\uDBFF]$/, '') }
  }
}

/**
 * Finds a quote in `doc` after it was cut and pasted or retyped: exactly, or else with another encoding of quotes,
 * dashes, white space and accents. It may span formatting, and blocks if the quote does. The context decides between
 * several matches; `undefined` unless one match is clearly the best: a short quote needs some of its context even if it
 * occurs only once.
 */
export function findQuote(doc: Node, wanted: QuoteInContext): Range | undefined {
  if (wanted.quote.trim() === '') return undefined
  const flat = flatTextOf(doc)
  const exact = placesOf(wanted.quote, flat.text).filter((place) => flat.positionsOf(place))
  if (exact.length > 0) {
    const place = choose(exact, flat.text, wanted)
    return place && flat.positionsOf(place)
  }
  const squeezed = squeezeText(flat)
  const inFlat = ({ from, to }: Range): Range => ({ from: squeezed.start(from), to: squeezed.end(to) })
  const similar = squeezeQuote(wanted)
  const places = placesOf(similar.quote, squeezed.text).filter((each) => {
    const place = inFlat(each)
    const spansBlocks = flat.text.slice(place.from, place.to).includes('\n')
    return (!spansBlocks || wanted.quote.includes('\n')) && flat.positionsOf(place)
  })
  const place = choose(places, squeezed.text, similar)
  return place && flat.positionsOf(inFlat(place))
}

function squeezeQuote({ quote, prefix, suffix }: QuoteInContext): QuoteInContext {
  return { quote: squeeze(quote.trim()).text, prefix: squeeze(prefix).text, suffix: squeeze(suffix).text }
}

function placesOf(wanted: string, text: string): Range[] {
  const places: Range[] = []
  if (wanted === '') return places
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    places.push({ from: at, to: at + wanted.length })
  }
  return places
}

function choose(places: readonly Range[], text: string, wanted: QuoteInContext): Range | undefined {
  const isAlone = places.length === 1
  if (isAlone && weigh(wanted.quote) >= distinctiveLetters) return places[0]
  let best: { place: Range; score: number } | undefined
  let second = 0
  for (const place of places) {
    const score = agreement(place, text, wanted)
    if (!best || score > best.score) {
      second = best?.score ?? 0
      best = { place, score }
    } else second = Math.max(second, score)
  }
  if (!best || best.score < distinctiveContext) return undefined
  return isAlone || best.score >= second + margin ? best.place : undefined
}

// The number of letters around a match that agree with those around the quote. If all known context on both sides
// agrees, including the document's ends if it reached them, that is sufficient even if it is short.
function agreement(place: Range, text: string, { prefix, suffix }: QuoteInContext): number {
  let before = 0
  while (before < prefix.length && prefix.at(-before - 1) === text[place.from - before - 1]) before++
  let after = 0
  while (after < suffix.length && suffix[after] === text[place.to + after]) after++
  const isWholeBefore = before === prefix.length && (before * 2 >= contextLength || place.from === before)
  const isWholeAfter = after === suffix.length && (after * 2 >= contextLength || place.to + after === text.length)
  const letters = weigh(prefix.slice(prefix.length - before)) + weigh(suffix.slice(0, after))
  return isWholeBefore && isWholeAfter ? letters + distinctiveContext + margin : letters
}

// Counts letters and digits; a character of a script that writes whole words with one counts as several letters.
function weigh(text: string): number {
  const ideographs =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + 2 * ideographs
}

const squeezedTexts = new WeakMap<FlatText, Squeezed>()

function squeezeText(flat: FlatText): Squeezed {
  const cached = squeezedTexts.get(flat)
  if (cached) return cached
  const made = squeeze(flat.text)
  squeezedTexts.set(flat, made)
  return made
}

type Squeezed = { text: string; start(offset: number): number; end(offset: number): number }

// Normalises and collapses every run of white space to one space. A match ends where its last unit ends, not where the
// next one begins.
function squeeze(original: string): Squeezed {
  const normalized = normalize(original)
  const parts: string[] = []
  const cuts: { at: number; left: number }[] = []
  let read = 0
  let left = 0
  for (const run of normalized.text.matchAll(/\s{2,}|[^\S ]/g)) {
    parts.push(normalized.text.slice(read, run.index), ' ')
    read = run.index + run[0].length
    left += run[0].length - 1
    if (run[0].length > 1) cuts.push({ at: read - left, left })
  }
  parts.push(normalized.text.slice(read))
  const unitAt = (offset: number): number => offset + (cuts[firstIndex(cuts, ({ at }) => at > offset) - 1]?.left ?? 0)
  return {
    text: parts.join(''),
    start: (offset) => normalized.start(unitAt(offset)),
    end: (offset) => (offset === 0 ? 0 : normalized.start(unitAt(offset - 1) + 1)),
  }
}
