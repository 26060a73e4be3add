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
import { RequestError } from '../../common/errors.ts'
import { orThrow } from '../../common/refusal.ts'
import { createGuard, libraryHeaders, requireOidc, requireSession } from '../requests/account-context.ts'
import { type ApiDeps, failures } from '../requests/context.ts'

const gone = { 204: z.null(), ...failures }

function describe(summary: string) {
  return { summary, tags: ['Accounts'] }
}

/** Routes for a user's own account; they need a session. */
export function accountRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const guard = createGuard(deps.elapsed)
  return async (app) => {
    const own = { schema: { ...describe('The caller’s own account'), response: { 200: Account, ...failures } } }
    app.get('/account', own, async (request) => {
      const { accounts, user } = await requireSession(request, deps)
      return accounts.own.find(user.id)
    })

    const patch = {
      schema: { ...describe('Change name or address'), body: PatchAccount, response: { 200: Account, ...failures } },
    }
    app.patch('/account', patch, async (request) => {
      const { accounts, user } = await requireSession(request, deps)
      orThrow(await guard.go(request, { account: user.id }, () => accounts.own.change(user.id, request.body)))
      return accounts.own.find(user.id)
    })

    const password = {
      schema: {
        ...describe('Change the password; ends all other sessions, and all keys unless keepKeys'),
        body: ChangePassword,
        response: gone,
      },
    }
    app.post('/password', password, async (request, reply) => {
      const { accounts, user, session } = await requireSession(request, deps)
      const change = () => accounts.own.changePassword(user.id, request.body)
      orThrow(await guard.go(request, { account: user.id }, change))
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
    const list = {
      schema: { ...describe('Where the caller is signed in'), response: { 200: AccountSessionList, ...failures } },
    }
    app.get('/sessions', list, async (request) => {
      const { accounts, user, session } = await requireSession(request, deps)
      return { sessions: await accounts.sessions.list(user.id, session) }
    })

    const one = {
      schema: { ...describe('End one session'), params: z.object({ session: z.string() }), response: gone },
    }
    app.delete('/sessions/:session', one, async (request, reply) => {
      const { accounts, user, session } = await requireSession(request, deps)
      if (!(await accounts.sessions.end(user.id, { only: request.params.session }))) throw notFound('session')
      if (request.params.session === session) leave(reply)
      return reply.status(204).send(null)
    })

    app.post('/sign-out', { schema: { ...describe('Sign out'), response: gone } }, async (request, reply) => {
      const { accounts, user, session } = await requireSession(request, deps)
      await accounts.sessions.end(user.id, { only: session })
      return leave(reply).status(204).send(null)
    })

    const everywhere = { schema: { ...describe('Sign out everywhere, here too'), response: gone } }
    app.post('/sign-out-everywhere', everywhere, async (request, reply) => {
      const { accounts, user } = await requireSession(request, deps)
      await accounts.sessions.end(user.id)
      return leave(reply).status(204).send(null)
    })
  }
}

function keyRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = { schema: { ...describe('The caller’s keys'), response: { 200: ApiKeyList, ...failures } } }
    app.get('/keys', list, async (request) => {
      const { accounts, user } = await requireSession(request, deps)
      return { keys: await accounts.keys.list(user.id) }
    })

    const create = {
      schema: {
        ...describe('Make a key; it is shown this once'),
        body: CreateKey,
        response: { 201: CreatedKey, ...failures },
      },
    }
    app.post('/keys', create, async (request, reply) => {
      const { accounts, user } = await requireSession(request, deps)
      const { ok: _ok, ...created } = orThrow(await accounts.keys.create(user.id, request.body))
      return reply.status(201).send(created)
    })

    const one = { schema: { ...describe('Revoke a key'), params: z.object({ key: z.string() }), response: gone } }
    app.delete('/keys/:key', one, async (request, reply) => {
      const { accounts, user } = await requireSession(request, deps)
      if (!(await accounts.keys.revoke(user.id, request.params.key))) throw notFound('key')
      return reply.status(204).send(null)
    })
  }
}

function connectionRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const connect = {
      schema: {
        ...describe('Start connecting the account with single sign-on'),
        response: { 200: Redirect, ...failures },
      },
    }
    app.post('/oidc/connect', connect, async (request, reply) => {
      const { accounts, credential } = await requireSession(request, deps)
      requireOidc(deps)
      const headers = libraryHeaders(request)
      headers.set('cookie', `${SESSION_COOKIE}=${encodeURIComponent(credential)}`)
      const { url, cookies } = await accounts.sessions.startConnecting(headers)
      reply.header('set-cookie', cookies)
      return { url }
    })

    const disconnect = { schema: { ...describe('Disconnect single sign-on'), response: gone } }
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

function notFound(what: 'session' | 'key'): RequestError {
  return new RequestError('not_found', `There is no such ${what}.`, 'Load the list again.')
}
