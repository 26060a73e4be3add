import type { AccessChange, Inherits, MoveEffect } from '@copydesk/protocol'
import { counted, localizable } from '@copydesk/tools/localizable'
import type { Kysely, Transaction } from 'kysely'
import type { PersonCaller } from '../auth/callers.ts'
import { RequestError } from '../common/errors.ts'
import { allows } from '../common/identity.ts'
import type { Signals } from '../common/signals.ts'
import type { Tables } from '../store/tables.ts'
import {
  folderLevels,
  foldersOutward,
  type GrantRow,
  highestGrants,
  type Item,
  withAround,
  withInside,
} from './inheritance.ts'
import { lockItem } from './lock-item.ts'
import type { Roles } from './roles.ts'
import type { FindFolderAccess } from './access.ts'

export type MovesDeps = {
  db: Kysely<Tables>
  roles: Roles
  signals: Pick<Signals, 'publish'>
  checkTarget: CheckTarget
}

const peopleShown = 100

/** A person or an address, and their roles before and after. */
type Change = Pick<AccessChange, 'from' | 'to'> & { who: string }

type Grants = readonly (GrantRow & { who: string | null })[]

/** Moves documents and folders to other folders, which changes who may open them. */
export class Moves {
  readonly #deps: MovesDeps
  constructor(deps: MovesDeps) {
    this.#deps = deps
  }

  /**
   * The people whose access a move would change. @throws RequestError as `move`, except the `conflict` about access.
   */
  async effectOf(item: Item, to: string | null, caller: PersonCaller): Promise<MoveEffect> {
    const { db } = this.#deps
    return db.transaction().execute(async (trx) => {
      await this.#checkMove(trx, item, to, caller)
      const changes = await this.#changes(trx, item, to)
      const people = changes.filter(({ who }) => !isAddress(who))
      const shown = people.slice(0, peopleShown)
      const rows = await trx
        .selectFrom('people')
        .select(['id', 'name', 'color'])
        .where(
          'id',
          'in',
          shown.map(({ who }) => who),
        )
        .orderBy('name')
        .orderBy('id')
        .execute()
      const byId = new Map(shown.map((change) => [change.who, change]))
      return {
        people: rows.map((row) => ({ ...row, from: byId.get(row.id)?.from ?? null, to: byId.get(row.id)?.to ?? null })),
        count: people.length,
        addresses: changes.length - people.length,
      }
    })
  }

  /**
   * Moves an item to a folder, or to none, within the caller's transaction; the caller calls `after` when it is
   * committed. With `confirm`, also if that changes the access of people.
   * @throws RequestError `not_found`, `forbidden` for the folder; `conflict` if a folder would be in itself or too
   * deep, or if the access of others would change.
   */
  async moveIn(
    trx: Transaction<Tables>,
    item: Item,
    { to, confirm, caller }: { to: string | null; confirm: boolean; caller: PersonCaller },
  ): Promise<{ after: () => void }> {
    await this.#checkMove(trx, item, to, caller)
    const changes = await this.#changes(trx, item, to)
    if (changes.length > 0 && !confirm) {
      throw new RequestError(
        'conflict',
        localizable`The move changes the access of ${counted(changes.length, 'person', 'people')}.`,
        'Send confirm: true to move it.',
      )
    }
    await setFolder(trx, item, to)
    return { after: await this.#announcement(trx, item, changes) }
  }

  /** Moves an item to no folder, even if people lose access, within the transaction of a caller with the right. */
  async moveOutOfFoldersIn(trx: Transaction<Tables>, item: Item): Promise<{ after: () => void }> {
    const changes = await this.#changes(trx, item, null)
    await setFolder(trx, item, null)
    return { after: await this.#announcement(trx, item, changes) }
  }

  /** Sets which roles a folder inherits from its parent folder, within the caller's transaction. */
  async inheritIn(trx: Transaction<Tables>, folder: string, inherits: Inherits): Promise<{ after: () => void }> {
    const item: Item = { kind: 'folder', id: folder }
    await lockItem(trx, item)
    const before = await grantsOn(trx, item)
    await trx.updateTable('folders').set({ inherits }).where('id', '=', folder).execute()
    return { after: await this.#announcement(trx, item, difference(before, await grantsOn(trx, item))) }
  }

  async #checkMove(trx: Transaction<Tables>, item: Item, to: string | null, caller: PersonCaller): Promise<void> {
    if (!(await lockItem(trx, item))) throw new RequestError('not_found', `There is no such ${item.kind}.`)
    await this.#deps.checkTarget(trx, to, caller)
    if (item.kind === 'document' || to === null) return
    const inside = await levelsInside(trx, item.id)
    if (inside.has(to)) throw new RequestError('conflict', 'A folder can’t be in itself.', 'Choose another folder.')
    const height = Math.max(...inside.values()) + 1
    requireLevels((await foldersOutward(trx, to)).length + height)
  }

  async #changes(trx: Transaction<Tables>, item: Item, to: string | null): Promise<Change[]> {
    if (this.#deps.roles.isOpen) return []
    const before = await grantsOn(trx, item)
    const own = before.filter(({ depth }) => depth === 0)
    const { inherits } = await trx
      .selectFrom(item.kind === 'folder' ? 'folders' : 'documents')
      .select('inherits')
      .where('id', '=', item.id)
      .executeTakeFirstOrThrow()
    const around = to === null || inherits === 'none' ? [] : await grantsOn(trx, { kind: 'folder', id: to })
    const inherited = around.map((row) => ({
      ...row,
      depth: row.depth + 1,
      inherits: row.depth === 0 ? inherits : row.inherits,
    }))
    return difference(before, [...own, ...inherited])
  }

  /** Makes open connections check the access of the people whom the changes concern. */
  async #announcement(trx: Transaction<Tables>, item: Item, changes: readonly Change[]): Promise<() => void> {
    const { signals } = this.#deps
    if (item.kind === 'document') return () => signals.publish({ kind: 'rights', document: item.id })
    const [addresses, people] = [
      changes.filter(({ who }) => isAddress(who)),
      changes.filter(({ who }) => !isAddress(who)),
    ]
    const known = await trx
      .selectFrom('people')
      .select('id as who')
      .where('email_verified', '=', 1)
      .where(
        'email',
        'in',
        addresses.map(({ who }) => who),
      )
      .execute()
    return () => {
      for (const { who } of [...people, ...known]) signals.publish({ kind: 'rights', person: who })
    }
  }
}

async function setFolder(trx: Transaction<Tables>, { kind, id }: Item, to: string | null): Promise<void> {
  if (kind === 'document') await trx.updateTable('documents').set({ folder: to }).where('id', '=', id).execute()
  else await trx.updateTable('folders').set({ parent: to }).where('id', '=', id).execute()
}

// Ids contain no @.
function isAddress(who: string): boolean {
  return who.includes('@')
}

/** The people with a role in an item or in the folders around it, and the invited addresses. */
async function grantsOn(db: Kysely<Tables>, { kind, id }: Item): Promise<Grants> {
  const columns = ['around.depth', 'around.inherits', 'around.source'] as const
  return withAround(db, kind, [id])
    .selectFrom('around')
    .leftJoin('members', 'members.item', 'around.source')
    .select([...columns, 'members.role', 'members.person as who'])
    .unionAll((eb) =>
      eb
        .selectFrom('around')
        .innerJoin('pending_members', 'pending_members.item', 'around.source')
        .select([...columns, 'pending_members.role', 'pending_members.email as who']),
    )
    .execute()
}

function difference(before: Grants, after: Grants): Change[] {
  const [had, gets] = [highestGrants(before), highestGrants(after)]
  return [...new Set([...had.keys(), ...gets.keys()])].flatMap((who) => {
    const [from, to] = [had.get(who)?.role ?? null, gets.get(who)?.role ?? null]
    return from === to ? [] : [{ who, from, to }]
  })
}

/** @throws RequestError `conflict` if there are too many levels of folders. */
export function requireLevels(levels: number): void {
  if (levels <= folderLevels) return
  throw new RequestError(
    'conflict',
    localizable`Folders are at most ${folderLevels} levels deep.`,
    'Choose a folder further out.',
  )
}

/** A folder and all folders in it, with how many levels each is below the folder. */
async function levelsInside(db: Kysely<Tables>, folder: string): Promise<Map<string, number>> {
  const rows = await withInside(db, folder)
    .selectFrom('inside')
    .innerJoin('folders', 'folders.id', 'inside.id')
    .select(['folders.id', 'folders.parent'])
    .execute()
  const parents = new Map(rows.map(({ id, parent }) => [id, parent]))
  const levelIn = (id: string): number => (id === folder ? 0 : 1 + levelIn(parents.get(id) ?? folder))
  return new Map(rows.map(({ id }) => [id, levelIn(id)]))
}

/** Checks in a transaction that a caller may add an item to a folder; null is no folder. */
export type CheckTarget = (trx: Transaction<Tables>, folder: string | null, caller: PersonCaller) => Promise<void>

/** Creates the check, which locks the folder. It throws RequestError `not_found`, `forbidden`. */
export function createTargetCheck(access: FindFolderAccess): CheckTarget {
  return async (trx, folder, caller) => {
    if (folder === null) return
    const { numUpdatedRows } = await trx
      .updateTable('folders')
      .set((eb) => ({ created_by: eb.ref('created_by') }))
      .where('id', '=', folder)
      .where('trashed_at', 'is', null)
      .executeTakeFirst()
    const has = numUpdatedRows > 0n ? await access(caller, folder, trx) : undefined
    if (!has) throw new RequestError('not_found', 'There is no such folder, or it is not shared with you.')
    if (allows(has, 'write')) return
    throw new RequestError('forbidden', 'You may not put anything into this folder.', 'Ask its owner for more.')
  }
}
