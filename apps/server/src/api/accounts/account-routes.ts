import {
  Account,
  AccountSessionList,
  ApiKeyList,
  ChangePassword,
  CreatedKey,
  CreateKey,
  PatchAccount,
  Redirect,
} from '@copydesk/protocol'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { SESSION_COOKIE } from '../../auth/callers.ts'
import { noSuch, orThrow } from '../../common/errors.ts'
import { createGuard, libraryHeaders, requireOidc, requireSession } from '../requests/account-context.ts'
import type { ApiDeps } from '../requests/context.ts'
import { accountRoute } from '../requests/route.ts'

/** Routes for a user's own account; they need a session. */
export function accountRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const guard = createGuard(deps.elapsed)
  return async (app) => {
    const own = accountRoute('The caller’s own account', { 200: Account })
    app.get('/account', own, async (request) => {
      const { accounts, user } = await requireSession(request, deps)
      return accounts.own.find(user.id)
    })

    const patch = accountRoute('Change name or address', { body: PatchAccount, 200: Account })
    app.patch('/account', patch, async (request) => {
      const { accounts, user } = await requireSession(request, deps)
      orThrow(await guard.attempt(request, { account: user.id }, () => accounts.own.change(user.id, request.body)))
      return accounts.own.find(user.id)
    })

    const password = accountRoute('Change the password; ends all other sessions, and all keys unless keepKeys', {
      body: ChangePassword,
      204: z.null(),
    })
    app.post('/password', password, async (request, reply) => {
      const { accounts, user, session } = await requireSession(request, deps)
      const change = () => accounts.own.changePassword(user.id, request.body)
      orThrow(await guard.attempt(request, { account: user.id }, change))
      await accounts.sessions.end(user.id, { but: session })
      return reply.status(204).send(null)
    })

    await app.register(sessionRoutes(deps))
    await app.register(keyRoutes(deps))
    await app.register(connectionRoutes(deps))
  }
}

function sessionRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = accountRoute('Where the caller is signed in', { 200: AccountSessionList })
    app.get('/sessions', list, async (request) => {
      const { accounts, user, session } = await requireSession(request, deps)
      return { sessions: await accounts.sessions.list(user.id, session) }
    })

    const one = accountRoute('End one session', { params: z.object({ session: z.string() }), 204: z.null() })
    app.delete('/sessions/:session', one, async (request, reply) => {
      const { accounts, user, session } = await requireSession(request, deps)
      if (!(await accounts.sessions.end(user.id, { only: request.params.session }))) throw noSuch('session')
      if (request.params.session === session) leave(reply)
      return reply.status(204).send(null)
    })

    app.post('/sign-out', accountRoute('Sign out', { 204: z.null() }), async (request, reply) => {
      const { accounts, user, session } = await requireSession(request, deps)
      await accounts.sessions.end(user.id, { only: session })
      return leave(reply).status(204).send(null)
    })

    const everywhere = accountRoute('Sign out everywhere, here too', { 204: z.null() })
    app.post('/sign-out-everywhere', everywhere, async (request, reply) => {
      const { accounts, user } = await requireSession(request, deps)
      await accounts.sessions.end(user.id)
      return leave(reply).status(204).send(null)
    })
  }
}

function keyRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = accountRoute('The caller’s keys', { 200: ApiKeyList })
    app.get('/keys', list, async (request) => {
      const { accounts, user } = await requireSession(request, deps)
      return { keys: await accounts.keys.list(user.id) }
    })

    const create = accountRoute('Make a key; it is shown this once', { body: CreateKey, 201: CreatedKey })
    app.post('/keys', create, async (request, reply) => {
      const { accounts, user } = await requireSession(request, deps)
      const { ok: _ok, ...created } = orThrow(await accounts.keys.create(user.id, request.body))
      return reply.status(201).send(created)
    })

    const one = accountRoute('Revoke a key', { params: z.object({ key: z.string() }), 204: z.null() })
    app.delete('/keys/:key', one, async (request, reply) => {
      const { accounts, user } = await requireSession(request, deps)
      if (!(await accounts.keys.revoke(user.id, request.params.key))) throw noSuch('key')
      return reply.status(204).send(null)
    })
  }
}

function connectionRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const connect = accountRoute('Start connecting the account with single sign-on', { 200: Redirect })
    app.post('/oidc/connect', connect, async (request, reply) => {
      const { accounts, credential } = await requireSession(request, deps)
      requireOidc(deps)
      const headers = libraryHeaders(request)
      headers.set('cookie', `${SESSION_COOKIE}=${encodeURIComponent(credential)}`)
      const { url, cookies } = await accounts.sessions.startConnecting(headers)
      reply.header('set-cookie', cookies)
      return { url }
    })

    const disconnect = accountRoute('Disconnect single sign-on', { 204: z.null() })
    app.delete('/oidc', disconnect, async (request, reply) => {
      const { accounts, user } = await requireSession(request, deps)
      orThrow(await accounts.own.disconnect(user.id))
      return reply.status(204).send(null)
    })
  }
}

function leave(reply: FastifyReply): FastifyReply {
  return reply.clearCookie(SESSION_COOKIE, { path: '/' })
}
