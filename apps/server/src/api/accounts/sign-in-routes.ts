import {
  AuthOptions,
  languageOf,
  LinkToken,
  OpenedLink,
  Redirect,
  RequestReset,
  ResetPassword,
  Session,
  SignIn,
  SignUp,
  StartOidc,
} from '@copydesk/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { DEVICE_COOKIE } from '../../auth/accounts/known-devices.ts'
import type { Entered } from '../../auth/accounts/session-service.ts'
import { recordAuditEvent } from '../../audit/audit.ts'
import { Attempts } from '../../auth/attempts.ts'
import { RequestError, orThrow } from '../../common/errors.ts'
import { resetLetter } from '../../mail/letters.ts'
import { createGuard, type Guard, libraryHeaders, requireAccounts, requireOidc } from '../requests/account-context.ts'
import type { ApiDeps } from '../requests/context.ts'
import { accountRoute } from '../requests/route.ts'
import { setCookie } from './set-cookie.ts'

/** Routes for signing in and signing up with accounts. */
export function signInRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const guard = createGuard(deps.elapsed)
  return async (app) => {
    const options = accountRoute('How people sign in', { 200: AuthOptions })
    app.get('', options, async (): Promise<AuthOptions> => {
      const { accounts } = deps
      if (!accounts) return { auth: 'open', needsSetUp: false }
      const needsSetUp = await accounts.signUps.needsSetUp()
      const { oidcName } = accounts
      const oidc = oidcName === undefined ? {} : { oidc: { name: oidcName } }
      return { auth: 'accounts', needsSetUp, ...oidc, ...(deps.mailer ? { mail: true } : {}) }
    })

    const signIn = accountRoute('Sign in with e-mail address and password', {
      description: 'The token is also set as an HttpOnly cookie.',
      body: SignIn,
      200: Session,
    })
    app.post('/sign-in', signIn, async (request, reply) => {
      const { sessions, devices } = requireAccounts(deps)
      const { body } = request
      const { email } = body
      const tried = { account: email, device: devices.find(request.cookies[DEVICE_COOKIE], email) }
      const attempt = () => sessions.signIn(body, libraryHeaders(request))
      const entered = orThrow(await guard.attempt(request, tried, attempt))
      rememberDevice(request, reply, deps, email)
      return enter(reply, entered)
    })

    await app.register(linkRoutes(deps, guard))
    await app.register(mailRoutes(deps, guard))
    await app.register(oidcRoutes(deps, guard))
  }
}

function linkRoutes(deps: ApiDeps, guard: Guard): FastifyPluginAsyncZod {
  return async (app) => {
    const look = accountRoute('What a set-up, invitation or password reset link is for', {
      body: LinkToken,
      200: OpenedLink,
    })
    app.post('/links', look, async (request) => {
      const { signUps } = requireAccounts(deps)
      const attempt = () => signUps.look(request.body.token)
      const { ok: _ok, ...link } = orThrow(await guard.attempt(request, undefined, attempt))
      return link
    })

    const signUp = accountRoute('Make an account with the token of a set-up or invitation link', {
      body: SignUp,
      200: Session,
    })
    app.post('/sign-up', signUp, async (request, reply) => {
      const { signUps, sessions } = requireAccounts(deps)
      const { body } = request
      const { email } = orThrow(await guard.attempt(request, undefined, () => signUps.signUp(body)))
      rememberDevice(request, reply, deps, email)
      return enter(reply, orThrow(await sessions.signIn({ email, password: body.password }, libraryHeaders(request))))
    })

    const reset = accountRoute('Set a new password with the token of a reset link; ends all sessions and keys', {
      body: ResetPassword,
      200: Session,
    })
    app.post('/reset', reset, async (request, reply) => {
      const { signUps, sessions } = requireAccounts(deps)
      const { token, password } = request.body
      const attempt = () => signUps.resetPassword(token, password)
      const { email } = orThrow(await guard.attempt(request, undefined, attempt))
      rememberDevice(request, reply, deps, email)
      return enter(reply, orThrow(await sessions.signIn({ email, password }, libraryHeaders(request))))
    })
  }
}

// Limits the mails to one account, from all clients together.
const resetLimit = { times: 3, withinMs: 60 * 60_000 }

function mailRoutes(deps: ApiDeps, guard: Guard): FastifyPluginAsyncZod {
  const resets = new Attempts(resetLimit, deps.elapsed)
  return async (app) => {
    const ask = accountRoute('Ask for a mail with a link that sets a new password', {
      description: 'The answer is the same whether the address has an account or not.',
      body: RequestReset,
      202: z.null(),
    })
    app.post('/reset-requests', ask, async (request, reply) => {
      const { admin } = requireAccounts(deps)
      const { mailer } = deps
      if (!mailer) throw new RequestError('not_configured', 'This server sends no mail.', 'Ask an operator for a link.')
      guard.count(request)
      const { email } = request.body
      const asked = languageOf(request.headers['accept-language']) ?? null
      const send = async (): Promise<void> => {
        const reset = await admin.requestReset(email)
        if (!reset) return
        const event = { at: deps.now(), actor: null, action: 'reset-made', details: { how: 'requested' } } as const
        await recordAuditEvent(deps.db, { ...event, target: reset.person, address: request.ip })
        await mailer.send({ to: email, ...resetLetter({ ...reset, language: reset.language ?? asked }) })
      }
      // Not awaited: the response time would reveal whether the address has an account.
      if (resets.take(email) === 0)
        send().catch((error: unknown) => request.log.error({ err: error }, 'a reset link could not be mailed'))
      return reply.status(202).send(null)
    })

    const stop = accountRoute('Stop mails about notifications, by the token of a link in one of them', {
      body: LinkToken,
      204: z.null(),
    })
    app.post('/stop-mails', stop, async ({ body }, reply) => {
      const person = deps.stopTokens.read(body.token)
      if (person === undefined)
        throw new RequestError('not_found', 'This link is not valid.', 'Open it from the mail again.')
      orThrow(await requireAccounts(deps).own.change(person, { mails: false }))
      return reply.status(204).send(null)
    })
  }
}

function oidcRoutes(deps: ApiDeps, guard: Guard): FastifyPluginAsyncZod {
  return async (app) => {
    const start = accountRoute('Start single sign-on', { body: StartOidc, 200: Redirect })
    app.post('/oidc', start, async (request, reply) => {
      const accounts = requireOidc(deps)
      guard.count(request)
      const { returnTo = '/', invitation } = request.body
      const state: Record<string, string> = invitation === undefined ? {} : { invitation }
      const { url, cookies } = await accounts.sessions.startOidc(libraryHeaders(request), returnTo, state)
      reply.header('set-cookie', cookies)
      return { url }
    })

    const back = accountRoute('Callback of single sign-on', {
      querystring: z.record(z.string(), z.string().max(4000)),
      302: z.null(),
    })
    app.get('/oauth2/callback/oidc', back, async (request, reply) => {
      const accounts = requireOidc(deps)
      const { url, cookies } = await accounts.sessions.finishOidc(libraryHeaders(request), request.query)
      return reply.header('set-cookie', cookies).redirect(url)
    })
  }
}

// The longest lifetime that browsers keep a cookie.
const deviceSeconds = 400 * 24 * 60 * 60

/** Sets the device cookie: the browser has signed in to the account with this address. */
function rememberDevice(request: FastifyRequest, reply: FastifyReply, deps: ApiDeps, email: string): void {
  const value = requireAccounts(deps).devices.note(request.cookies[DEVICE_COOKIE], email)
  setCookie(reply, deps, DEVICE_COOKIE, value, deviceSeconds)
}

function enter(reply: FastifyReply, { session, cookies }: Entered): Session {
  reply.header('set-cookie', cookies)
  return session
}
