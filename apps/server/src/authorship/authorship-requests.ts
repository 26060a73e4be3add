import type { AuthorIds, AuthorRange } from '@copydesk/protocol'
import type { DatedRow } from '../provenance/log-rows.ts'
import { AuthorshipIndex } from './authorship-index.ts'

/**
 * Requests to the authorship thread: the last row of a log that the thread has, then the authors, with the rows after
 * that one. A thread that no longer has the log answers `forgotten`.
 */
export type AuthorshipRequest =
  | { kind: 'known'; name: string }
  | { kind: 'read'; name: string; after: number; rows: DatedRow[]; by: 'positions' | 'ids' }

export type AuthorshipResponse =
  | { kind: 'known'; seq: number }
  | { kind: 'forgotten' }
  | { kind: 'authorship'; stateVector: Uint8Array; ranges?: AuthorRange[]; ids?: AuthorIds[] }

const kept = 4

/** Handles requests sequentially, and keeps the most recently read logs, so that only new rows are read again. */
export function createAuthorshipRequests(): (request: AuthorshipRequest) => AuthorshipResponse {
  const indexes = new Map<string, AuthorshipIndex>()
  const find = (name: string): AuthorshipIndex => {
    const authorship = indexes.get(name) ?? new AuthorshipIndex()
    indexes.delete(name)
    indexes.set(name, authorship)
    const oldest = indexes.keys().next()
    if (indexes.size > kept && !oldest.done) indexes.delete(oldest.value)
    return authorship
  }
  return (request) => {
    const { name } = request
    const authorship = find(name)
    if (request.kind === 'known') return { kind: 'known', seq: authorship.seq }
    if (authorship.seq !== request.after) return { kind: 'forgotten' }
    try {
      authorship.apply(request.rows)
    } catch (error) {
      // The index may have applied only some of the rows.
      indexes.delete(name)
      throw error
    }
    const { stateVector } = authorship
    if (request.by === 'ids') return { kind: 'authorship', stateVector, ids: authorship.ids() }
    return { kind: 'authorship', stateVector, ranges: authorship.ranges() }
  }
}
