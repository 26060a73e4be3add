import type { Node } from 'prosemirror-model'
import { firstIndex } from '../ids/first-index.ts'
import { readSuggestions } from '../review-attributes.ts'
import { alignEnds, type Aligner, heaviestPairs, type Pair } from './sequence.ts'

const maxComparisons = 2_500
const leastSimilarity = 0.3

/**
 * Matches the old children of a node with the new ones, in order. Untouched children pair by identity, in linear time;
 * the children between them are compared by their words, so that a block edited in place is matched even next to
 * inserted and deleted ones. If the comparison would be too large, only blocks with the same text are paired. All other
 * children count as deleted or inserted.
 */
export function alignBlocks(olds: readonly Node[], news: readonly Node[]): Pair[] {
  return alignByKeys(
    olds,
    news,
    (node) => node,
    (from, at) => {
      if (from.length * at.length <= maxComparisons) return alignSimilar(from, at)
      return alignByKeys(from, at, textKey, alignSimilarIfFew)
    },
  )
}

/** Whether one node can be converted to the other by a change of its attributes, its type and its content. */
function isPairable(a: Node, b: Node): boolean {
  if (isDeleted(a) !== isDeleted(b) || a.isLeaf !== b.isLeaf || a.isTextblock !== b.isTextblock) return false
  if (a.type === b.type) return true
  return !a.isLeaf && (a.isTextblock || (a.type.compatibleContent(b.type) && b.type.compatibleContent(a.type)))
}

function isDeleted(node: Node): boolean {
  return readSuggestions(node.attrs.suggestion).some((entry) => entry.operation === 'delete')
}

// Pairs equal children at both ends, then by keys that occur once on each side; `align` gets the ranges between them.
function alignByKeys(
  olds: readonly Node[],
  news: readonly Node[],
  keyOf: (node: Node) => unknown,
  align: Aligner<Node>,
): Pair[] {
  return alignEnds(olds, news, isSame, (from, at) =>
    alignGaps(from, at, increasing(uniquePairs(from, at, keyOf)), align),
  )
}

// Keeps `pairs`; `align` gets the ranges between them.
function alignGaps(olds: readonly Node[], news: readonly Node[], pairs: readonly Pair[], align: Aligner<Node>): Pair[] {
  const all: Pair[] = []
  let [from, at] = [0, 0]
  for (const pair of [...pairs, undefined]) {
    const [to, end] = pair ?? [olds.length, news.length]
    if (to > from && end > at) {
      for (const [i, j] of align(olds.slice(from, to), news.slice(at, end))) all.push([from + i, at + j])
    }
    if (pair) all.push(pair)
    ;[from, at] = [to + 1, end + 1]
  }
  return all
}

function isSame(a: Node, b: Node): boolean {
  return a === b || a.eq(b)
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
function increasing(pairs: readonly Pair[]): Pair[] {
  const tops: { pair: Pair; below: number }[] = []
  const piles: number[] = []
  for (const pair of pairs) {
    const pile = firstIndex(piles, (top) => (tops[top]?.pair[1] ?? 0) >= pair[1])
    tops.push({ pair, below: piles[pile - 1] ?? -1 })
    piles[pile] = tops.length - 1
  }
  const chain: Pair[] = []
  for (let top = tops[piles.at(-1) ?? -1]; top; top = tops[top.below]) chain.push(top.pair)
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
  const pairs = heaviestPairs(olds.map(describe), news.map(describe), similarity)
  // A single child between the same neighbours before and after was rewritten in place, even if little of its text
  // remains.
  return alignGaps(olds, news, pairs, pairInOrder)
}

function isCell(node: Node): boolean {
  return node.type.name === 'tableCell' || node.type.name === 'tableHeader'
}

function pairInOrder(olds: readonly Node[], news: readonly Node[]): Pair[] {
  if (olds.length !== news.length) return []
  const fits = olds.every((node, index) => {
    const other = news[index]
    return other && isPairable(node, other)
  })
  return fits ? olds.map((_, index): Pair => [index, index]) : []
}

type Described = { node: Node; letters: ReadonlyMap<string, number> }

// Letter bigrams measure the similarity of two texts in any language, with or without spaces.
function describe(node: Node): Described {
  const text = node.textContent.slice(0, 1_000)
  const letters = new Map<string, number>()
  for (let index = 0; index < text.length - 1; index++) {
    const pair = text.slice(index, index + 2)
    letters.set(pair, (letters.get(pair) ?? 0) + 1)
  }
  return { node, letters }
}

// Dice's coefficient of the texts, from 0 (never to be paired) to 1 (the same).
function similarity({ node: a, letters: before }: Described, { node: b, letters: after }: Described): number {
  if (!isPairable(a, b)) return 0
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
