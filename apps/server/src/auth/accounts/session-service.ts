import type { AccountSession, Session, SignIn } from '@copydesk/protocol'
import { isAPIError } from 'better-auth/api'
import type { AccountDeps } from './account-deps.ts'
import { type Refusal, refuse } from '../../common/errors.ts'
import { type Caller, SESSION_COOKIE, sessionTokenOf } from '../callers.ts'
import { oidcProvider } from '../library/oidc.ts'

/** A person who has just signed in: the response, and the session cookies. */
export type Entered = { ok: true; session: Session; cookies: string[] }

/** The redirect target for a browser, and the cookies to set. */
export type Redirection = { url: string; cookies: string[] }

/** Signing in and out, and the resulting sessions. */
export class SessionService {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /**
   * The owner of a session, by its cookie value: the library's token with its signature. Undefined if invalid or
   * closed.
   */
  async identify(credential: string): Promise<Extract<Caller, { kind: 'person' }> | undefined> {
    if (!isCookieValue.test(credential)) return undefined
    const found = await this.#deps.library.api.getSession({
      headers: withSession(credential),
      query: { disableRefresh: true },
    })
    if (!found || found.user.deactivatedAt) return undefined
    const user = await this.#deps.people.find(found.user.id)
    return user && { kind: 'person', user, session: found.session.id }
  }

  /** Extends a session in use. Returns the cookies to set. */
  async refresh(credential: string): Promise<string[]> {
    const { headers } = await this.#deps.library.api.getSession({
      headers: withSession(credential),
      returnHeaders: true,
    })
    return headers.getSetCookie()
  }

  /**
   * Signs in with address and password. A wrong address and a wrong password get the same response after the same work.
   */
  async signIn(given: SignIn, headers: Headers): Promise<Entered | Refusal> {
    try {
      const answer = await this.#deps.library.api.signInEmail({ body: given, headers, returnHeaders: true })
      return await this.#enter(answer.headers.getSetCookie())
    } catch (error) {
      if (!isAPIError(error)) throw error
      // This error only occurs with the right password.
      if (error.body?.code === 'FAILED_TO_CREATE_SESSION') {
        return refuse('forbidden', 'This account is closed.', 'Ask an operator of this server.')
      }
      return refuse(
        'unauthenticated',
        'The address or the password is wrong.',
        'Try again, or ask an operator for a new password.',
      )
    }
  }

  /** Starts an OIDC sign-in: the address of the OIDC server. The callback gets `state` back. */
  async startOidc(headers: Headers, returnTo: string, state: Record<string, string>): Promise<Redirection> {
    const answer = await this.#deps.library.api.signInWithOAuth2({
      body: {
        providerId: oidcProvider,
        callbackURL: returnTo,
        errorCallbackURL: '/sign-in',
        additionalData: state,
      },
      headers,
      returnHeaders: true,
    })
    return { url: answer.response.url, cookies: answer.headers.getSetCookie() }
  }

  /** Starts connecting the caller's account with an account at the OIDC server: the redirect target. */
  async startConnecting(headers: Headers): Promise<Redirection> {
    const answer = await this.#deps.library.api.oAuth2LinkAccount({
      body: { providerId: oidcProvider, callbackURL: '/account', errorCallbackURL: '/account' },
      headers,
      returnHeaders: true,
    })
    return { url: answer.response.url, cookies: answer.headers.getSetCookie() }
  }

  /** Handles the callback from the OIDC server. */
  async finishOidc(headers: Headers, query: Record<string, string>): Promise<Redirection> {
    const answer = await this.#deps.library.api.oAuth2Callback({
      params: { providerId: oidcProvider },
      query,
      headers,
      asResponse: true,
    })
    return { url: answer.headers.get('location') ?? '/sign-in?error=failed', cookies: answer.headers.getSetCookie() }
  }

  /** The sessions of a person, most recently used first. */
  async list(person: string, current: string | undefined): Promise<AccountSession[]> {
    const rows = await this.#deps.db
      .selectFrom('auth_sessions')
      .selectAll()
      .where('person', '=', person)
      .where('expires_at', '>', this.#deps.now())
      .orderBy('updated_at', 'desc')
      .limit(200)
      .execute()
    return rows.map((row) => ({
      id: row.id,
      current: row.id === current,
      device: describeDevice(row.user_agent),
      ...(row.address ? { address: row.address } : {}),
      createdAt: new Date(row.created_at).toISOString(),
      lastUsedAt: new Date(row.updated_at).toISOString(),
    }))
  }

  /** Ends sessions of a person: one, all but one, or all. Returns whether any was ended. */
  async end(person: string, which: { only?: string; but?: string } = {}): Promise<boolean> {
    let query = this.#deps.db.deleteFrom('auth_sessions').where('person', '=', person)
    if (which.only !== undefined) query = query.where('id', '=', which.only)
    if (which.but !== undefined) query = query.where('id', '<>', which.but)
    const { numDeletedRows } = await query.executeTakeFirst()
    this.#deps.signals.publish({ kind: 'rights', person })
    return numDeletedRows > 0n
  }

  async #enter(cookies: string[]): Promise<Entered> {
    const token = decodeURIComponent(sessionTokenOf(cookies.map((cookie) => cookie.split(';')[0]).join(';')) ?? '')
    const caller = await this.identify(token)
    if (!caller) throw new Error('a session that was just opened is missing')
    await this.#deps.db
      .deleteFrom('auth_sessions')
      .where('person', '=', caller.user.id)
      .where('expires_at', '<', this.#deps.now())
      .execute()
    return { ok: true, session: { token, user: caller.user }, cookies }
  }
}

// Headers allow no other characters, but a token in a frame may contain them.
const isCookieValue = /^[!-~]+$/

/** The headers for looking up a session. Browsers send the cookie value URL-encoded, programs as they received it. */
function withSession(credential: string): Headers {
  const value = credential.includes('%') ? credential : encodeURIComponent(credential)
  return new Headers({ cookie: `${SESSION_COOKIE}=${value}` })
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A `User-Agent` header in readable words, such as "Firefox on Windows". */
export function describeDevice(userAgent: string | null): string {
  const find = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (browser && system) return `${browser} on ${system}`
  if (browser ?? system) return browser ?? system ?? ''
  // Programs put their own name first.
  const program = /^[\w.-]{1,40}/.exec(userAgent ?? '')?.[0]
  return program ?? 'Unknown device'
}
