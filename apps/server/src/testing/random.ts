/** Whole numbers from 0 to `below - 1` that depend only on the seed. */
export type Random = (below: number) => number

/** Random numbers from a 32-bit seed (mulberry32, Tommy Ettinger, public domain). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
