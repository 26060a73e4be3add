import { safeColor } from '../../ui/person-look.ts'

/** What the text should show: the colour of each change (`#rrggbb`, or `agent`), which threads are open, and what stands out. */
export type ReviewLooks = {
  changes: readonly { id: string; color: string }[]
  threads: readonly string[]
  activeThread: string | null
  activeChanges: readonly string[]
}

/**
 * The rules of a style sheet for these looks. Marks hold nothing but an id, so the colours of authors come in by rules: no
 * decoration has to be drawn again when somebody's name or a thread changes. Ids that aren't plain words are left out.
 */
export function reviewRules({ changes, threads, activeThread, activeChanges }: ReviewLooks): string {
  const rules: string[] = []
  const byColor = Map.groupBy(
    changes.filter(({ id }) => isPlain(id)),
    ({ color }) => (color === 'agent' ? 'var(--agent)' : safeColor(color)),
  )
  for (const [color, group] of byColor) rules.push(`${group.map(({ id }) => ofChange(id)).join(',')}{--by:${color}}`)
  const open = threads.filter(isPlain)
  if (open.length > 0) {
    const look = '--comment:var(--comment-soft);--comment-line:var(--comment-edge);--comment-mark:underline'
    rules.push(`${open.map(ofThread).join(',')}{${look}}`)
  }
  if (activeThread !== null && isPlain(activeThread) && open.includes(activeThread)) {
    rules.push(`${ofThread(activeThread)}{--comment:var(--comment-strong)}`)
  }
  const active = activeChanges.filter(isPlain)
  if (active.length > 0) rules.push(`${active.map(ofChange).join(',')}{--by-strength:25%}`)
  return rules.join('\n')
}

function isPlain(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id)
}

function ofChange(id: string): string {
  return `.document-text :is([data-change="${id}"],[data-suggestion*='"id":"${id}"'])`
}

function ofThread(id: string): string {
  return `.document-text :is([data-thread="${id}"],[data-threads~="${id}"])`
}
