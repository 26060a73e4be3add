import { getOAuthState } from 'better-auth/api'
import type { Kysely } from 'kysely'
import type { AuthLinkRow, Tables } from '../store/tables.ts'
import type { AuthLibraryDeps } from './auth-library.ts'
import type { AuthLinks } from './auth-links.ts'
import { foldEmail, type People } from './people.ts'

type AdmissionDeps = {
  db: Kysely<Tables>
  links: AuthLinks
  people: Pick<People, 'nextColor'>
  /** Whether everybody whom the other server knows may come in. */
  isOpen: boolean
}

/**
 * Decides who may come in from the other server for the first time: with the link of an invitation, with an address that was invited, or
 * everybody where the operator wants that; and only with an address that is confirmed there. Uses the invitation up.
 */
export function createAdmission({ db, links, people, isOpen }: AdmissionDeps): AuthLibraryDeps['admit'] {
  const enter = async (link: AuthLinkRow | undefined) => {
    if (!link || !(await links.use(db, link.id, null))) return undefined
    return { color: await people.nextColor(), ...(link.kind === 'set-up' ? { operator: true } : {}) }
  }
  return async ({ email, isConfirmed }) => {
    if (!isConfirmed) return { refused: 'email not confirmed' }
    const given: unknown = (await getOAuthState())?.['invitation']
    const link = typeof given === 'string' ? await links.find(given) : undefined
    const fits = link && link.kind !== 'reset' && (link.email === null || link.email === foldEmail(email))
    return (
      (await enter(fits ? link : undefined)) ??
      (await enter(await links.findFor('invitation', foldEmail(email)))) ??
      (isOpen ? { color: await people.nextColor() } : { refused: 'not invited' })
    )
  }
}
