import type { Thread } from '@copydesk/protocol'

/** Which threads the list shows. */
export type ThreadFilter = 'open' | 'unanswered' | 'mine' | 'orphaned' | 'resolved'

/** The filters in menu order, with their names. */
export const threadFilters: readonly { filter: ThreadFilter; label: string }[] = [
  { filter: 'open', label: 'Open' },
  { filter: 'unanswered', label: 'Unanswered' },
  { filter: 'mine', label: 'Mine' },
  { filter: 'orphaned', label: 'Text gone' },
  { filter: 'resolved', label: 'Resolved' },
]

/**
 * Whether a thread matches a filter. *Mine* are open ones in which this user has written, *unanswered* those without a
 * reply by another user than the first author, *orphaned* those whose text is deleted.
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
