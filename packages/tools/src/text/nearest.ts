import type { Segment } from './segments.ts'

const candidates = 8
const longest = 200

/**
 * The piece of the document's text most like `wanted`, for "Did you mean …?"; `undefined` if nothing is at least half
 * alike. Segments are first ranked by the trigrams that they share with it, the best are then compared word by word.
 */
export function findNearest(
  wanted: string,
  segments: Iterable<Segment>,
): { text: string; segment: Segment } | undefined {
  const query = wanted.trim().slice(0, longest)
  const grams = trigrams(query)
  if (grams.size === 0) return undefined
  const ranked: { segment: Segment; shared: number }[] = []
  for (const segment of segments) {
    const shared = countShared(grams, segment.text)
    if (shared > 0) ranked.push({ segment, shared })
  }
  ranked.sort((a, b) => b.shared - a.shared)
  let best: { text: string; segment: Segment; score: number } | undefined
  for (const { segment } of ranked.slice(0, candidates)) {
    const found = bestWindow(query, segment.text)
    if (found && found.score > (best?.score ?? 0.5)) best = { ...found, segment }
  }
  return best && { text: best.text, segment: best.segment }
}

function trigrams(text: string): Set<string> {
  const padded = ` ${text.toLowerCase()} `
  const grams = new Set<string>()
  for (let at = 0; at + 3 <= padded.length; at++) grams.add(padded.slice(at, at + 3))
  return grams
}

function countShared(grams: ReadonlySet<string>, text: string): number {
  const padded = ` ${text.toLowerCase()} `
  let shared = 0
  for (const gram of grams) if (padded.includes(gram)) shared++
  return shared
}

function bestWindow(query: string, text: string): { text: string; score: number } | undefined {
  const words = [...text.matchAll(/\S+/g)].slice(0, 2_000)
  const size = query.split(/\s+/).length
  let best: { text: string; score: number } | undefined
  for (let count = Math.max(1, size - 1); count <= size + 1; count++) {
    for (let first = 0; first + count <= words.length; first++) {
      const from = words[first]?.index ?? 0
      const last = words[first + count - 1]
      const window = text.slice(from, (last?.index ?? 0) + (last?.[0].length ?? 0))
      if (Math.abs(window.length - query.length) > query.length) continue
      const score = likeness(query, window)
      if (score > (best?.score ?? 0)) best = { text: window, score }
    }
  }
  return best
}

function likeness(a: string, b: string): number {
  if (a.toLowerCase() === b.toLowerCase()) return 0.99
  return 1 - distance(a.toLowerCase(), b.toLowerCase()) / Math.max(a.length, b.length)
}

// Edit distance in which two swapped letters count once (optimal string alignment).
function distance(a: string, b: string): number {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) value = Math.min(value, (older[j - 2] ?? 0) + 1)
      current.push(value)
    }
    older = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
