import type { DocumentPerson } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

const noteEveryMs = 10 * 60 * 1000
const remembered = 10_000
const listed = 500

/** Who has opened which document: the people whom one can mention there. */
export class Visits {
  readonly #db: Kysely<Tables>
  readonly #now: () => number
  readonly #noted = new Map<string, number>()

  constructor({ db, now }: { db: Kysely<Tables>; now: () => number }) {
    this.#db = db
    this.#now = now
  }

  /** Notes that a person has a document open now. Asks the store at most every ten minutes. */
  async note(document: string, person: string): Promise<void> {
    const now = this.#now()
    const key = `${document} ${person}`
    if (now - (this.#noted.get(key) ?? -noteEveryMs) < noteEveryMs) return
    await this.#db
      .insertInto('document_visits')
      .values({ document, person, last_at: now })
      .onConflict((conflict) => conflict.columns(['document', 'person']).doUpdateSet({ last_at: now }))
      .execute()
    if (this.#noted.size >= remembered) this.#noted.clear()
    this.#noted.set(key, now)
  }

  /** Who has opened a document, whoever was there last first; at most 500. */
  async people(document: string): Promise<DocumentPerson[]> {
    const rows = await this.#db
      .selectFrom('document_visits as visit')
      .innerJoin('people', 'people.id', 'visit.person')
      .select(['people.id', 'people.name', 'people.color', 'visit.last_at'])
      .where('visit.document', '=', document)
      .orderBy('visit.last_at', 'desc')
      .orderBy('people.id')
      .limit(listed)
      .execute()
    return rows.map(({ last_at, ...person }) => ({ ...person, lastSeenAt: new Date(last_at).toISOString() }))
  }
}
