import type { Thread } from '@copydesk/protocol'

/** Which threads the list of all shows. */
export type ThreadFilter = 'open' | 'unanswered' | 'mine' | 'orphaned' | 'resolved'

/** The filters in the order in which they are offered, with their names. */
export const threadFilters: readonly { filter: ThreadFilter; label: string }[] = [
  { filter: 'open', label: 'Open' },
  { filter: 'unanswered', label: 'Unanswered' },
  { filter: 'mine', label: 'Mine' },
  { filter: 'orphaned', label: 'Text gone' },
  { filter: 'resolved', label: 'Resolved' },
]

/**
 * Whether a thread fits a filter. *Mine* are open ones in which this person has written, *unanswered* those in which nobody has replied to
 * whoever began, *orphaned* those whose text is gone.
 */
export function fitsFilter({ resolved, orphaned, comments }: Thread, filter: ThreadFilter, self: string): boolean {
  if (resolved || filter === 'resolved') return resolved && filter === 'resolved'
  const [first] = comments
  switch (filter) {
    case 'open':
      return true
    case 'mine':
      return comments.some(({ author }) => author.id === self)
    case 'unanswered':
      return comments.every(({ author }) => author.id === first?.author.id)
    case 'orphaned':
      return orphaned
  }
}
