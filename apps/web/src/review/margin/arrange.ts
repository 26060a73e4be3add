/** A card whose text is at `wanted` (pixels from the top of the text) and which is `height` pixels high. */
export type Placeable = { wanted: number; height: number }

/**
 * Positions cards in a column without overlap: each at its text or, if there is no room, as close below the previous
 * one as possible. The `active` one (its index) is at its text, and those above make room for it; only at the top edge
 * does it move itself. The cards are in the order of their texts.
 */
export function arrange(cards: readonly Placeable[], active: number | undefined, gap: number): number[] {
  const tops: number[] = []
  let free = 0
  for (const { wanted, height } of cards) {
    const top = Math.max(wanted, free)
    tops.push(top)
    free = top + height + gap
  }
  const chosen = active === undefined ? undefined : cards[active]
  if (active === undefined || !chosen) return tops
  const above = cards.slice(0, active).reduce((sum, { height }) => sum + height + gap, 0)
  let next = Math.max(chosen.wanted, Math.min(above, tops[active] ?? 0))
  tops[active] = next
  for (let index = active - 1; index >= 0; index -= 1) {
    next = Math.min(tops[index] ?? 0, next - gap - (cards[index]?.height ?? 0))
    tops[index] = next
  }
  free = (tops[active] ?? 0) + chosen.height + gap
  for (let index = active + 1; index < cards.length; index += 1) {
    const top = Math.max(cards[index]?.wanted ?? 0, free)
    tops[index] = top
    free = top + (cards[index]?.height ?? 0) + gap
  }
  return tops
}

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
