import type { Me } from '@copydesk/protocol'
import { keep, readKeptJson } from '../../common/kept.ts'
import { loadShapes } from '../client.ts'

const storageKey = 'copydesk.me'

/** Stores the caller for `recallMe`; null deletes the stored caller. */
export function keepMe(me: Me | null): void {
  keep(storageKey, me && JSON.stringify(me))
}

/** The last caller in this browser; undefined if there is none. */
export async function recallMe(): Promise<Me | undefined> {
  const { Me: shape } = await loadShapes()
  return shape.safeParse(readKeptJson(storageKey)).data
}
