import { answerRequests } from '../threads/thread-worker.ts'
import { causalParts } from './causal-parts.ts'

/** An update, and how large its parts shall be. */
export type PartsRequest = { update: Uint8Array; bytes: number }

answerRequests<PartsRequest, Uint8Array[]>(({ update, bytes }) => causalParts(update, bytes))
