import { useState } from 'react'

/**
 * Whose text has been emptied, to write something else: a draft can't be empty, so this is known only here. Such a change isn't approved, alone or with
 * all: it would be made with the text that was taken out.
 */
export type Emptied = { has(step: string): boolean; note(step: string, isEmptied: boolean): void }

/** Why a change whose text has been emptied can't be approved. */
export const noText = 'Write a text first, or reject the change.'

/** Keeps that for the changes of one card. */
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
