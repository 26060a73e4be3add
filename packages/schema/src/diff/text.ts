import { differing, differingAt, heaviestPairs } from './sequence.ts'

/** A differing range of two texts: `from` to `to` of the old one is replaced by `at` to `end` of the new one. */
export type Hunk = { from: number; to: number; at: number; end: number }

/**
 * A text to compare, with U+FFFC for an atom. `keys` has a string for each UTF-16 unit that distinguishes units with
 * equal text: units are the same only if both are equal. `isHeld` says which units are paired before all others.
 */
export type Line = { text: string; keys?: readonly string[]; isHeld?: (position: number) => boolean }

type Token = { key: string; at: number; length: number; weight: number }

const maxCells = 250_000
const leastKept = 0.2

/**
 * The ranges in which `after` differs from `before`, in order and never adjacent: whole words are compared first, then
 * each range is narrowed to the characters that differ, never splitting a surrogate pair. Texts with too many words to
 * compare result in one range, and so do texts with almost no common words and replaced words next to each other,
 * unless `keepsFew`. With `byWords`, ranges stay whole words in scripts that separate words.
 */
export function diffText(before: Line, after: Line, { byWords = false, keepsFew = false } = {}): Hunk[] {
  const [olds, news] = [tokensOf(before), tokensOf(after)]
  const { first, oldEnd, newEnd } = differing(olds, news, (a, b) => a.key === b.key)
  const [old, now] = [olds.slice(first, oldEnd), news.slice(first, newEnd)]
  const whole = {
    from: olds[first]?.at ?? before.text.length,
    to: olds[oldEnd]?.at ?? before.text.length,
    at: news[first]?.at ?? after.text.length,
    end: news[newEnd]?.at ?? after.text.length,
  }
  const isTooMuch = old.length * now.length > maxCells
  const gainOf = (a: Token, b: Token): number => (a.key === b.key ? a.weight : 0)
  const hunks: Hunk[] = []
  let { from, at } = whole
  const end: Token = { key: '', at: whole.end, length: 0, weight: 0 }
  const pairs = (isTooMuch ? [] : heaviestPairs(old, now, gainOf)).map(([i, j]) => [old[i], now[j]])
  for (const [a, b] of [...pairs, [{ ...end, at: whole.to }, end]]) {
    if (!a || !b) continue
    const hunk = narrow(before, after, { from, to: a.at, at, end: b.at }, byWords)
    if (hunk) hunks.push(hunk)
    from = a.at + a.length
    at = b.at + b.length
  }
  if (keepsFew) return hunks
  return isRewritten(whole, hunks) && !hasHeld(before, whole) ? [whole] : joinWords(before, hunks)
}

/** Joins replacements of neighbouring words: a phrase that replaces another is read as a whole, not word by word. */
function joinWords(before: Line, hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    const isPhrase = last && isReplacement(last) && isReplacement(hunk) && before.text.slice(last.to, hunk.from) === ' '
    if (isPhrase && !hasHeld(before, { from: last.to, to: hunk.from }))
      joined.splice(-1, 1, { ...last, to: hunk.to, end: hunk.end })
    else joined.push(hunk)
  }
  return joined
}

const isReplacement = ({ from, to, at, end }: Hunk): boolean => to > from && end > at

const wordOrOther = /[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu
// Outweighs any word: held text is always paired before text that is equal by chance.
const heldWeight = 1_000

function tokensOf(line: Line): Token[] {
  const tokens: Token[] = []
  for (const match of line.text.matchAll(wordOrOther)) {
    for (const [at, end] of partsOf(line, match.index, match.index + match[0].length)) {
      const text = line.text.slice(at, end)
      // A common space alone doesn't justify keeping two words apart.
      const weight = line.isHeld?.(at) ? heldWeight : /\S/.test(text) ? text.length : 0.1
      tokens.push({ key: `${line.keys?.[at]} ${text}`, at, length: end - at, weight })
    }
  }
  return tokens
}

// Splits a word where its keys change, and held text into single characters, since any part of it may be missing.
function partsOf(line: Line, from: number, to: number): [from: number, to: number][] {
  const parts: [from: number, to: number][] = []
  let at = from
  for (let end = from + 1; end <= to; end++) {
    const isPart = end === to || line.keys?.[end] !== line.keys?.[at] || (line.isHeld?.(at) && !isPairAt(line, end))
    if (!isPart) continue
    parts.push([at, end])
    at = end
  }
  return parts
}

// Trims the common prefix and suffix; `undefined` if nothing is left.
function narrow(before: Line, after: Line, hunk: Hunk, byWords: boolean): Hunk | undefined {
  if (byWords && isInWords(before, after, hunk)) return hunk
  const isSame = (i: number, j: number): boolean => {
    const [a, b] = [hunk.from + i, hunk.at + j]
    return before.keys?.[a] === after.keys?.[b] && characterAt(before, a) === characterAt(after, b)
  }
  const { first, oldEnd, newEnd } = differingAt(hunk.to - hunk.from, hunk.end - hunk.at, isSame)
  const [from, to, at, end] = [hunk.from + first, hunk.from + oldEnd, hunk.at + first, hunk.at + newEnd]
  if (from === to && at === end) return undefined
  const shift = from === to ? shiftToWord(before, after, { from, end, first: hunk.from }) : 0
  return { from: from - shift, to: to - shift, at: at - shift, end: end - shift }
}

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

// Pure insertions and deletions are always narrowed, which moves them to the beginning of a word.
function isInWords(before: Line, after: Line, { from, to, at, end }: Hunk): boolean {
  const texts = before.text.slice(from, to) + after.text.slice(at, end)
  return to > from && end > at && !withoutSpaces.test(texts)
}

/**
 * The distance by which an insertion moves left to begin at the beginning of a word with the same result: "This is "
 * before "THE END" begins before the "T", not after it.
 */
function shiftToWord(before: Line, after: Line, { from, end, first }: { from: number; end: number; first: number }) {
  const isWord = (position: number) => /[\p{L}\p{N}\p{M}]/u.test(before.text[position] ?? '')
  let shift = 0
  while (from - shift > first && isWord(from - shift - 1) && isWord(from - shift)) {
    const [a, b] = [from - shift - 1, end - shift - 1]
    if (before.text[a] !== after.text[b] || before.keys?.[a] !== after.keys?.[b]) return 0
    shift++
  }
  return isPairAt(before, from - shift) ? 0 : shift
}

// A few words in common by chance don't justify splitting a rewritten sentence.
function isRewritten(whole: Hunk, hunks: readonly Hunk[]): boolean {
  const size = whole.to - whole.from
  const kept = size - hunks.reduce((sum, { from, to }) => sum + to - from, 0)
  return hunks.length > 2 && kept < Math.max(size, whole.end - whole.at) * leastKept
}

function hasHeld(line: Line, { from, to }: Pick<Hunk, 'from' | 'to'>): boolean {
  for (let position = from; position < to; position++) if (line.isHeld?.(position)) return true
  return false
}

// Whether a cut at this position would split a surrogate pair.
function isPairAt({ text }: Line, position: number): boolean {
  return /[\uD800-\uDBFF]/.test(text[position - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[position] ?? '')
}

// The whole character that a unit is part of.
function characterAt(line: Line, position: number): string {
  const start = isPairAt(line, position) ? position - 1 : position
  return String.fromCodePoint(line.text.codePointAt(start) ?? 0)
}
