import { foldedTextOf, lowerCase, normalizedTextOf } from './folded.ts'
import { normalize } from './normalize.ts'
import type { Segment } from './segments.ts'

const candidates = 8
const compared = 10
const longest = 200
const longestSegment = 20_000
const most = 3
const nearlyAsGood = 0.25

/** A text of the document that is similar to the searched one. */
export type NearestText = { text: string; segment: Segment }

/**
 * The parts of the document's text that are most similar to `wanted`, for "Did you mean …?", best first: at most three
 * different ones that don't overlap, nearly as similar as the best; none if no similarity is at least one half. Ignores
 * case, and the encoding of quotes, dashes and accents. Segments are first ranked by the trigrams that they share with
 * `wanted` (bigrams if it is short or has no spaces), then runs of words in the best of them; only the best of those
 * are compared character by character.
 */
export function findNearest(wanted: string, segments: Iterable<Segment>): NearestText[] {
  const query = lowerCase(normalize(wanted.trim().slice(0, longest)).text)
  if (query === '') return []
  const grams = createGrams(query)
  const ranked: { segment: Segment; shared: number }[] = []
  let least = 0
  for (const segment of segments) {
    const shared = grams.countShared(foldedTextOf(segment.text, segment.node))
    if (shared <= least) continue
    ranked.push({ segment, shared })
    if (ranked.length < 4 * candidates) continue
    ranked.sort((a, b) => b.shared - a.shared).splice(candidates)
    least = ranked.at(-1)?.shared ?? 0
  }
  ranked.sort((a, b) => b.shared - a.shared)
  const windows = ranked.slice(0, candidates).flatMap(({ segment }) => listWindows(query, segment, grams))
  windows.sort((a, b) => b.rank - a.rank)
  const scored = windows
    .slice(0, 3 * compared)
    .map((window) => ({ window, text: originalOf(window), score: likeness(query, window.folded) }))
    .filter(({ score }) => score > 0.5)
    .sort((a, b) => b.score - a.score)
  const nearest: typeof scored = []
  for (const next of scored) {
    if (nearest.length === most || next.score < (nearest[0]?.score ?? 0) - nearlyAsGood) break
    const isNew = nearest.every(({ window, text }) => text !== next.text && !overlap(window, next.window))
    if (isNew) nearest.push(next)
  }
  return nearest.map(({ window: { segment }, text }) => ({ text, segment }))
}

function overlap(a: Window, b: Window): boolean {
  return a.segment === b.segment && a.from < b.from + b.folded.length && b.from < a.from + a.folded.length
}

type Window = { segment: Segment; from: number; folded: string; rank: number }

function originalOf({ segment, from, folded }: Window): string {
  const normalized = normalizedTextOf(segment.text, segment.node)
  return segment.text.slice(normalized.start(from), normalized.start(from + folded.length))
}

type Grams = {
  size: number
  /** The number of different grams of the query in a text. */
  countShared(text: string): number
  /** The number of grams of the query that begin before each unit of a text (prefix sums). */
  sumHits(text: string): Uint32Array
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const slots = 1 << 14

// A hash table returns the gram of the query at almost every position of a text in one look-up, for any number of
// grams.
function createGrams(query: string): Grams {
  const size = query.length < 6 || unspaced.test(query) ? 2 : 3
  const padded = ` ${query} `
  const places: number[] = []
  const table = new Uint16Array(slots)
  const same = (text: string, at: number, place: number): boolean =>
    text.charCodeAt(at) === padded.charCodeAt(place) &&
    text.charCodeAt(at + 1) === padded.charCodeAt(place + 1) &&
    (size === 2 || text.charCodeAt(at + 2) === padded.charCodeAt(place + 2))
  // The number of the gram at a position, from 1; 0 for none. Grams with the same hash are in the following slots.
  const numberAt = (text: string, at: number, hash: number): number => {
    for (let slot = hash, number = table[slot]; number; number = table[++slot & (slots - 1)]) {
      if (same(text, at, places[number - 1] ?? 0)) return number
    }
    return 0
  }
  for (let at = 0; at + size <= padded.length; at++) {
    let slot = hashAt(padded, at, size)
    if (numberAt(padded, at, slot) > 0) continue
    while (table[slot] !== 0) slot = (slot + 1) & (slots - 1)
    table[slot] = places.push(at)
  }
  const seenIn = new Uint32Array(places.length + 1)
  let round = 0
  return {
    size,
    countShared(text) {
      round++
      let shared = 0
      for (let at = 0; at + size <= text.length; at++) {
        const hash = hashAt(text, at, size)
        if (table[hash] === 0) continue
        const number = numberAt(text, at, hash)
        if (number === 0 || seenIn[number] === round) continue
        seenIn[number] = round
        shared++
      }
      return shared
    },
    sumHits(text) {
      const sums = new Uint32Array(text.length + 1)
      for (let at = 0; at < text.length; at++) {
        const isHit = at + size <= text.length && numberAt(text, at, hashAt(text, at, size)) > 0
        sums[at + 1] = (sums[at] ?? 0) + (isHit ? 1 : 0)
      }
      return sums
    },
  }
}

function hashAt(text: string, at: number, size: number): number {
  const two = Math.imul(text.charCodeAt(at), 31) + text.charCodeAt(at + 1)
  return (size === 2 ? two : Math.imul(two, 31) + text.charCodeAt(at + 2)) & (slots - 1)
}

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu

// Runs with about as many words as the query, with the share of common grams by length.
function listWindows(query: string, segment: Segment, grams: Grams): Window[] {
  const text = foldedTextOf(segment.text, segment.node).slice(0, longestSegment)
  const words = [...text.matchAll(word)].map((match) => ({ from: match.index, to: match.index + match[0].length }))
  const size = query.match(word)?.length ?? 1
  const sums = grams.sumHits(text)
  const windows: Window[] = []
  for (let count = Math.max(1, size - 1); count <= size + 1; count++) {
    for (let first = 0; first + count <= words.length; first++) {
      const from = words[first]?.from ?? 0
      const to = words[first + count - 1]?.to ?? 0
      if (Math.abs(to - from - query.length) > query.length) continue
      // A gram may begin one unit before the window, as does the space before the query.
      const hits = (sums[Math.max(from, to - grams.size + 2)] ?? 0) - (sums[Math.max(0, from - 1)] ?? 0)
      const rank = hits / Math.max(to - from, query.length)
      windows.push({ segment, from, folded: text.slice(from, to), rank })
    }
  }
  return windows.sort((a, b) => b.rank - a.rank).slice(0, compared)
}

// Both in lower case; 1 means equal.
function likeness(a: string, b: string): number {
  return a === b ? 1 : 1 - editDistance(a, b) / Math.max(a.length, b.length)
}

/** Edit distance in which two swapped letters count once (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1
  let older = new Uint16Array(width)
  let previous = Uint16Array.from({ length: width }, (_, i) => i)
  let current = new Uint16Array(width)
  for (let i = 1; i <= a.length; i++) {
    current[0] = i
    const letter = a.charCodeAt(i - 1)
    const letterBefore = a.charCodeAt(i - 2)
    for (let j = 1; j < width; j++) {
      const other = b.charCodeAt(j - 1)
      const cost = letter === other ? 0 : 1
      let value = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost)
      const swapped = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && letterBefore === other
      if (swapped) value = Math.min(value, (older[j - 2] ?? 0) + 1)
      current[j] = value
    }
    ;[older, previous, current] = [previous, current, older]
  }
  return previous[b.length] ?? 0
}
