import { useState } from 'react'

/**
 * The reasons why steps can't be approved now, separately or together: the user has emptied the text field to rewrite
 * it (drafts can't be empty, so this state is stored here), or the reason that `review` reports.
 */
export type Blocked = { reason(step: string): string | undefined; note(step: string, reason: string | undefined): void }

/** Stores that state for the changes of one card. */
export function useBlocked(): Blocked {
  const [blocked, setBlocked] = useState<ReadonlyMap<string, string>>(new Map())
  return {
    reason: (step) => blocked.get(step),
    note: (step, reason) =>
      setBlocked((before) => {
        if (before.get(step) === reason) return before
        const others = [...before].filter(([each]) => each !== step)
        return new Map(reason === undefined ? others : [...others, [step, reason]])
      }),
  }
}
