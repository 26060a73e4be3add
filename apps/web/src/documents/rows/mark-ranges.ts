import type { TextRange } from '@copydesk/protocol'

/** A text in parts, with those in a range marked. Ranges that overlap or exceed the text are cut. */
export function markRanges(text: string, ranges: readonly TextRange[]): { part: string; isMarked: boolean }[] {
  const parts: { part: string; isMarked: boolean }[] = []
  let at = 0
  const add = (to: number, isMarked: boolean) => {
    if (to > at) parts.push({ part: text.slice(at, to), isMarked })
    at = Math.max(at, to)
  }
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    add(Math.min(from, text.length), false)
    add(Math.min(to, text.length), true)
  }
  add(text.length, false)
  return parts
}

const longestLead = 40

/** A text from shortly before its first range on, so that the range is visible in a narrow line. */
export function nearFirst(found: { text: string; ranges: readonly TextRange[] }) {
  const { text, ranges } = found
  const first = Math.min(...ranges.map(({ from }) => from))
  if (!Number.isFinite(first) || first <= longestLead) return found
  // After a space, if there is one: not within a word or a surrogate pair.
  const start = text.slice(0, first).indexOf(' ', first - longestLead) + 1 || first
  return {
    text: `…${text.slice(start)}`,
    ranges: ranges.map(({ from, to }) => ({ from: from - start + 1, to: to - start + 1 })),
  }
}
