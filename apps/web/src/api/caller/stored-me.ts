import type { Me } from '@copydesk/protocol'
import { writeStored, readStoredJson } from '../../common/local-storage.ts'
import { loadShapes } from '../client.ts'

const storageKey = 'copydesk.me'

/** Stores the caller for `readStoredMe`; null deletes the stored caller. */
export function storeMe(me: Me | null): void {
  writeStored(storageKey, me && JSON.stringify(me))
}

/** The last caller in this browser; undefined if there is none. */
export async function readStoredMe(): Promise<Me | undefined> {
  const { Me: shape } = await loadShapes()
  return shape.safeParse(readStoredJson(storageKey)).data
}
