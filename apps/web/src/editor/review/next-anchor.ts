import type { Stretch } from './anchors.ts'

/** A comment or change and its range. */
export type Found = { id: string; place: Stretch }

/**
 * The anchor after or before the current one, or after or before the caret if there is no current one, wrapping around.
 * `anchors` may be in any order; undefined if there are none.
 */
export function nextAnchor(
  anchors: readonly (readonly [id: string, place: Stretch])[],
  caret: number,
  current: string | null,
  step: 1 | -1,
): Found | undefined {
  const sorted = anchors.map(([id, place]): Found => ({ id, place })).toSorted((a, b) => a.place.from - b.place.from)
  const at = sorted.findIndex(({ id }) => id === current)
  if (at >= 0) return sorted[(at + step + sorted.length) % sorted.length]
  if (step === 1) return sorted.find(({ place }) => place.from >= caret) ?? sorted[0]
  return sorted.findLast(({ place }) => place.from < caret) ?? sorted.at(-1)
}
