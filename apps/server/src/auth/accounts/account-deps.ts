import type { Kysely } from 'kysely'
import type { Signals } from '../../common/signals.ts'
import type { Tables } from '../../store/tables.ts'
import type { AuthLibrary } from '../library/auth-library.ts'
import type { People } from '../people.ts'
import type { AuthLinks } from './auth-links.ts'

/** What the account services share. */
export type AccountDeps = {
  db: Kysely<Tables>
  library: AuthLibrary
  links: AuthLinks
  people: People
  signals: Signals
  publicUrl: string
  now: () => number
  createId: () => string
}
