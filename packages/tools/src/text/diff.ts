import { heaviestPairs } from '@copydesk/schema'

/** A replacement: `from` to `to` of the old text by `text`, which begins at `at` of the new one. */
export type Hunk = { from: number; to: number; at: number; text: string }

const maxCells = 250_000

/**
 * The ranges in which `after` differs from `before`, in order: whole words are compared, then each range is narrowed to
 * the characters that differ. Text between the ranges is not touched, so a user who writes there isn't disturbed. Texts
 * with too many words to compare give one range.
 */
export function diffText(before: string, after: string): Hunk[] {
  const old = tokens(before)
  const now = tokens(after)
  if (old.length * now.length > maxCells) return narrow(before, { from: 0, to: before.length, at: 0, text: after })
  const hunks: Hunk[] = []
  let from = 0
  let at = 0
  for (const [i, j] of [...commonTokens(old, now), [old.length, now.length] as const]) {
    const oldEnd = lengthOf(old, i)
    const newEnd = lengthOf(now, j)
    if (oldEnd > from || newEnd > at) {
      hunks.push(...narrow(before, { from, to: oldEnd, at, text: after.slice(at, newEnd) }))
    }
    from = oldEnd + (old[i]?.text.length ?? 0)
    at = newEnd + (now[j]?.text.length ?? 0)
  }
  return hunks
}

type Token = { text: string; at: number }

function tokens(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu)].map((m) => ({ text: m[0], at: m.index }))
}

function lengthOf(list: readonly Token[], index: number): number {
  const token = list[index]
  if (token) return token.at
  const last = list.at(-1)
  return last ? last.at + last.text.length : 0
}

// A common space alone doesn't justify keeping two words apart.
function commonTokens(old: readonly Token[], now: readonly Token[]): (readonly [number, number])[] {
  return heaviestPairs(old.length, now.length, (i, j) => {
    const text = old[i]?.text ?? ''
    if (text !== now[j]?.text) return 0
    return /\S/.test(text) ? text.length : 0.1
  })
}

// Trims the common prefix and suffix, never splitting a surrogate pair.
function narrow(before: string, hunk: Hunk): Hunk[] {
  const old = before.slice(hunk.from, hunk.to)
  const { text } = hunk
  const limit = Math.min(old.length, text.length)
  let head = 0
  while (head < limit && old[head] === text[head]) head++
  if (head > 0 && isHighSurrogate(old, head - 1)) head--
  let tail = 0
  while (tail < limit - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++
  if (tail > 0 && isLowSurrogate(old, old.length - tail)) tail--
  const narrowed = {
    from: hunk.from + head,
    to: hunk.to - tail,
    at: hunk.at + head,
    text: text.slice(head, text.length - tail),
  }
  return narrowed.from === narrowed.to && narrowed.text === '' ? [] : [narrowed]
}

function isHighSurrogate(text: string, index: number): boolean {
  return /[\uD800-\uDBFF]/.test(text[index] ?? '')
}

function isLowSurrogate(text: string, index: number): boolean {
  return /[\uDC00-\uDFFF]/.test(text[index] ?? '')
}
