import * as Y from 'yjs'
import { answerRequests } from '../../threads/thread-worker.ts'
import { type DividedUpdate, divideFor, divideUpdate } from './divide-update.ts'

/** An update, the size of its parts in bytes, and, if known, the state vector of the target document. */
export type PartsRequest = { update: Uint8Array; bytes: number; stateVector?: Uint8Array }

answerRequests<PartsRequest, DividedUpdate>(({ update, bytes, stateVector }) => {
  if (!stateVector) return { kind: 'parts', parts: divideUpdate(update, bytes) }
  const state = Y.decodeStateVector(stateVector)
  try {
    return divideFor(update, bytes, (client) => state.get(client) ?? 0)
  } catch {
    return { kind: 'invalid' }
  }
})
