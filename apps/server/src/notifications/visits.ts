import type { DocumentPerson } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import type { Roles } from '../rights/roles.ts'
import type { Tables } from '../store/tables.ts'

const noteEveryMs = 10 * 60 * 1000
const remembered = 10_000
const listed = 500

/** Records which people have opened which document: they can be mentioned there. */
export class Visits {
  readonly #db: Kysely<Tables>
  readonly #roles: Roles | undefined
  readonly #now: () => number
  readonly #noted = new Map<string, number>()

  constructor({ db, roles, now }: { db: Kysely<Tables>; roles?: Roles; now: () => number }) {
    this.#db = db
    this.#roles = roles
    this.#now = now
  }

  /** Records that a person has a document open now. Writes to the store at most every ten minutes. */
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

  /** The people who have opened a document and still may, most recent first; at most 500. */
  async people(document: string): Promise<DocumentPerson[]> {
    const allowed = this.#roles?.peopleOf(document)
    const rows = await this.#db
      .selectFrom('document_visits as visit')
      .innerJoin('people', 'people.id', 'visit.person')
      .select(['people.id', 'people.name', 'people.color', 'visit.last_at'])
      .where('visit.document', '=', document)
      .$if(allowed !== undefined, (query) => (allowed ? query.where('people.id', 'in', allowed) : query))
      .orderBy('visit.last_at', 'desc')
      .orderBy('people.id')
      .limit(listed)
      .execute()
    return rows.map(({ last_at, ...person }) => ({ ...person, lastSeenAt: new Date(last_at).toISOString() }))
  }
}
