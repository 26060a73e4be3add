import type { Role } from '@copydesk/protocol'
import { type Access, atMost } from './access-level.ts'
import type { Caller } from './auth/callers.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { RunStore } from './runs/run-store.ts'

const accessOf: Readonly<Record<Role, Access>> = {
  owner: 'write',
  editor: 'write',
  commenter: 'comment',
  viewer: 'read',
}

/** What somebody in a role may do. */
export function accessOfRole(role: Role): Access {
  return accessOf[role]
}

/**
 * The one place that decides who may open what, for HTTP and for WebSockets. A run has the rights of whoever started it,
 * on its own document only, and only until it is over and under the newest lease.
 */
export function createAccess(documents: DocumentStore, runs: RunStore) {
  return async (caller: Caller, document: string): Promise<Access | undefined> => {
    const person = caller.kind === 'person' ? caller.user : caller.invokedBy
    if (caller.kind === 'run') {
      const run = caller.document === document ? await runs.findRow(caller.run) : undefined
      if (run?.epoch !== caller.epoch || run.ended_at !== null) return undefined
    }
    const found = await documents.find(document, person.id)
    return found && atMost(accessOfRole(found.role), caller.kind === 'person' ? caller.limit : undefined)
  }
}
