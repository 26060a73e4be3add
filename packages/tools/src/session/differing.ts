/** Where two lists differ: both from `first` on, the old one up to `oldEnd`, the new one up to `newEnd`. What stands outside is shared. */
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

/** The elements of a list that another of the same length doesn't have at the same index; of another length, what `differing` finds. */
export function changedElements<T>(before: readonly T[], after: readonly T[]): T[] {
  const { first, oldEnd, newEnd } = differing(before, after)
  const elements = after.slice(first, newEnd)
  return oldEnd === newEnd ? elements.filter((element, index) => element !== before[first + index]) : elements
}

/** The index of the first element for which `isThere` holds, when it holds for all that follow too; else the length. */
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
