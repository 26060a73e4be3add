import { heaviestPairs } from '../heaviest-pairs.ts'

/** A differing range of two sequences: `from` to `to` of the old one is replaced by `at` to `end` of the new one. */
export type Hunk = { from: number; to: number; at: number; end: number }

/**
 * A line of text to compare: `text` has one UTF-16 unit for each position (U+FFFC for an atom), `keys` one string for
 * each position that distinguishes units with equal text. Units are the same only if both are equal. `isHeld` says
 * which units are paired before all others.
 */
export type Line = { text: string; keys: readonly string[]; isHeld: (position: number) => boolean }

type Token = { key: string; at: number; length: number; weight: number }

const maxCells = 250_000
const leastKept = 0.2

/**
 * The ranges in which `after` differs from `before`, in order and never touching each other: whole words are compared
 * first, then each range is narrowed to the characters that differ, never splitting a surrogate pair. Lines with too
 * many words to compare, or with next to nothing in common, give one range. With `byWords`, ranges stay whole words in
 * scripts that separate words.
 */
export function diffLines(before: Line, after: Line, byWords = false): Hunk[] {
  const [old, now] = [tokensOf(before), tokensOf(after)]
  let head = 0
  while (head < Math.min(old.length, now.length) && old[head]?.key === now[head]?.key) head++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail)?.key === now.at(-1 - tail)?.key) tail++
  const whole = {
    from: old[head]?.at ?? before.text.length,
    to: tail > 0 ? (old.at(-tail)?.at ?? 0) : before.text.length,
    at: now[head]?.at ?? after.text.length,
    end: tail > 0 ? (now.at(-tail)?.at ?? 0) : after.text.length,
  }
  const [oldMiddle, nowMiddle] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
  const isTooMuch = oldMiddle.length * nowMiddle.length > maxCells
  const common = isTooMuch ? [] : commonTokens(oldMiddle, nowMiddle)
  const hunks = hunksBetween(before, after, whole, common, byWords)
  return isRewritten(whole, hunks) && !hasHeld(before, whole) ? [whole] : hunks
}

function hunksBetween(
  before: Line,
  after: Line,
  whole: Hunk,
  common: readonly (readonly [Token, Token])[],
  byWords: boolean,
): Hunk[] {
  const hunks: Hunk[] = []
  let { from, at } = whole
  const add = (to: number, end: number) => {
    const piece = { from, to, at, end }
    const hunk = byWords && isInWords(before, after, piece) ? piece : narrow(before, after, piece)
    if (hunk) hunks.push(hunk)
  }
  for (const [a, b] of common) {
    add(a.at, b.at)
    from = a.at + a.length
    at = b.at + b.length
  }
  add(whole.to, whole.end)
  return hunks
}

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

// Pure insertions and deletions are always narrowed, which moves them to the beginning of a word.
function isInWords(before: Line, after: Line, { from, to, at, end }: Hunk): boolean {
  const texts = before.text.slice(from, to) + after.text.slice(at, end)
  return to > from && end > at && !withoutSpaces.test(texts)
}

// A few words in common by chance don't justify splitting a rewritten sentence.
function isRewritten(whole: Hunk, hunks: readonly Hunk[]): boolean {
  const size = whole.to - whole.from
  const kept = size - hunks.reduce((sum, { from, to }) => sum + to - from, 0)
  return hunks.length > 2 && kept < Math.max(size, whole.end - whole.at) * leastKept
}

function hasHeld(line: Line, { from, to }: Hunk): boolean {
  for (let position = from; position < to; position++) if (line.isHeld(position)) return true
  return false
}

const wordOrOther = /[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu
// Outweighs any word: held text is never given up for text that happens to be equal.
const heldWeight = 1_000

function tokensOf(line: Line): Token[] {
  const tokens: Token[] = []
  for (const match of line.text.matchAll(wordOrOther)) {
    for (const [at, end] of partsOf(line, match.index, match.index + match[0].length)) {
      const text = line.text.slice(at, end)
      // A common space alone doesn't justify keeping two words apart.
      const weight = line.isHeld(at) ? heldWeight : /\S/.test(text) ? text.length : 0.1
      tokens.push({ key: `${line.keys[at]} ${text}`, at, length: end - at, weight })
    }
  }
  return tokens
}

// Splits a word where its keys change, and held text into single characters, since any part of it may be missing.
function partsOf(line: Line, from: number, to: number): [from: number, to: number][] {
  const parts: [from: number, to: number][] = []
  let at = from
  for (let end = from + 1; end <= to; end++) {
    const isPart = end === to || line.keys[end] !== line.keys[at] || (line.isHeld(at) && !isPairAt(line, end))
    if (!isPart) continue
    parts.push([at, end])
    at = end
  }
  return parts
}

function commonTokens(old: readonly Token[], now: readonly Token[]): (readonly [Token, Token])[] {
  const gainOf = (i: number, j: number): number => (old[i]?.key === now[j]?.key ? (old[i]?.weight ?? 0) : 0)
  return heaviestPairs(old.length, now.length, gainOf).flatMap(([i, j]) => {
    const [a, b] = [old[i], now[j]]
    return a && b ? [[a, b] as const] : []
  })
}

// Trims the common prefix and suffix.
function narrow(before: Line, after: Line, hunk: Hunk): Hunk | undefined {
  let { from, to, at, end } = hunk
  const same = (a: number, b: number) => before.text[a] === after.text[b] && before.keys[a] === after.keys[b]
  while (from < to && at < end && same(from, at)) {
    from++
    at++
  }
  if (from > hunk.from && (isPairAt(before, from) || isPairAt(after, at))) {
    from--
    at--
  }
  while (from < to && at < end && same(to - 1, end - 1)) {
    to--
    end--
  }
  if (to < hunk.to && (isPairAt(before, to) || isPairAt(after, end))) {
    to++
    end++
  }
  if (from === to && at === end) return undefined
  const shift = from === to ? shiftToWord(before, after, { from, end, first: hunk.from }) : 0
  return { from: from - shift, to: to - shift, at: at - shift, end: end - shift }
}

/**
 * How far an insertion moves left to begin at the beginning of a word with the same result: "This is " before "THE END"
 * begins before the "T", not after it.
 */
function shiftToWord(
  before: Line,
  after: Line,
  { from, end, first }: { from: number; end: number; first: number },
): number {
  const isWord = (position: number) => /[\p{L}\p{N}\p{M}]/u.test(before.text[position] ?? '')
  let shift = 0
  while (from - shift > first && isWord(from - shift - 1) && isWord(from - shift)) {
    const [a, b] = [from - shift - 1, end - shift - 1]
    if (before.text[a] !== after.text[b] || before.keys[a] !== after.keys[b]) return 0
    shift++
  }
  return isPairAt(before, from - shift) ? 0 : shift
}

// Whether a cut at this position would split a surrogate pair.
function isPairAt({ text }: Line, position: number): boolean {
  return /[\uD800-\uDBFF]/.test(text[position - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[position] ?? '')
}
