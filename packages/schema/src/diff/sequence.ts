/**
 * The range in which two sequences differ: both from `first`, the old one up to `oldEnd`, the new one up to `newEnd`.
 * Elements outside of the range are shared.
 */
export type Differing = { first: number; oldEnd: number; newEnd: number }

/** Compares two sequences from both ends, the beginning first; elements are compared by identity, else by `isSame`. */
export function differing<T>(
  before: ArrayLike<T>,
  after: ArrayLike<T>,
  isSame: (old: T, now: T) => boolean = Object.is,
): Differing {
  return differingAt(before.length, after.length, (i, j) => isSame(before[i] as T, after[j] as T))
}

/**
 * `differing` for two sequences of these lengths; `shares` compares an index of the old one with one of the new one.
 */
export function differingAt(
  oldLength: number,
  newLength: number,
  shares: (old: number, now: number) => boolean,
): Differing {
  let first = 0
  let oldEnd = oldLength
  let newEnd = newLength
  while (first < oldEnd && first < newEnd && shares(first, first)) first++
  while (oldEnd > first && newEnd > first && shares(oldEnd - 1, newEnd - 1)) {
    oldEnd--
    newEnd--
  }
  return { first, oldEnd, newEnd }
}

/** The indices of an old element and of the new element that corresponds to it. */
export type Pair = readonly [old: number, now: number]

/** Pairs elements of an old and a new sequence; the indices of both increase from pair to pair. */
export type Aligner<T> = (olds: readonly T[], news: readonly T[]) => Pair[]

/** Pairs the shared elements at both ends, and with `align` those between them. */
export function alignEnds<T>(
  olds: readonly T[],
  news: readonly T[],
  isSame: (old: T, now: T) => boolean,
  align: Aligner<T>,
): Pair[] {
  const { first, oldEnd, newEnd } = differing(olds, news, isSame)
  const pairs: Pair[] = []
  for (let index = 0; index < first; index++) pairs.push([index, index])
  const middle = align(olds.slice(first, oldEnd), news.slice(first, newEnd))
  for (const [i, j] of middle) pairs.push([i + first, j + first])
  for (let index = 0; oldEnd + index < olds.length; index++) pairs.push([oldEnd + index, newEnd + index])
  return pairs
}

/**
 * Pairs elements so that the sum of gains is maximal: a longest common subsequence by weight. `gainOf` returns the gain
 * of a pair, 0 for elements that never pair; it must be deterministic. Time and memory are proportional to the product
 * of the lengths, so the caller bounds it.
 */
export function heaviestPairs<T>(olds: readonly T[], news: readonly T[], gainOf: (old: T, now: T) => number): Pair[] {
  const [rows, columns] = [olds.length, news.length]
  const width = columns + 1
  const totals = new Float64Array((rows + 1) * width)
  const totalFrom = (row: number, column: number): number => totals[row * width + column] ?? 0
  const gainAt = (row: number, column: number): number => gainOf(olds[row] as T, news[column] as T)
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const gain = gainAt(i, j)
      const paired = gain > 0 ? gain + totalFrom(i + 1, j + 1) : 0
      totals[i * width + j] = Math.max(paired, totalFrom(i + 1, j), totalFrom(i, j + 1))
    }
  }
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < rows && j < columns;) {
    const gain = gainAt(i, j)
    if (gain > 0 && totalFrom(i, j) === gain + totalFrom(i + 1, j + 1)) pairs.push([i++, j++])
    else if (totalFrom(i + 1, j) >= totalFrom(i, j + 1)) i++
    else j++
  }
  return pairs
}
