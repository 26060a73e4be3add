/** ConcurrencyLimit of which each person has a limited number at once. */
export type ConcurrencyLimit = {
  /** Takes one more; answers how to give it back, or `undefined` if the person has as many as they may. */
  take(person: string): (() => void) | undefined
}

/** Counts limit by person, `most` for each. Whoever has none costs nothing. */
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
