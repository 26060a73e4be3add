import type { TextPair } from './types.ts'

/** A range of the merged text of two versions: unchanged, removed or added. */
export type DiffPart = { kind: 'same' | 'old' | 'new'; text: string }

// The most words that are compared one by one; beyond, the difference is shown as one range.
const mostWords = 300
const longest = 400
const context = 40

/**
 * The difference between two texts in whole words, shortened for a small card: only a little unchanged text on either
 * side.
 */
export function diffWords({ before, after }: TextPair): DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  let lead = 0
  while (lead < Math.min(old.length, now.length) && old[lead] === now[lead]) lead += 1
  let tail = 0
  while (tail < Math.min(old.length, now.length) - lead && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  const parts: DiffPart[] = []
  push(parts, 'same', old.slice(0, lead))
  compare(parts, old.slice(lead, old.length - tail), now.slice(lead, now.length - tail))
  push(parts, 'same', old.slice(old.length - tail))
  return parts.map((part, index) => shorten(part, index === 0, index === parts.length - 1))
}

function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).filter((word) => word !== '')
}

function push(parts: DiffPart[], kind: DiffPart['kind'], words: readonly string[]): void {
  if (words.length > 0) parts.push({ kind, text: words.join('') })
}

/** The longest common subsequence of words; a lone space between two changes belongs to them. */
function compare(parts: DiffPart[], old: readonly string[], now: readonly string[]): void {
  if (old.length > mostWords || now.length > mostWords) {
    push(parts, 'old', old)
    push(parts, 'new', now)
    return
  }
  const lengths = commonLengths(old, now)
  let gone: string[] = []
  let come: string[] = []
  let same: string[] = []
  const flush = () => {
    push(parts, 'old', gone)
    push(parts, 'new', come)
    gone = []
    come = []
  }
  const settle = () => {
    if (same.join('').trim() === '') {
      gone.push(...same)
      come.push(...same)
    } else {
      flush()
      push(parts, 'same', same)
    }
    same = []
  }
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      same.push(old[i] ?? '')
      i += 1
      j += 1
      continue
    }
    settle()
    if (j >= now.length || (i < old.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      gone.push(old[i] ?? '')
      i += 1
    } else {
      come.push(now[j] ?? '')
      j += 1
    }
  }
  settle()
  flush()
}

function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => Array.from({ length: now.length + 1 }, () => 0))
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const [row, below] = [lengths[i] ?? [], lengths[i + 1] ?? []]
    for (let j = now.length - 1; j >= 0; j -= 1) {
      row[j] = old[i] === now[j] ? 1 + (below[j + 1] ?? 0) : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}

function shorten({ kind, text }: DiffPart, isFirst: boolean, isLast: boolean): DiffPart {
  if (kind !== 'same') return { kind, text: text.length > longest ? `${beginOf(text, longest)}…` : text }
  const begin = isFirst ? '' : beginOf(text, context)
  const end = isLast ? '' : endOf(text, context)
  return begin.length + end.length + 1 < text.length ? { kind, text: `${begin}…${end}` } : { kind, text }
}

function beginOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

function endOf(text: string, length: number): string {
  return text.slice(-length).replace(/^[\uDC00-\uDFFF]/, '')
}
