import type { Node } from 'prosemirror-model'
import { heaviestPairs } from '../heaviest-pairs.ts'
import { readSuggestions } from '../review-attributes.ts'

/** Indices of an old node and of the new node that corresponds to it. */
export type Pair = readonly [old: number, now: number]

const maxComparisons = 2_500
const leastSimilarity = 0.3

/**
 * Matches the old children of a node with the new ones, in order. Untouched children pair by identity, in linear time;
 * the children between them are compared by their words, so that a block edited in place is matched even next to
 * inserted and deleted ones. Where the comparison would be too large, only blocks with the same text pair. All other
 * children count as deleted or inserted.
 */
export function alignBlocks(olds: readonly Node[], news: readonly Node[]): Pair[] {
  return betweenAnchors(
    olds,
    news,
    (node) => node,
    (from, at) => {
      if (from.length * at.length <= maxComparisons) return alignSimilar(from, at)
      return betweenAnchors(from, at, textKey, alignSimilarIfFew)
    },
  )
}

/** Whether one node can become the other by a change of its attributes, its type and its content. */
function isPairable(a: Node, b: Node): boolean {
  if (isDeleted(a) !== isDeleted(b) || a.isLeaf !== b.isLeaf || a.isTextblock !== b.isTextblock) return false
  if (a.type === b.type) return true
  return !a.isLeaf && (a.isTextblock || (a.type.compatibleContent(b.type) && b.type.compatibleContent(a.type)))
}

function isDeleted(node: Node): boolean {
  return readSuggestions(node.attrs.suggestion).some((entry) => entry.operation === 'delete')
}

type Aligner = (olds: readonly Node[], news: readonly Node[]) => Pair[]

// Pairs equal children at both ends, then by keys that occur once on each side; `align` gets the ranges between them.
function betweenAnchors(
  olds: readonly Node[],
  news: readonly Node[],
  keyOf: (node: Node) => unknown,
  align: Aligner,
): Pair[] {
  const limit = Math.min(olds.length, news.length)
  let head = 0
  while (head < limit && isSame(olds[head], news[head])) head++
  let tail = 0
  while (tail < limit - head && isSame(olds.at(-1 - tail), news.at(-1 - tail))) tail++
  const ends: [number, number] = [olds.length - tail, news.length - tail]
  const anchors = [
    ...Array.from({ length: head }, (_, index): Pair => [index, index]),
    ...increasing(uniquePairs(olds.slice(head, ends[0]), news.slice(head, ends[1]), keyOf), head),
    ...Array.from({ length: tail }, (_, index): Pair => [ends[0] + index, ends[1] + index]),
  ]
  const pairs: Pair[] = []
  let [from, at] = [0, 0]
  for (const anchor of [...anchors, undefined]) {
    const [to, end] = anchor ?? [olds.length, news.length]
    if (to > from && end > at) {
      const [start, begin] = [from, at]
      const between = align(olds.slice(from, to), news.slice(at, end))
      for (const [i, j] of between) pairs.push([start + i, begin + j])
    }
    if (anchor) pairs.push(anchor)
    ;[from, at] = [to + 1, end + 1]
  }
  return pairs
}

function isSame(a: Node | undefined, b: Node | undefined): boolean {
  return a !== undefined && b !== undefined && (a === b || a.eq(b))
}

function uniquePairs(olds: readonly Node[], news: readonly Node[], keyOf: (node: Node) => unknown): Pair[] {
  const places = (nodes: readonly Node[]) => {
    const found = new Map<unknown, number>()
    nodes.forEach((node, index) => found.set(keyOf(node), found.has(keyOf(node)) ? -1 : index))
    return found
  }
  const [before, after] = [places(olds), places(news)]
  const pairs: Pair[] = []
  for (const [key, index] of before) {
    const other = after.get(key) ?? -1
    const [a, b] = [olds[index], news[other]]
    if (index >= 0 && a && b && isPairable(a, b)) pairs.push([index, other])
  }
  return pairs.toSorted(([a], [b]) => a - b)
}

// The longest increasing subsequence of the second indices, by patience sorting; the other pairs were moved.
function increasing(pairs: readonly Pair[], offset: number): Pair[] {
  const tops: { pair: Pair; below: number }[] = []
  const piles: number[] = []
  for (const pair of pairs) {
    let [low, high] = [0, piles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((tops[piles[middle] ?? 0]?.pair[1] ?? 0) < pair[1]) low = middle + 1
      else high = middle
    }
    tops.push({ pair, below: piles[low - 1] ?? -1 })
    piles[low] = tops.length - 1
  }
  const chain: Pair[] = []
  for (let top = tops[piles.at(-1) ?? -1]; top; top = tops[top.below]) {
    chain.push([top.pair[0] + offset, top.pair[1] + offset])
  }
  return chain.toReversed()
}

function textKey(node: Node): string {
  return `${node.type.name} ${node.textContent}`
}

function alignSimilarIfFew(olds: readonly Node[], news: readonly Node[]): Pair[] {
  return olds.length * news.length <= maxComparisons ? alignSimilar(olds, news) : []
}

function alignSimilar(olds: readonly Node[], news: readonly Node[]): Pair[] {
  // A table must keep its shape: a cell between others is refilled, never moved.
  if (olds.every(isCell) && olds.length === news.length) return pairInOrder(olds, news)
  const [before, after] = [olds.map(pairsOfLetters), news.map(pairsOfLetters)]
  const gainOf = (i: number, j: number): number => similarity(olds[i], news[j], before[i], after[j])
  return fillGaps(olds, news, heaviestPairs(olds.length, news.length, gainOf))
}

function isCell(node: Node): boolean {
  return node.type.name === 'tableCell' || node.type.name === 'tableHeader'
}

// A single child between the same neighbours before and after was rewritten in place, even if little of it is left.
function fillGaps(olds: readonly Node[], news: readonly Node[], pairs: readonly Pair[]): Pair[] {
  const filled: Pair[] = []
  let [from, at] = [0, 0]
  for (const pair of [...pairs, undefined]) {
    const [to, end] = pair ?? [olds.length, news.length]
    const [start, begin] = [from, at]
    filled.push(...pairInOrder(olds.slice(from, to), news.slice(at, end)).map(([i, j]): Pair => [start + i, begin + j]))
    if (pair) filled.push(pair)
    ;[from, at] = [to + 1, end + 1]
  }
  return filled
}

function pairInOrder(olds: readonly Node[], news: readonly Node[]): Pair[] {
  if (olds.length !== news.length) return []
  const fits = olds.every((node, index) => {
    const other = news[index]
    return other && isPairable(node, other)
  })
  return fits ? olds.map((_, index): Pair => [index, index]) : []
}

type Letters = ReadonlyMap<string, number>

// Letter bigrams measure the similarity of two texts in any language, with or without spaces.
function pairsOfLetters(node: Node): Letters {
  const text = node.textContent.slice(0, 1_000)
  const counts = new Map<string, number>()
  for (let index = 0; index < text.length - 1; index++) {
    const pair = text.slice(index, index + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

// Dice's coefficient of the texts, from 0 (never to be paired) to 1 (the same).
function similarity(a?: Node, b?: Node, before?: Letters, after?: Letters): number {
  if (!a || !b || !before || !after || !isPairable(a, b)) return 0
  if (a.eq(b)) return 1
  const factor = a.type === b.type ? 0.95 : 0.85
  if (a.isLeaf || a.textContent === b.textContent) return a.isLeaf ? 0.5 : factor
  // A filled or emptied paragraph counts as the same paragraph if there is no better match.
  if (a.textContent === '' || b.textContent === '') return 0.05 * factor
  let common = 0
  let size = 0
  for (const [pair, count] of before) common += Math.min(count, after.get(pair) ?? 0)
  for (const count of [...before.values(), ...after.values()]) size += count
  const share = size === 0 ? 0 : (2 * common) / size
  return share >= leastSimilarity ? share * factor : 0
}
