/** The sizes of a toolbar in pixels: the available width for its groups, the width of a button, and of a separator. */
type ToolbarSizes = { width: number; button: number; line: number }

/**
 * The number of actions of these groups, in order, that fit into a toolbar with a separator before each group, and
 * after them a separator and the button that opens the rest.
 */
export function countFitting(groups: readonly (readonly unknown[])[], { width, button, line }: ToolbarSizes): number {
  let left = width - line - button
  let fitting = 0
  for (const { length } of groups) {
    left -= line
    for (let index = 0; index < length; index += 1) {
      left -= button
      if (left < 0) return fitting
      fitting += 1
    }
  }
  return fitting
}

/** The first `count` actions of groups and the rest, each in their groups; empty groups are omitted. */
export function splitGroups<T>(groups: readonly (readonly T[])[], count: number): { shown: T[][]; rest: T[][] } {
  let before = 0
  const shown: T[][] = []
  const rest: T[][] = []
  for (const group of groups) {
    const here = Math.max(0, Math.min(group.length, count - before))
    if (here > 0) shown.push(group.slice(0, here))
    if (here < group.length) rest.push(group.slice(here))
    before += group.length
  }
  return { shown, rest }
}
