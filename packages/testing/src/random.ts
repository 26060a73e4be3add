/** Numbers in [0, 1) that depend only on a 32-bit seed (mulberry32, Tommy Ettinger, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Whole numbers from 0 to `below - 1` that depend only on the seed. */
export type RandomBelow = (below: number) => number

/** Creates a generator of whole numbers from a seed. */
export function seededBelow(seed: number): RandomBelow {
  const next = seededRandom(seed)
  return (below) => (next() * 2 ** 32) % below
}

/** Random choices that depend only on the seed. */
export type RandomChoices = {
  /** A whole number from 0 to `below - 1`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Creates random choices from a seed. */
export function seededChoices(seed: number): RandomChoices {
  const next = seededRandom(seed)
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      const [picked] = list.slice(int(list.length))
      if (picked === undefined) throw new RangeError('nothing to pick from')
      return picked
    },
  }
}

/** The given number of random bytes. */
export function randomBytes(length: number, random: () => number): Uint8Array {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256))
}
