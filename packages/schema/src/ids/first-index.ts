/**
 * The index of the first element for which `isThere` returns true (it must return true for all later elements too), by
 * binary search; else the length.
 */
export function firstIndex<T>(list: readonly T[], isThere: (element: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const element = list[middle]
    if (element !== undefined && isThere(element)) high = middle
    else low = middle + 1
  }
  return low
}
