/**
 * The range in which two lists differ: both from `first`, the old one up to `oldEnd`, the new one up to `newEnd`.
 * Elements outside of it are shared.
 */
export type Differing = { first: number; oldEnd: number; newEnd: number }

/** Compares two lists by identity from both ends. */
export function differing<T>(before: readonly T[], after: readonly T[]): Differing {
  let first = 0
  let oldEnd = before.length
  let newEnd = after.length
  while (first < oldEnd && first < newEnd && before[first] === after[first]) first++
  while (oldEnd > first && newEnd > first && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--
    newEnd--
  }
  return { first, oldEnd, newEnd }
}

/**
 * The elements of a list that differ from those of another of the same length at the same index; for different lengths,
 * the range found by `differing`.
 */
export function changedElements<T>(before: readonly T[], after: readonly T[]): T[] {
  const { first, oldEnd, newEnd } = differing(before, after)
  const elements = after.slice(first, newEnd)
  return oldEnd === newEnd ? elements.filter((element, index) => element !== before[first + index]) : elements
}

/**
 * The index of the first element for which `isThere` holds (it must hold for all later elements too); else the length.
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
