/** Limits how many operations each person may have in flight. */
export type ConcurrencyLimit = {
  /** Takes one slot; returns the function that releases it, or `undefined` if the person has no free slot. */
  take(person: string): (() => void) | undefined
}

/** A limit of `most` slots per person. People without taken slots use no memory. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  const taken = new Map<string, number>()
  return {
    take(person) {
      const before = taken.get(person) ?? 0
      if (before >= most) return undefined
      taken.set(person, before + 1)
      return () => {
        const left = (taken.get(person) ?? 1) - 1
        if (left > 0) taken.set(person, left)
        else taken.delete(person)
      }
    },
  }
}
