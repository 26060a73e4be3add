import type { Me } from '@copydesk/protocol'
import { loadShapes } from '../client.ts'

const storageKey = 'copydesk.me'

/** Keeps the caller for `recallMe`; null forgets the last one. */
export function keepMe(me: Me | null): void {
  try {
    if (me) localStorage.setItem(storageKey, JSON.stringify(me))
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is blocked: a page reloads only with the server.
  }
}

/** The last caller in this browser; undefined if there is none. */
export async function recallMe(): Promise<Me | undefined> {
  try {
    const { Me: shape } = await loadShapes()
    return shape.parse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'))
  } catch {
    return undefined
  }
}
