import type { TextRange } from '@copydesk/protocol'

/** A text in parts, those in a range marked. Ranges that overlap or lie outside of the text are cut. */
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
