import type { Me } from '@copydesk/protocol'
import { ApiError, loadShapes } from './client.ts'
import { fetchMe } from './session.ts'

const storageKey = 'copydesk.me'

/**
 * The caller, or while the server can't be reached the last one in this browser, so that a page can show what the
 * browser keeps for them; null without a session, which also forgets the last one.
 */
export async function fetchOrRecallMe(signal?: AbortSignal): Promise<Me | null> {
  try {
    const me = await fetchMe(signal)
    keep(me)
    return me
  } catch (error) {
    const isAway = error instanceof ApiError && (error.code === 'unreachable' || error.code === 'unavailable')
    const kept = isAway ? await recall() : undefined
    if (kept) return kept
    throw error
  }
}

function keep(me: Me | null): void {
  try {
    if (me) localStorage.setItem(storageKey, JSON.stringify(me))
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is blocked: a page reloads only with the server.
  }
}

async function recall(): Promise<Me | undefined> {
  try {
    const { Me: shape } = await loadShapes()
    return shape.parse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'))
  } catch {
    return undefined
  }
}
