import type { Access, Role } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { atMost } from './access-level.ts'
import type { Caller } from './auth/callers.ts'
import type { Roles } from './rights/roles.ts'
import type { RunStore } from './runs/run-store.ts'
import type { Tables } from './store/tables.ts'

const accessOf: Readonly<Record<Role, Access>> = {
  owner: 'manage',
  editor: 'write',
  commenter: 'comment',
  viewer: 'read',
}

/** What somebody in a role may do. Where names aren't accounts (`isOpen`) nobody can be told from an owner who comes back. */
export function accessOfRole(role: Role, isOpen: boolean): Access {
  return isOpen ? 'manage' : accessOf[role]
}

/**
 * What a caller's connection to the content must allow before it may send changes. A run needs less than a person: for a
 * commenter it suggests and nothing else (`runs/desk.ts` sees to that), and a suggestion stands in the content.
 */
export function writingNeeds(caller: Caller): Access {
  return caller.kind === 'run' ? 'comment' : 'write'
}

/** What a caller may do with a document; undefined if they may not open it. In a transaction, pass it as `db`. */
export type FindAccess = (caller: Caller, document: string, db?: Kysely<Tables>) => Promise<Access | undefined>

/**
 * The one place that decides who may do what with a document, for HTTP, WebSockets, rooms, events and runs. A run has the
 * rights of whoever started it, on its own document only, and only until it is over and under the newest lease.
 */
export function createAccess(roles: Roles, runs: RunStore): FindAccess {
  return async (caller, document, db) => {
    const person = caller.kind === 'person' ? caller.user : caller.invokedBy
    if (caller.kind === 'run') {
      const run = caller.document === document ? await runs.findRow(caller.run, db) : undefined
      if (run?.epoch !== caller.epoch || run.ended_at !== null) return undefined
    }
    const role = await roles.roleOf(person.id, document, db)
    return role && atMost(accessOfRole(role, roles.isOpen), caller.kind === 'person' ? caller.limit : undefined)
  }
}
