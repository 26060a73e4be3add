import { useState } from 'react'

/**
 * The steps whose text field is empty because the user is rewriting it. Drafts can't be empty, so this state is kept
 * here. Such a change isn't approved, neither alone nor with all: it would be made with the text that was removed.
 */
export type Emptied = { has(step: string): boolean; note(step: string, isEmptied: boolean): void }

/** Keeps that state for the changes of one card. */
export function useEmptied(): Emptied {
  const [emptied, setEmptied] = useState<ReadonlySet<string>>(new Set())
  return {
    has: (step) => emptied.has(step),
    note: (step, isEmptied) =>
      setEmptied((before) => {
        const others = [...before].filter((each) => each !== step)
        return new Set(isEmptied ? [...others, step] : others)
      }),
  }
}
