/** Indices of two matching elements. */
type Pair = readonly [row: number, column: number]

/**
 * Pairs elements of two lists, in the order of both, so that the sum of gains is maximal: a longest common subsequence
 * by weight. `gainOf` returns the gain of a pair, 0 for elements that never pair; it must be deterministic. Time and
 * memory are proportional to rows times columns.
 */
export function heaviestPairs(rows: number, columns: number, gainOf: (row: number, column: number) => number): Pair[] {
  const width = columns + 1
  const totals = new Float64Array((rows + 1) * width)
  const totalFrom = (row: number, column: number): number => totals[row * width + column] ?? 0
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const gain = gainOf(i, j)
      const paired = gain > 0 ? gain + totalFrom(i + 1, j + 1) : 0
      totals[i * width + j] = Math.max(paired, totalFrom(i + 1, j), totalFrom(i, j + 1))
    }
  }
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < rows && j < columns;) {
    const gain = gainOf(i, j)
    if (gain > 0 && totalFrom(i, j) === gain + totalFrom(i + 1, j + 1)) pairs.push([i++, j++])
    else if (totalFrom(i + 1, j) >= totalFrom(i, j + 1)) i++
    else j++
  }
  return pairs
}
