import { useState } from 'react'

/**
 * Why steps can't be approved now, neither alone nor with all: because the user has emptied the text field to rewrite
 * it (drafts can't be empty, so this state is kept here), or as `review` says.
 */
export type Blocked = { reason(step: string): string | undefined; note(step: string, reason: string | undefined): void }

/** Keeps that state for the changes of one card. */
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
