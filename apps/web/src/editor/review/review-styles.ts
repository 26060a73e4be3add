import { safeColor } from '../../ui/person-look.ts'
import { changeClass, threadClass } from './review-classes.ts'

/** The colour of each suggested change (`#rrggbb`, or `agent`), and which threads are open. */
export type ReviewLooks = {
  changes: readonly { id: string; color: string }[]
  threads: readonly string[]
}

/**
 * The rules of a style sheet for these looks. Marks hold only an id, so rules supply the authors' colours: no
 * decoration has to be redrawn when a user's name or a thread changes. Leaves out ids that aren't plain words.
 */
export function reviewRules({ changes, threads }: ReviewLooks): string {
  const byColor = Map.groupBy(changes, ({ color }) => (color === 'agent' ? 'var(--agent)' : safeColor(color)))
  const rules = [...byColor].map(([color, group]) =>
    rule(
      group.map(({ id }) => changeClass(id)),
      `--by:${color}`,
    ),
  )
  const look = '--comment:var(--comment-soft);--comment-line:var(--comment-edge);--comment-mark:underline'
  return [...rules, rule(threads.map(threadClass), look)].join('')
}

/**
 * The rules for the active items: a thread, if it is open, and changes. In a sheet of its own, since it changes with
 * the caret.
 */
export function activeRules(thread: string | null, changes: readonly string[]): string {
  return (
    rule([threadClass(thread)], '--comment:var(--comment-strong)') + rule(changes.map(changeClass), '--by-strength:25%')
  )
}

function rule(classes: readonly (string | undefined)[], look: string): string {
  const selectors = classes.flatMap((each) => (each === undefined ? [] : `.document-text .${each}`))
  return selectors.length === 0 ? '' : `${selectors.join(',')}{${look}}\n`
}
