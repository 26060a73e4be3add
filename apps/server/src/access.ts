import type { Access, Role } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { allows, atMost } from './access-level.ts'
import type { Caller } from './auth/callers.ts'
import type { Roles } from './rights/roles.ts'
import type { RunStore } from './runs/run-store.ts'
import type { RunRow, Tables } from './store/tables.ts'

const accessOf: Readonly<Record<Role, Access>> = {
  owner: 'manage',
  editor: 'write',
  commenter: 'comment',
  viewer: 'read',
}

/**
 * What somebody in a role may do. Where names aren't accounts (`isOpen`) nobody can be told from an owner who comes
 * back.
 */
export function accessOfRole(role: Role, isOpen: boolean): Access {
  return isOpen ? 'manage' : accessOf[role]
}

/**
 * What a caller's connection to the content must allow before it may send changes. A run needs less than a person: for
 * a commenter it suggests and nothing else (`runs/run-session.ts` sees to that), and a suggestion stands in the content.
 */
export function writingNeeds(caller: Caller): Access {
  return caller.kind === 'run' ? 'comment' : 'write'
}

/** What a caller may do with a document; undefined if they may not open it. In a transaction, pass it as `db`. */
export type FindAccess = (caller: Caller, document: string, db?: Kysely<Tables>) => Promise<Access | undefined>

/** The part of a run's row that says what it may do. */
export type RunCredentialRow = Pick<RunRow, 'document' | 'invoked_by' | 'access_limit' | 'api_key'>

/**
 * What a run may do with its document now: what its caller may, never more than they could when they started it, and
 * nothing once the key is gone with which it was started. Undefined also where that is less than whoever calls the
 * agent needs.
 */
export type FindRunAccess = (run: RunCredentialRow, db?: Kysely<Tables>) => Promise<Access | undefined>

type AccessDeps = { db: Kysely<Tables>; roles: Roles; runs: RunStore; now: () => number }

/**
 * The one place that decides who may do what with a document, for HTTP, WebSockets, rooms, events and runs. A run has
 * the rights of whoever started it, within those of what they started it with, on its own document only, and only until
 * it is over and under the newest lease.
 */
export function createAccess(deps: AccessDeps): { access: FindAccess; runAccess: FindRunAccess } {
  const { db, roles, runs } = deps
  const runAccess: FindRunAccess = async (run, trx) => {
    if (run.api_key !== null && !(await keyHolds(run.api_key, trx ?? db, deps.now()))) return undefined
    const role = await roles.roleOf(run.invoked_by, run.document, trx)
    const found = role && atMost(accessOfRole(role, roles.isOpen), run.access_limit)
    return allows(found, 'comment') ? found : undefined
  }
  const access: FindAccess = async (caller, document, trx) => {
    if (caller.kind === 'run') {
      const run = caller.document === document ? await runs.findRow(caller.run, trx) : undefined
      return run?.epoch === caller.epoch && run.ended_at === null ? runAccess(run, trx) : undefined
    }
    const role = await roles.roleOf(caller.user.id, document, trx)
    return role && atMost(accessOfRole(role, roles.isOpen), caller.limit)
  }
  return { access, runAccess }
}

async function keyHolds(key: string, db: Kysely<Tables>, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', key)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  return row !== undefined
}
