// Not the index: it contains all comparisons, which no bundler can drop.
import { diffArrays } from 'diff/lib/diff/array.js'
import type { TextPair } from '../common/types.ts'

/** A part of two lists: in both, only in the old one, or only in the new one. */
export type ListChange = { value: string[]; removed?: boolean; added?: boolean }

/** A range of the merged text of two versions: unchanged, removed or added. */
export type DiffPart = { kind: 'same' | 'old' | 'new'; text: string }

// The maximum number of words in which two texts may differ; above it, the difference is one range. It bounds the time.
const mostChanged = 400
const longest = 400
const context = 40

/**
 * The difference between two texts in whole words, shortened for a small card: only a little unchanged text on either
 * side.
 */
export function diffWords({ before, after }: TextPair): DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  const parts: DiffPart[] = []
  let [gone, come] = ['', '']
  const flush = () => {
    if (gone !== '') parts.push({ kind: 'old', text: gone })
    if (come !== '') parts.push({ kind: 'new', text: come })
    ;[gone, come] = ['', '']
  }
  const changes: readonly ListChange[] = diffLists(old, now, mostChanged)
  for (const [index, { added, removed, value }] of changes.entries()) {
    const text = value.join('')
    // A single space between two changes is part of them.
    const isBetween = text.trim() === '' && gone + come !== '' && index < changes.length - 1
    if (removed || isBetween) gone += text
    if (added || isBetween) come += text
    if (added || removed || isBetween || text === '') continue
    flush()
    parts.push({ kind: 'same', text })
  }
  flush()
  return parts.map((part, index) => shorten(part, index === 0, index === parts.length - 1))
}
/**
 * The difference between two lists of texts. Lists that differ in more than `most` of them are returned as one changed
 * range, which bounds the time.
 */
export function diffLists(old: string[], now: string[], most: number): readonly ListChange[] {
  return diffArrays(old, now, { maxEditLength: most }) ?? oneChange(old, now)
}

function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).filter((word) => word !== '')
}

// One change of all words between the shared ones at both ends.
function oneChange(old: readonly string[], now: readonly string[]): ListChange[] {
  let [lead, tail] = [0, 0]
  const shorter = Math.min(old.length, now.length)
  while (lead < shorter && old[lead] === now[lead]) lead += 1
  while (tail < shorter - lead && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  const [removed, added] = [old.slice(lead, old.length - tail), now.slice(lead, now.length - tail)]
  return [
    { value: old.slice(0, lead) },
    { value: removed, removed: true },
    { value: added, added: true },
    { value: old.slice(old.length - tail) },
  ]
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
