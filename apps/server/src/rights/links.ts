import { createHash, createHmac } from 'node:crypto'
import type { Author, LinkRole, ShareLink, User } from '@copydesk/protocol'
import { localizable } from '@copydesk/tools/localizable'
import { type Expression, expressionBuilder, type Kysely, type SqlBool } from 'kysely'
import { RequestError } from '../common/errors.ts'
import type { Signals } from '../common/signals.ts'
import type { Tables } from '../store/tables.ts'
import { lockItem } from './lock-item.ts'

export type LinksDeps = {
  db: Kysely<Tables>
  signals: Pick<Signals, 'publish'>
  now: () => number
  createId: () => string
  /** The server's secret, from which the tokens of links are derived. */
  secret: string
}

const linksAtMost = 100
const visitorsShown = 20

/**
 * Share links: each gives its role to everyone who has it, until it expires or is revoked. A link's token is derived
 * from its id with the server's secret, so that it can be shown again and the database alone gives no access.
 */
export class Links {
  readonly #deps: LinksDeps
  constructor(deps: LinksDeps) {
    this.#deps = deps
  }

  /**
   * Creates a link.
   * @throws RequestError `invalid_input` for an expiry in the past, `conflict` if the document has a hundred links
   * already.
   */
  async create(
    document: string,
    { role, expiresAt }: { role: LinkRole; expiresAt: number | null },
    by: User,
  ): Promise<{ link: ShareLink; token: string }> {
    const { db, now, createId, signals } = this.#deps
    if (expiresAt !== null && expiresAt <= now()) {
      throw new RequestError(
        'invalid_input',
        'expiresAt: this time is in the past.',
        'Give a time in the future, or none.',
      )
    }
    const id = createId()
    const token = this.#tokenOf(id)
    const row = {
      id,
      document,
      role,
      token_hash: hashOf(token),
      created_by: by.id,
      created_at: now(),
      expires_at: expiresAt,
      revoked_at: null,
    }
    await db.transaction().execute(async (trx) => {
      // The lock prevents concurrent requests from exceeding the limit.
      await lockItem(trx, { kind: 'document', id: document })
      const held = await trx
        .selectFrom('links')
        .select('id')
        .where('document', '=', document)
        .where(isLinkValid(now()))
        .execute()
      if (held.length >= linksAtMost) {
        throw new RequestError(
          'conflict',
          localizable`A document has at most ${linksAtMost} links.`,
          'Revoke one first.',
        )
      }
      await trx.insertInto('links').values(row).execute()
    })
    // Causes the expiry watch to compute the next expiry again.
    if (expiresAt !== null) signals.publish({ kind: 'rights', document })
    return { link: toShareLink({ ...row, name: by.name }), token }
  }

  /**
   * The valid links of a document, newest first, each with the latest people who opened it. Links created with another
   * secret, or before tokens were derived, have no token.
   */
  async list(document: string): Promise<{ link: ShareLink; token: string | undefined }[]> {
    const rows = await this.#validLinks()
      .where('links.document', '=', document)
      .orderBy('links.created_at', 'desc')
      .orderBy('links.id')
      .execute()
    const visits = await this.#visits(rows.map(({ id }) => id))
    return rows.map((row) => {
      const token = this.#tokenOf(row.id)
      const link = toShareLink(row, visits.get(row.id))
      return { link, token: hashOf(token) === row.token_hash ? token : undefined }
    })
  }

  /**
   * Revokes a link, by its creator or, with `mayAll`, by others: everyone who joined by it loses its role.
   * @throws RequestError `not_found`, `forbidden`.
   */
  async revoke(document: string, id: string, by: string, mayAll: boolean): Promise<void> {
    const { db, now, signals } = this.#deps
    const link = await this.#validLinks()
      .where('links.document', '=', document)
      .where('links.id', '=', id)
      .executeTakeFirst()
    if (!link) throw new RequestError('not_found', 'There is no such link, or it has been revoked.')
    if (!mayAll && link.created_by !== by) {
      throw new RequestError('forbidden', 'Only an owner can revoke a link that another person has made.')
    }
    await db.updateTable('links').set({ revoked_at: now() }).where('id', '=', id).execute()
    signals.publish({ kind: 'rights', document })
  }

  /** The link with this token, if it is valid. */
  async find(token: string): Promise<{ id: string; document: string; role: LinkRole } | undefined> {
    return this.#validLinks().where('links.token_hash', '=', hashOf(token)).executeTakeFirst()
  }

  /** Records that a person has opened a link: the person has its role while the link is valid. */
  async visit(link: { id: string; document: string }, person: string): Promise<void> {
    const { db, now, signals } = this.#deps
    await db
      .insertInto('link_visits')
      .values({ link: link.id, person, first_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    signals.publish({ kind: 'rights', person, document: link.document })
  }

  async #visits(links: readonly string[]): Promise<Map<string, Visits>> {
    if (links.length === 0) return new Map()
    const rows = await this.#deps.db
      .selectFrom((eb) =>
        eb
          .selectFrom('link_visits')
          .innerJoin('people', 'people.id', 'link_visits.person')
          .where('link_visits.link', 'in', links)
          .select(['link_visits.link', 'people.id', 'people.name'])
          .select((of) => [
            of.fn
              .countAll<number>()
              .over((over) => over.partitionBy('link_visits.link'))
              .as('count'),
            of.fn
              .agg<number>('row_number')
              .over((over) => over.partitionBy('link_visits.link').orderBy('link_visits.first_at', 'desc'))
              .as('place'),
          ])
          .as('visits'),
      )
      .selectAll()
      .where('place', '<=', visitorsShown)
      .orderBy('place')
      .execute()
    const byLink = Map.groupBy(rows, ({ link }) => link)
    return new Map(
      [...byLink].map(([link, visits]): [string, Visits] => {
        const visitors = visits.map(({ id, name }): Author => ({ id, name, kind: 'person' }))
        return [link, { visits: Number(visits[0]?.count ?? 0), visitors }]
      }),
    )
  }

  #tokenOf(id: string): string {
    return createHmac('sha256', this.#deps.secret).update(`share link ${id}`).digest('base64url')
  }

  #validLinks() {
    const { db, now } = this.#deps
    return db
      .selectFrom('links')
      .innerJoin('documents', 'documents.id', 'links.document')
      .leftJoin('people', 'people.id', 'links.created_by')
      .select([
        'links.id',
        'links.document',
        'links.role',
        'links.created_by',
        'links.created_at',
        'links.expires_at',
        'links.token_hash',
      ])
      .select('people.name')
      .where('documents.deleted_at', 'is', null)
      .where(isLinkValid(now()))
  }
}

/** A condition for queries over `links`: neither revoked nor expired. */
export function isLinkValid(now: number): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'links'>()
  return eb.and([
    eb('links.revoked_at', 'is', null),
    eb.or([eb('links.expires_at', 'is', null), eb('links.expires_at', '>', now)]),
  ])
}

type Visits = Pick<ShareLink, 'visits' | 'visitors'>
type Row = Pick<Tables['links'], 'id' | 'role' | 'created_by' | 'created_at' | 'expires_at'> & { name: string | null }

function toShareLink(
  { id, role, created_by, created_at, expires_at, name }: Row,
  visits: Visits = { visits: 0, visitors: [] },
): ShareLink {
  return {
    id,
    role,
    createdBy: { id: created_by, name: name ?? 'Unknown person', kind: 'person' },
    createdAt: new Date(created_at).toISOString(),
    expiresAt: expires_at === null ? null : new Date(expires_at).toISOString(),
    ...visits,
  }
}

// The lookup is by hash, so that its timing reveals nothing about the token.
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/**
 * A query for the ids of people whose runs count together with this person's: the person, and for a guest all guests of
 * the same links. A link can create any number of guests.
 */
export function peopleOfBudget(person: string, db: Kysely<Tables>) {
  const self = db.selectFrom('people').select('people.id').where('people.id', '=', person)
  const links = db
    .selectFrom('link_visits')
    .innerJoin('people', 'people.id', 'link_visits.person')
    .select('link_visits.link')
    .where('link_visits.person', '=', person)
    .where('people.guest', '=', 1)
  const guests = db
    .selectFrom('link_visits')
    .innerJoin('people', 'people.id', 'link_visits.person')
    .select('people.id')
    .where('people.guest', '=', 1)
    .where('link_visits.link', 'in', links)
  return self.union(guests)
}
