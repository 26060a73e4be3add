import { heaviestPairs } from '@copydesk/schema'
import { serializeBlock } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { blockText } from '../session/blocks.ts'

/** The indices of an old node and of its new version; both increase from pair to pair. */
export type Pair = { old: number; now: number; isSame: boolean }

const maxCells = 40_000
const leastLikeness = 0.35

/**
 * Pairs old nodes with new ones, in order: nodes with equal markdown first, and between them nodes of one kind that
 * share at least a third of their words. Nodes without a pair were removed or are new.
 */
export function alignNodes(old: readonly Node[], now: readonly Node[]): Pair[] {
  const before = old.map(describe)
  const after = now.map(describe)
  const limit = Math.min(old.length, now.length)
  let head = 0
  while (head < limit && before[head]?.markdown === after[head]?.markdown) head++
  let tail = 0
  while (tail < limit - head && before.at(-1 - tail)?.markdown === after.at(-1 - tail)?.markdown) tail++
  const pairs: Pair[] = []
  for (let index = 0; index < head; index++) pairs.push({ old: index, now: index, isSame: true })
  const middle = pairMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  for (const pair of middle) pairs.push({ ...pair, old: pair.old + head, now: pair.now + head })
  for (let index = tail; index > 0; index--) {
    pairs.push({ old: old.length - index, now: now.length - index, isSame: true })
  }
  return pairs
}

type Described = { markdown: string; kind: string; words: Map<string, number>; size: number }

function describe(node: Node): Described {
  const words = new Map<string, number>()
  let size = 0
  for (const [word] of blockText(node)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu)) {
    words.set(word, (words.get(word) ?? 0) + 1)
    size++
  }
  return { markdown: serializeBlock(node, { changes: 'accepted' }), kind: kindOf(node), words, size }
}

// A paragraph may become a heading and a bullet list a numbered one without a change of content.
function kindOf(node: Node): string {
  if (node.type.name === 'paragraph' || node.type.name === 'heading') return 'prose'
  return node.type.name
}

function pairMiddle(old: readonly Described[], now: readonly Described[]): Pair[] {
  // Too many nodes for pairwise comparison are paired by index.
  if (old.length * now.length > maxCells) return pairInPlace(old, now)
  const pairs = heaviestPairs(old.length, now.length, (i, j) => likenessOf(old[i], now[j]))
  return pairs.map(([i, j]) => ({ old: i, now: j, isSame: old[i]?.markdown === now[j]?.markdown }))
}

function pairInPlace(old: readonly Described[], now: readonly Described[]): Pair[] {
  const pairs: Pair[] = []
  for (let index = 0; index < Math.min(old.length, now.length); index++) {
    const alike = likenessOf(old[index], now[index])
    if (alike > 0) pairs.push({ old: index, now: index, isSame: old[index]?.markdown === now[index]?.markdown })
  }
  return pairs
}

// From 0 (different blocks) to 2 (the same text).
function likenessOf(a: Described | undefined, b: Described | undefined): number {
  if (!a || !b || a.kind !== b.kind) return 0
  if (a.markdown === b.markdown) return 2
  let shared = 0
  for (const [word, count] of a.words) shared += Math.min(count, b.words.get(word) ?? 0)
  const share = (2 * shared) / Math.max(1, a.size + b.size)
  return share >= leastLikeness ? share : 0
}
