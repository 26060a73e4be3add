import type { Access, Role } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import type { Caller, PersonCaller } from '../auth/callers.ts'
import { allows, atMost } from '../common/identity.ts'
import type { Roles } from './roles.ts'
import type { RunRow, Tables } from '../store/tables.ts'

const accessOf: Readonly<Record<Role, Access>> = {
  owner: 'manage',
  editor: 'write',
  commenter: 'comment',
  viewer: 'read',
}

/**
 * The access that a role gives. Without accounts (`isOpen`) every role gives `manage`: the server cannot tell a
 * returning owner from another user of the same name.
 */
export function accessOfRole(role: Role, isOpen: boolean): Access {
  return isOpen ? 'manage' : accessOf[role]
}

/**
 * The access to the content that a caller's connection needs for sending changes. A run needs only `comment`: for a
 * commenter it can only suggest (enforced in `agent/session/run-session.ts`), and a suggestion is part of the content.
 */
export function writingNeeds(caller: Caller): Access {
  return caller.kind === 'run' ? 'comment' : 'write'
}

/**
 * The access of a caller to a document; undefined if the caller may not open it. Inside a transaction, pass it as `db`.
 */
export type FindAccess = (caller: Caller, document: string, db?: Kysely<Tables>) => Promise<Access | undefined>

/** The access of a person to a folder; undefined if they may not see it. Inside a transaction, pass it as `db`. */
export type FindFolderAccess = (
  caller: PersonCaller,
  folder: string,
  db?: Kysely<Tables>,
) => Promise<Access | undefined>

/** The columns of a run's row that determine its access. */
export type RunCredentialRow = Pick<RunRow, 'document' | 'invoked_by' | 'access_limit' | 'api_key' | 'trigger_kind'>

/**
 * The current access of a run to its document: the current access of the user who started it, limited by that user's
 * access at the start. Undefined once the API key that started the run is invalid, or when the access is below
 * `comment`, which calling the agent needs. `read` is enough for an outside agent.
 */
export type FindRunAccess = (run: RunCredentialRow, db?: Kysely<Tables>) => Promise<Access | undefined>

type AccessDeps = {
  db: Kysely<Tables>
  roles: Roles
  runs: { findRow(id: string, db?: Kysely<Tables>): Promise<RunRow | undefined> }
  now: () => number
}

/**
 * The only implementation of access to documents and folders, for HTTP, WebSockets, rooms, events and runs. A run has
 * the access of the user who started it, limited by the credential with which it was started, on its own document only,
 * while it has not ended and its lease is the newest.
 */
export function createAccess(deps: AccessDeps) {
  const { db, roles, runs } = deps
  const runAccess: FindRunAccess = async (run, trx) => {
    if (run.api_key !== null && !(await isKeyValid(run.api_key, trx ?? db, deps.now()))) return undefined
    const role = await roles.roleOf(run.invoked_by, run.document, trx)
    const found = role && atMost(accessOfRole(role, roles.isOpen), run.access_limit)
    return allows(found, run.trigger_kind === 'api' ? 'read' : 'comment') ? found : undefined
  }
  const access: FindAccess = async (caller, document, trx) => {
    if (caller.kind === 'run') {
      const run = caller.document === document ? await runs.findRow(caller.run, trx) : undefined
      return run?.epoch === caller.epoch && run.ended_at === null ? runAccess(run, trx) : undefined
    }
    const role = await roles.roleOf(caller.user.id, document, trx)
    return role && atMost(accessOfRole(role, roles.isOpen), caller.limit)
  }
  const folderAccess: FindFolderAccess = async (caller, folder, trx) => {
    const role = caller.guest ? undefined : await roles.roleInFolder(caller.user.id, folder, trx)
    return role && atMost(accessOfRole(role, roles.isOpen), caller.limit)
  }
  return { access, folderAccess, runAccess }
}

async function isKeyValid(key: string, db: Kysely<Tables>, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', key)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  return row !== undefined
}
