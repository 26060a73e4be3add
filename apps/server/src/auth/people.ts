import type { User } from '@copydesk/protocol'
import type { SelectQueryBuilder } from 'kysely'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

// Chosen for contrast of at least 4.5:1 with white text, and to be told apart by most people.
const colors = [
  '#b4232a',
  '#b45309',
  '#4d7c0f',
  '#047857',
  '#0e7490',
  '#1d4ed8',
  '#6d28d9',
  '#a21caf',
  '#be185d',
  '#57534e',
] as const

/** The people who have a session on this server. */
export type People = {
  /** Somebody new; a guest is somebody without an account among people with accounts. */
  create(name: string, isGuest?: boolean): Promise<User>
  find(id: string): Promise<User | undefined>
  /** Who has this e-mail address, in whatever case it is written. */
  findByEmail(email: string): Promise<User | undefined>
  /** Whether somebody is there and their account isn't closed. */
  isActive(id: string): Promise<boolean>
  /** The colour of whoever comes next. */
  nextColor(): Promise<string>
  /** Makes sure that whoever asks next gets this person as they stand in the store now. */
  forget(id: string): void
}

/** An e-mail address as it is stored and compared. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** People in the store, with the few that are active kept in memory: every request and frame asks for one. */
export function createPeople(store: Store, deps: { now: () => number; createId: () => string }): People {
  const known = new Map<string, User>()
  let next = 0
  let forgotten = 0
  const nextColor = async (): Promise<string> => {
    next = next === 0 ? await countPeople(store) : next
    return colors[next++ % colors.length] ?? colors[0]
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
      // What was read while somebody changed may be what they were before.
      if (row && asked === forgotten) known.set(id, row)
      if (known.size > 10_000) known.clear()
      return row
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
