import { isFinal, type Run, type Thread } from '@copydesk/protocol'

/** Threads in the order of a list: open ones as their texts stand in the document, those without text at the end; resolved ones newest first. */
export function listThreads(threads: Iterable<Thread>, order: readonly string[]): Thread[] {
  const place = new Map(order.map((id, index) => [id, index]))
  const rank = ({ id, resolved }: Thread) => (resolved ? undefined : place.get(id)) ?? order.length
  return [...threads]
    .filter((thread) => thread.comments.length > 0)
    .sort((a, b) => rank(a) - rank(b) || (a.resolved ? compare(begin(b), begin(a)) : compare(begin(a), begin(b))))
}

/** The newest run that a comment of this thread started, if it is going or says why it came to nothing. */
export function runOfThread(thread: Thread, runs: Iterable<Run>): Run | undefined {
  const comments = new Set(thread.comments.map(({ id }) => id))
  let newest: Run | undefined
  for (const run of runs) {
    if (run.trigger.kind !== 'comment' || !comments.has(run.trigger.id)) continue
    if (newest === undefined || run.createdAt > newest.createdAt) newest = run
  }
  return newest && (!isFinal(newest.status) || !newest.answer) ? newest : undefined
}

function begin(thread: Thread): string {
  return thread.comments[0]?.createdAt ?? ''
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
