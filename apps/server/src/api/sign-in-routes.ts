import {
  AuthOptions,
  ErrorBody,
  LinkToken,
  OpenedLink,
  Redirect,
  ResetPassword,
  Session,
  SignIn,
  SignUp,
  StartOidc,
} from '@copydesk/protocol'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Entered } from '../auth/session-desk.ts'
import { RequestError } from '../errors.ts'
import { orThrow } from '../review/refusal.ts'
import { createGuard, libraryHeaders, requireAccounts } from './account-context.ts'
import type { ApiDeps } from './context.ts'

const failures = { '4xx': ErrorBody }

function describe(summary: string, more: Record<string, unknown> = {}) {
  return { summary, tags: ['Accounts'], ...more }
}

/** How people come in where they have accounts. */
export function signInRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const guard = createGuard(deps.now)
  return async (app) => {
    app.get(
      '',
      { schema: { ...describe('How people come in here'), response: { 200: AuthOptions } } },
      async (): Promise<AuthOptions> => {
        const { accounts } = deps
        if (!accounts) return { auth: 'open', needsSetUp: false }
        const needsSetUp = await accounts.signUps.needsSetUp()
        const { oidcName } = accounts
        return { auth: 'accounts', needsSetUp, ...(oidcName === undefined ? {} : { oidc: { name: oidcName } }) }
      },
    )

    app.post(
      '/sign-in',
      {
        schema: {
          ...describe('Sign in with e-mail address and password'),
          description: 'The token is also set as an HttpOnly cookie.',
          body: SignIn,
          response: { 200: Session, ...failures },
        },
      },
      async (request, reply) => {
        const { sessions } = requireAccounts(deps)
        const { body } = request
        const signIn = () => sessions.signIn(body, libraryHeaders(request))
        return enter(reply, orThrow(await guard.go(request, reply, body.email, signIn)))
      },
    )

    app.post(
      '/links',
      {
        schema: {
          ...describe('What the link of a set-up, an invitation or a new password is for'),
          body: LinkToken,
          response: { 200: OpenedLink, ...failures },
        },
      },
      async (request, reply) => {
        const { signUps } = requireAccounts(deps)
        const { ok: _ok, ...link } = orThrow(
          await guard.go(request, reply, undefined, () => signUps.look(request.body.token)),
        )
        return link
      },
    )

    app.post(
      '/sign-up',
      {
        schema: {
          ...describe('Make an account with the token of a set-up or invitation link'),
          body: SignUp,
          response: { 200: Session, ...failures },
        },
      },
      async (request, reply) => {
        const { signUps, sessions } = requireAccounts(deps)
        const { body } = request
        const { email } = orThrow(await guard.go(request, reply, undefined, () => signUps.signUp(body)))
        return enter(reply, orThrow(await sessions.signIn({ email, password: body.password }, libraryHeaders(request))))
      },
    )

    app.post(
      '/reset',
      {
        schema: {
          ...describe('Set a new password with the token of a reset link; ends all sessions'),
          body: ResetPassword,
          response: { 200: Session, ...failures },
        },
      },
      async (request, reply) => {
        const { signUps, sessions } = requireAccounts(deps)
        const { token, password } = request.body
        const reset = () => signUps.resetPassword(token, password)
        const { email } = orThrow(await guard.go(request, reply, undefined, reset))
        return enter(reply, orThrow(await sessions.signIn({ email, password }, libraryHeaders(request))))
      },
    )

    app.post(
      '/oidc',
      {
        schema: {
          ...describe('Where to go to sign in at the other server'),
          body: StartOidc,
          response: { 200: Redirect, ...failures },
        },
      },
      async (request, reply) => {
        const accounts = requireOidc(deps)
        const { returnTo = '/', invitation } = request.body
        const state: Record<string, string> = invitation === undefined ? {} : { invitation }
        const { url, cookies } = await accounts.sessions.startOidc(libraryHeaders(request), returnTo, state)
        reply.header('set-cookie', cookies)
        return { url }
      },
    )

    app.get(
      '/oauth2/callback/oidc',
      {
        schema: {
          ...describe('Where the other server sends people back to'),
          querystring: z.record(z.string(), z.string().max(4000)),
          response: { 302: z.null(), ...failures },
        },
      },
      async (request, reply) => {
        const accounts = requireOidc(deps)
        const { url, cookies } = await accounts.sessions.finishOidc(libraryHeaders(request), request.query)
        return reply.header('set-cookie', cookies).redirect(url)
      },
    )
  }
}

/** The accounts, where there is another server to sign in at. @throws RequestError `not_found` or `not_configured`. */
function requireOidc(deps: ApiDeps) {
  const accounts = requireAccounts(deps)
  if (accounts.oidcName !== undefined) return accounts
  throw new RequestError('not_configured', 'There is no other server to sign in at.', 'An operator sets OIDC_ISSUER.')
}

function enter(reply: FastifyReply, { session, cookies }: Entered): Session {
  reply.header('set-cookie', cookies)
  return session
}
