/** The first index for which `isPast` holds, in a list where it then holds for all later ones; a binary search. */
export function firstPast(length: number, isPast: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isPast(middle)) high = middle
    else low = middle + 1
  }
  return low
}
