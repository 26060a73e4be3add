import { isFinal, type Run, type Thread } from '@copydesk/protocol'
import type { EnglishText } from '../../i18n/translate.ts'

/**
 * Threads in list order: open ones in the order of their texts, those without text at the end; resolved ones newest
 * first.
 */
export function listThreads(threads: Iterable<Thread>, order: readonly string[]): Thread[] {
  const place = new Map(order.map((id, index) => [id, index]))
  const rank = ({ id, resolved }: Thread) => (resolved ? undefined : place.get(id)) ?? order.length
  return [...threads]
    .filter((thread) => thread.comments.length > 0)
    .sort((a, b) => rank(a) - rank(b) || (a.resolved ? compare(begin(b), begin(a)) : compare(begin(a), begin(b))))
}

/**
 * The number of these threads to show when `upTo` are requested: enough to include the active one, if it is among them.
 */
export function countShown(threads: readonly Thread[], active: string | null, upTo: number): number {
  const at = active === null ? -1 : threads.findIndex(({ id }) => id === active)
  return Math.min(threads.length, Math.max(upTo, at + 1))
}

/** The newest run that each comment has started. */
export function runsByComment(runs: Iterable<Run>): ReadonlyMap<string, Run> {
  const newest = new Map<string, Run>()
  for (const run of runs) {
    if (run.trigger.kind !== 'comment') continue
    const known = newest.get(run.trigger.id)
    if (known === undefined || run.createdAt > known.createdAt) newest.set(run.trigger.id, run)
  }
  return newest
}

/** The newest run that a comment of this thread started, if it is running or has a reason why it failed. */
export function runOfThread(thread: Thread, runs: ReadonlyMap<string, Run>): Run | undefined {
  let newest: Run | undefined
  for (const { id } of thread.comments) {
    const run = runs.get(id)
    if (run && (newest === undefined || run.createdAt > newest.createdAt)) newest = run
  }
  return newest && (!isFinal(newest.status) || !newest.answer) ? newest : undefined
}

function begin(thread: Thread): string {
  return thread.comments[0]?.createdAt ?? ''
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export type ThreadFilter = 'open' | 'unanswered' | 'mine' | 'orphaned' | 'resolved'

/** The filters in menu order, with their names. */
export const threadFilters: readonly { filter: ThreadFilter; label: EnglishText }[] = [
  { filter: 'open', label: 'Open|adjective' },
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
