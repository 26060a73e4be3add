/** Random choices that depend on nothing but the seed. */
export type Random = {
  /** A whole number from 0 to `below - 1`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Random choices from a 32-bit seed (mulberry32, Tommy Ettinger, public domain). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('nothing to pick from')
      return list[int(list.length)]!
    },
  }
}
