import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

/**
 * The account for which storage counts, as stored: all guests of one link share one, all other people have their own.
 */
export type Account = `person:${string}` | `link:${string}`

const knownAtMost = 10_000

/** Finds the accounts of people, with a cache: an account never changes. */
export class AccountFinder {
  readonly #db: Kysely<Tables>
  readonly #known = new Map<string, Account>()

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /** The account of a person; for a guest, of the first link by which they joined. */
  async of(person: string): Promise<Account> {
    const known = this.#known.get(person)
    if (known) return known
    const row = await this.#db
      .selectFrom('people')
      .innerJoin('link_visits', 'link_visits.person', 'people.id')
      .select('link_visits.link')
      .where('people.id', '=', person)
      .where('people.guest', '=', 1)
      .orderBy('link_visits.first_at')
      .orderBy('link_visits.link')
      .limit(1)
      .executeTakeFirst()
    const account: Account = row ? `link:${row.link}` : `person:${person}`
    if (this.#known.size >= knownAtMost) this.#known.clear()
    this.#known.set(person, account)
    return account
  }

  /** The account of the person who started a run; `undefined` if there is no such run. */
  async ofRun(run: string): Promise<Account | undefined> {
    const row = await this.#db.selectFrom('runs').select('invoked_by').where('id', '=', run).executeTakeFirst()
    return row && this.of(row.invoked_by)
  }
}
