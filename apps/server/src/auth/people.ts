import { type Language, type PatchMe, personColors, type User } from '@copydesk/protocol'
import type { SelectQueryBuilder } from 'kysely'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

export type People = {
  /** Creates a person; a guest is a person without an account on a server with accounts. */
  create(name: string, isGuest?: boolean): Promise<User>
  find(id: string): Promise<User | undefined>
  /** Changes how others see a person, after which the caller publishes a `rights` signal, or the person's language. */
  change(id: string, patch: PatchMe): Promise<void>
  /** The language in which the person used the interface last; null before. */
  languageOf(id: string): Promise<Language | null>
  /** The person with this e-mail address, in any case. */
  findByEmail(email: string): Promise<User | undefined>
  /** Whether the person exists and their account isn't closed. */
  isActive(id: string): Promise<boolean>
  /** The colour for the next new person. */
  nextColor(): Promise<string>
  /** Removes a person from the cache, so that the next `find` reads the store. */
  forget(id: string): void
}

/** An e-mail address in the form in which it is stored and compared. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** People in the store, with a cache: every request and frame looks up a person. */
export function createPeople(store: Store, deps: { now: () => number; createId: () => string }): People {
  const known = new Map<string, User>()
  let next = 0
  let forgotten = 0
  const nextColor = async (): Promise<string> => {
    next = next === 0 ? await countPeople(store) : next
    return personColors[next++ % personColors.length] ?? personColors[0]
  }
  const people = (): SelectQueryBuilder<Tables, 'people', User> =>
    store.db.selectFrom('people').select(['id', 'name', 'color'])
  return {
    nextColor,
    async create(name, isGuest = false) {
      const user: User = { id: deps.createId(), name, color: await nextColor() }
      await store.db
        .insertInto('people')
        .values({ ...user, created_at: deps.now(), guest: isGuest ? 1 : 0 })
        .execute()
      return user
    },
    async find(id) {
      const cached = known.get(id)
      if (cached) return cached
      const asked = forgotten
      const row = await people().where('id', '=', id).executeTakeFirst()
      // A row read during a change may be outdated, so it is not cached.
      if (row && asked === forgotten) known.set(id, row)
      if (known.size > 10_000) known.clear()
      return row
    },
    async languageOf(id) {
      const row = await store.db.selectFrom('people').select('language').where('id', '=', id).executeTakeFirst()
      return row?.language ?? null
    },
    async change(id, patch) {
      if (Object.keys(patch).length === 0) return
      await store.db
        .updateTable('people')
        .set({ ...patch, updated_at: deps.now() })
        .where('id', '=', id)
        .execute()
    },
    findByEmail: (email) => people().where('email', '=', foldEmail(email)).executeTakeFirst(),
    async isActive(id) {
      return (await people().where('id', '=', id).where('deactivated_at', 'is', null).executeTakeFirst()) !== undefined
    },
    forget(id) {
      forgotten += 1
      known.delete(id)
    },
  }
}

async function countPeople(store: Store): Promise<number> {
  const { count } = await store.db
    .selectFrom('people')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
