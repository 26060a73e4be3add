import type { Range } from '../../document/changed-ranges.ts'

/** The ids of this session's suggested changes, and a generator for new ones. */
export type OwnChanges = {
  create(): string
  has(id: string): boolean
}

/**
 * The changes that a session has suggested. For changes from before a restart of the run it calls `isOwn`, which checks
 * the author.
 */
export function createOwnChanges(createId: () => string, isOwn: (id: string) => boolean): OwnChanges {
  const created = new Set<string>()
  return {
    create() {
      const id = createId()
      created.add(id)
      return id
    },
    has: (id) => created.has(id) || isOwn(id),
  }
}

export type ChangeIds = { idAt: (pos: number) => string; isOwn: (id: string) => boolean; used: () => string[] }

/**
 * The ids of one plan's changes: one for each changed region, by its index, and one for all other changes. When a plan
 * is rebuilt with more of its text, the ids stay the same.
 */
export function createChangeIds(regions: () => readonly Range[], own: OwnChanges): ChangeIds {
  const ids = new Map<number, string>()
  return {
    idAt(pos) {
      const region = findRegion(regions(), pos)
      const known = ids.get(region)
      if (known !== undefined) return known
      const id = own.create()
      ids.set(region, id)
      return id
    },
    isOwn: (id) => own.has(id),
    used: () => [...ids.values()],
  }
}

function findRegion(regions: readonly Range[], pos: number): number {
  let low = 0
  let high = regions.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const region = regions[middle]
    if (!region) return -1
    if (pos < region.from) high = middle - 1
    else if (pos > region.to) low = middle + 1
    else return middle
  }
  return -1
}

/** A random id of letters and digits, 64 bits: short, since it is stored on every piece of changed text. */
export function randomChangeId(): string {
  // The first and the last digits of a random UUID are random; the runtime caches them, while single random bytes are
  // fetched each time.
  const digits = crypto.randomUUID().replaceAll('-', '')
  return BigInt(`0x${digits.slice(0, 12)}${digits.slice(-4)}`)
    .toString(36)
    .padStart(13, '0')
}
