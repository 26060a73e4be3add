import { type Access, type Member, type MemberList, type PutMembers, Role } from '@copydesk/protocol'
import { localizable } from '@copydesk/tools/localizable'
import type { Kysely, Transaction } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { allows } from '../common/identity.ts'
import type { Signals } from '../common/signals.ts'
import type { Tables } from '../store/tables.ts'
import { knownTo } from './known-people.ts'
import { isLinkValid } from './links.ts'
import { highestGrants, isAtLeast, type Item, withAround } from './inheritance.ts'
import { lockItem } from './lock-item.ts'
import { requireSharing } from './sharing.ts'

export type MembersDeps = { db: Kysely<Tables>; signals: Pick<Signals, 'publish'>; now: () => number }

// For people and for pending addresses, each; larger groups use a link.
const membersAtMost = 1000
const inheritedShown = 500

/** The person who changes roles, and a function that reads their current access in the transaction. */
export type Grantor = { id: string; access: (trx: Transaction<Tables>) => Promise<Access | undefined> }

type RequestedRoleChange = {
  item: Item
  grantor: string
  id: string | undefined
  email: string | undefined
  role: Role | null
}

/** A resolved role change: of a known person (`email` only if confirmed), or of an address without an account. */
type ResolvedRoleChange = { person?: string; email?: string; role: Role | null }

export class Members {
  readonly #deps: MembersDeps
  constructor(deps: MembersDeps) {
    this.#deps = deps
  }

  /**
   * The people with a role of their own or by a link, owners first; the people with a role by a folder; and the
   * addresses with which the item is shared, unless `viewer` knows the person: entering an address must not reveal
   * whether it has an account.
   */
  async list(item: Item, viewer: string): Promise<MemberList> {
    const { db } = this.#deps
    const own = await db
      .selectFrom('members')
      .innerJoin('people', 'people.id', 'members.person')
      .select(['people.id', 'people.name', 'people.color', 'people.email', 'people.email_verified', 'people.guest'])
      .select('members.role')
      .where('members.item', '=', item.id)
      .orderBy('members.added_at')
      .orderBy('people.id')
      .execute()
    const pending = await this.#pending(item, viewer)
    const members = new Map<string, Member>()
    for (const row of [...own, ...pending.known]) add(members, row, undefined)
    for (const { link, ...row } of await this.#visitors(item.id)) add(members, row, link)
    return {
      members: [...members.values()].toSorted(
        (a, b) => Role.options.indexOf(a.role) - Role.options.indexOf(b.role) || Number(a.guest) - Number(b.guest),
      ),
      pending: pending.unknown,
      inherited: await this.#inherited(item),
    }
  }

  /**
   * Grants and revokes roles, atomically. Owners may set every role; other editors may only grant roles up to editor,
   * can't revoke or lower any, and can't grant in folders or documents that only owners share. Everyone may leave.
   * @throws RequestError `forbidden`, `not_found` for an unknown id, `conflict` if the item would have no owner, or
   * more than a thousand people or a thousand addresses.
   */
  async put(item: Item, { members }: PutMembers, by: Grantor): Promise<void> {
    const { db, signals } = this.#deps
    const changed = await db.transaction().execute(async (trx) => {
      const people: string[] = []
      // Two owners who revoke each other's role concurrently would leave none; with the lock the second is no longer an
      // owner.
      await lockItem(trx, item)
      const access = await by.access(trx)
      if (!access) {
        throw new RequestError('not_found', `There is no such ${item.kind}, or it is not shared with you.`)
      }
      for (const { id, email, role } of members) {
        const change = await this.#resolve(trx, { item, grantor: by.id, id, email, role })
        await this.#requireRight(trx, item, change, { id: by.id, access })
        if (change.person !== undefined) await this.#setRole(trx, item.id, change.person, change.role, by.id)
        const holder = change.person ?? (await this.#findByAddress(trx, change.email))
        if (holder !== undefined) people.push(holder)
        // An address that now belongs to a known person is no longer pending.
        const waiting = change.person === undefined ? change.role : null
        if (change.email !== undefined) await this.#setPendingRole(trx, item.id, change.email, waiting, by.id)
      }
      await this.#requireOwner(trx, item)
      if (members.some(({ role }) => role !== null)) await this.#requireRoom(trx, item)
      return people
    })
    // A role in a folder applies to all its contents.
    const where = item.kind === 'document' ? { document: item.id } : {}
    for (const person of changed) signals.publish({ kind: 'rights', person, ...where })
  }

  /** The person whose confirmed address this is. The grantor must not learn it. */
  async #findByAddress(trx: Transaction<Tables>, email: string | undefined): Promise<string | undefined> {
    const people = trx.selectFrom('people').select('id').where('email_verified', '=', 1)
    return (await people.where('email', '=', email ?? '').executeTakeFirst())?.id
  }

  async #resolve(
    trx: Transaction<Tables>,
    { item, grantor, id, email, role }: RequestedRoleChange,
  ): Promise<ResolvedRoleChange> {
    const found = await trx
      .selectFrom('people')
      .select(['id', 'email', 'email_verified', 'guest'])
      // An unconfirmed address does not identify its holder.
      .where((eb) =>
        id === undefined ? eb.and([eb('email', '=', email ?? ''), eb('email_verified', '=', 1)]) : eb('id', '=', id),
      )
      .executeTakeFirst()
    const known = await knownTo(trx, grantor, item, [found?.id ?? ''])
    // An address of a person whom the grantor does not know is stored like an unused address, and gives the same role.
    const person = id !== undefined || known.has(found?.id ?? '') ? found : undefined
    if (!person && email !== undefined) return { email, role }
    if (!person) throw new RequestError('not_found', 'There is no such person.', 'Give the id of a listed person.')
    if (person.guest === 1 && role !== null) {
      throw new RequestError(
        'invalid_input',
        'A guest has no account and can do only what the link allows.',
        'Send them a link with another role, or invite them.',
      )
    }
    const confirmed = person.email_verified === 1 ? person.email : null
    return { person: person.id, ...(confirmed === null ? {} : { email: confirmed }), role }
  }

  async #requireRight(
    trx: Transaction<Tables>,
    item: Item,
    change: ResolvedRoleChange,
    by: { id: string; access: Access },
  ) {
    if (allows(by.access, 'manage')) return
    const leaves = change.person === by.id && change.role === null
    if (leaves) return
    await requireSharing(by.access, item, trx)
    const before = await this.#roleBefore(trx, item.id, change)
    const isGrant = change.role !== null && isAtLeast('editor', change.role)
    if (isGrant && (before === undefined || isAtLeast(change.role ?? 'viewer', before))) return
    throw new RequestError(
      'forbidden',
      'Only an owner can make owners, or lower or remove the role of another person.',
      item.kind === 'folder' ? 'Ask an owner of the folder.' : 'Ask an owner of the document.',
    )
  }

  async #roleBefore(
    trx: Transaction<Tables>,
    item: string,
    { person, email }: ResolvedRoleChange,
  ): Promise<Role | undefined> {
    const own = await trx
      .selectFrom('members')
      .select('role')
      .where('item', '=', item)
      .where('person', '=', person ?? '')
      .executeTakeFirst()
    const pending = await trx
      .selectFrom('pending_members')
      .select('role')
      .where('item', '=', item)
      .where('email', '=', email ?? '')
      .executeTakeFirst()
    return Role.options.find((role) => role === own?.role || role === pending?.role)
  }

  async #setRole(trx: Transaction<Tables>, item: string, person: string, role: Role | null, by: string): Promise<void> {
    if (role === null) {
      await trx.deleteFrom('members').where('item', '=', item).where('person', '=', person).execute()
      // Otherwise the link by which the person joined would still give its role.
      const links = trx.selectFrom('links').select('id').where('document', '=', item)
      await trx.deleteFrom('link_visits').where('person', '=', person).where('link', 'in', links).execute()
      return
    }
    await trx
      .insertInto('members')
      .values({ item, person, role, added_by: by, added_at: this.#deps.now() })
      .onConflict((conflict) => conflict.columns(['item', 'person']).doUpdateSet({ role, added_by: by }))
      .execute()
  }

  async #setPendingRole(trx: Transaction<Tables>, item: string, email: string, role: Role | null, by: string) {
    await trx.deleteFrom('pending_members').where('item', '=', item).where('email', '=', email).execute()
    if (role === null) return
    await trx
      .insertInto('pending_members')
      .values({ item, email, role, added_by: by, added_at: this.#deps.now() })
      .execute()
  }

  async #requireOwner(trx: Transaction<Tables>, item: Item): Promise<void> {
    const owner = await trx
      .selectFrom('members')
      .select('person')
      .where('item', '=', item.id)
      .where('role', '=', 'owner')
      .executeTakeFirst()
    if (owner) return
    throw new RequestError(
      'conflict',
      item.kind === 'folder' ? 'A folder needs an owner.' : 'A document needs an owner.',
      'Make another person an owner first.',
    )
  }

  async #requireRoom(trx: Transaction<Tables>, item: Item): Promise<void> {
    for (const table of ['members', 'pending_members'] as const) {
      const { count } = await trx
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('item', '=', item.id)
        .executeTakeFirstOrThrow()
      if (Number(count) <= membersAtMost) continue
      if (item.kind === 'folder') {
        const message = localizable`A folder is shared with at most ${membersAtMost} people by name and as many by address.`
        throw new RequestError('conflict', message, 'Remove a person first.')
      }
      const message = localizable`A document is shared with at most ${membersAtMost} people by name and as many by address.`
      throw new RequestError('conflict', message, 'Share a link with the others, or remove a person first.')
    }
  }

  async #inherited({ kind, id }: Item): Promise<MemberList['inherited']> {
    const rows = await withAround(this.#deps.db, kind, [id])
      .selectFrom('around')
      .leftJoin('members', 'members.item', 'around.source')
      .leftJoin('people', 'people.id', 'members.person')
      .select(['around.depth', 'around.inherits', 'around.source', 'members.role'])
      .select(['people.id as who', 'people.name', 'people.color'])
      .where('around.depth', '>', 0)
      .orderBy('people.name')
      .orderBy('people.id')
      .execute()
    const people = new Map(rows.map((row) => [row.who, row]))
    const inherited = [...highestGrants(rows)].flatMap(([person, { role, source: folder }]) => {
      const { name, color } = people.get(person) ?? {}
      return name == null || color == null ? [] : [{ id: person, name, color, role, folder }]
    })
    return inherited.slice(0, inheritedShown)
  }

  async #pending(item: Item, viewer: string) {
    const rows = await this.#deps.db
      .selectFrom('pending_members as pending')
      .leftJoin('people', 'people.email', 'pending.email')
      .select(['pending.email as address', 'pending.role', 'people.id', 'people.name', 'people.color'])
      .select('people.email_verified')
      .where('pending.item', '=', item.id)
      .orderBy('pending.email')
      .execute()
    const seen = await knownTo(
      this.#deps.db,
      viewer,
      item,
      rows.map(({ id }) => id ?? ''),
    )
    const known: Row[] = []
    const unknown: MemberList['pending'] = []
    for (const { address: email, role, id, name, color, email_verified } of rows) {
      const isSeen = id !== null && name !== null && color !== null && seen.has(id)
      if (isSeen && email_verified === 1) known.push({ id, name, color, email, email_verified, guest: 0, role })
      else unknown.push({ email, role, ...(isSeen ? { claimedBy: { id, name } } : {}) })
    }
    return { known, unknown }
  }

  async #visitors(document: string) {
    const { db, now } = this.#deps
    return db
      .selectFrom('link_visits')
      .innerJoin('links', 'links.id', 'link_visits.link')
      .innerJoin('people', 'people.id', 'link_visits.person')
      .select(['people.id', 'people.name', 'people.color', 'people.email', 'people.email_verified', 'people.guest'])
      .select(['links.role as role', 'links.id as link'])
      .where('links.document', '=', document)
      .where(isLinkValid(now()))
      .orderBy('link_visits.first_at')
      .orderBy('people.id')
      .limit(500)
      .execute()
  }
}

type Row = {
  id: string
  name: string
  color: string
  email: string | null
  email_verified: number
  guest: number
  role: Role
}

function add(members: Map<string, Member>, row: Row, link: string | undefined): void {
  const known = members.get(row.id)
  if (known) {
    if (isAtLeast(row.role, known.role)) known.role = row.role
    if (link !== undefined) known.links.push(link)
    return
  }
  const { id, name, color, role } = row
  const links = link === undefined ? [] : [link]
  members.set(id, {
    id,
    name,
    color,
    role,
    guest: row.guest === 1,
    links,
    ...(row.email === null ? {} : { email: row.email, emailConfirmed: row.email_verified === 1 }),
  })
}
