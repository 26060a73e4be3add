import { getOAuthState } from 'better-auth/api'
import type { AccountDeps } from './account-deps.ts'
import type { AuthLinkRow } from '../../store/tables.ts'
import { findAddressHolder, releaseUnconfirmed } from './address-claims.ts'
import type { AuthLibraryDeps } from '../library/auth-library.ts'
import { oidcProvider } from '../library/oidc.ts'
import { foldEmail } from '../people.ts'

/** `isOpen`: whether everyone with an account at the OIDC server may sign up. */
type AdmissionDeps = Omit<AccountDeps, 'library'> & { isOpen: boolean }

/** Sign-up decisions for people who sign in through OIDC. */
export type Admission = {
  admit: AuthLibraryDeps['admit']
  /**
   * Removes an address that the OIDC server confirms from an account in which it is unconfirmed, if `admit` will admit
   * the newcomer: otherwise the library would find that account by the address and refuse. `subject` is the OIDC
   * server's id of the newcomer.
   */
  makeRoom(newcomer: { subject: string; email: string }): Promise<void>
}

/**
 * Decides whether a person may sign in through OIDC for the first time: with an invitation link, with an invited
 * address, or always if the operator configured that; and only with an address confirmed by the OIDC server. Consumes
 * the invitation.
 */
export function createAdmission({ db, links, people, signals, now, isOpen }: AdmissionDeps): Admission {
  const findLink = async (email: string): Promise<AuthLinkRow | undefined> => {
    const given: unknown = (await getOAuthState())?.['invitation']
    const link = typeof given === 'string' ? await links.find(given) : undefined
    const fits = link && link.kind !== 'reset' && (link.email === null || link.email === foldEmail(email))
    return fits ? link : links.findFor('invitation', foldEmail(email))
  }
  const enter = async (link: AuthLinkRow | undefined) => {
    if (!link || !(await links.use(db, link.id, null))) return undefined
    return { color: await people.nextColor(), ...(link.kind === 'set-up' ? { operator: true } : {}) }
  }
  return {
    async admit({ email, isConfirmed }) {
      if (!isConfirmed) return { refused: 'email not confirmed' }
      return (
        (await enter(await findLink(email))) ??
        (await enter(await links.findFor('invitation', foldEmail(email)))) ??
        (isOpen ? { color: await people.nextColor() } : { refused: 'not invited' })
      )
    },
    async makeRoom({ subject, email }) {
      // Connecting an existing account doesn't require a free address.
      if ((await getOAuthState())?.link) return
      const holder = await findAddressHolder(db, foldEmail(email))
      if (!holder || holder.isConfirmed) return
      const known = await db
        .selectFrom('auth_accounts')
        .select('id')
        .where('provider', '=', oidcProvider)
        .where('account', '=', subject)
        .executeTakeFirst()
      if (known || !(isOpen || (await findLink(email)))) return
      if (await releaseUnconfirmed(db, holder.id, now())) signals.publish({ kind: 'rights', person: holder.id })
    },
  }
}
