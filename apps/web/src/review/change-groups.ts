import { goesWithItsAuthor } from '@copydesk/protocol'
import type { OpenChange } from '../editor/review/review-ui.ts'

/**
 * Suggested changes that are decided together: those of one author, or of one run. `label` precedes the word
 * "suggestions". `left` is the number of their further changes to which others have contributed: these stay open.
 */
export type ChangeGroup = { label: string; count: number; left?: number; author?: string; run?: string }

const longest = 40

/** The groups to offer `self` in addition to all changes; empty if all changes are by one author and one run. */
export function groupChanges(changes: readonly OpenChange[], self: string): ChangeGroup[] {
  const known = changes.filter(({ author }) => author !== undefined)
  const authors = [...Map.groupBy(known, ({ author }) => author?.id ?? '')]
  const runs = [...Map.groupBy(known, ({ run }) => run)]
  const byAuthor = authors.map(([author, group]): ChangeGroup => {
    return { label: group[0]?.author?.name ?? 'Somebody', ...countIn(group, self), author }
  })
  const byRun = runs.flatMap(([run, group]): ChangeGroup[] => {
    const [first] = group
    if (run === undefined || first?.instruction === undefined) return []
    // If a run holds all suggestions of its author, only the author's group is offered.
    const isAllOfAuthor = authors.some(([author, all]) => author === first.author?.id && all.length === group.length)
    return isAllOfAuthor ? [] : [{ label: `“${shorten(first.instruction)}”`, ...countIn(group, self), run }]
  })
  const groups = [...(authors.length > 1 ? byAuthor : []), ...(runs.length > 1 ? byRun : [])]
  return groups.filter(({ count }) => count > 0)
}

function countIn(group: readonly OpenChange[], self: string): Pick<ChangeGroup, 'count' | 'left'> {
  const count = group.filter((change) => goesWithItsAuthor(change, self)).length
  return count === group.length ? { count } : { count, left: group.length - count }
}

function shorten(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, ' ').trim()]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : letters.join('')
}
