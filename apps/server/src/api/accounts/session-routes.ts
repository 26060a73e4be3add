import { CreateSession, Me, PatchMe, Session, User } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { SESSION_COOKIE } from '../../auth/callers.ts'
import { RequestError } from '../../common/errors.ts'
import { builtinRef } from '../../models/model-ref.ts'
import { type ApiDeps, credentialOf, requireCaller } from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { setCookie } from './set-cookie.ts'

const yearInSeconds = 365 * 24 * 60 * 60

/** Routes that create a session by name, return the caller, and change how others see them. */
export function sessionRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(callerRoutes(deps))
    await app.register(profileRoutes(deps))
    app.post(
      '/session',
      route('Start a session with a name', {
        description: 'Only with AUTH=open. The token is also set as an HttpOnly cookie.',
        body: CreateSession,
        200: Session,
      }),
      async (request, reply) => {
        if (deps.accounts) {
          throw new RequestError(
            'forbidden',
            'This server has accounts: a name is not enough.',
            'Sign in with POST /api/auth/sign-in, or send a key as "Authorization: Bearer <key>".',
          )
        }
        const user = await deps.people.create(request.body.name)
        const token = await deps.tokens.issue({ kind: 'person', id: user.id })
        setCookie(reply, deps, SESSION_COOKIE, token, yearInSeconds)
        return { token, user }
      },
    )
  }
}

function callerRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/me', route('The caller, and the configured agent', { 200: Me }), async (request, reply): Promise<Me> => {
      const { user, session, guest } = await requireCaller(request, deps)
      const { accounts } = deps
      const agent = await describeAgent(deps)
      const configurable = { ...agent, mayConfigure: true }
      const language = await deps.people.languageOf(user.id)
      if (!accounts) return { user, auth: 'open', language, agent: deps.isOnOwnMachine ? configurable : agent }
      const { setup: _setup, ...configured } = agent
      if (guest) return { user, auth: 'accounts', guest, language, agent: configured }
      const credential = credentialOf(request)
      if (session !== undefined && credential !== undefined) {
        const cookies = await accounts.sessions.refresh(credential).catch((error: unknown) => {
          request.log.warn({ err: error }, 'a session could not be extended')
          return []
        })
        reply.header('set-cookie', cookies)
      }
      const { email, operator } = await accounts.own.find(user.id)
      return {
        user,
        auth: 'accounts',
        ...(email === '' ? {} : { email }),
        operator,
        ...(session === undefined ? {} : { language }),
        agent: operator ? configurable : configured,
      }
    })
  }
}

/** One sentence for an operator: no model is configured, and how to configure one. */
const setupHint =
  'No model is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, or OPENAI_BASE_URL for a local server such as Ollama, and restart.'

async function describeAgent({ models }: Pick<ApiDeps, 'models'>): Promise<Me['agent']> {
  const { id, model } = (await models.find(null)).provider
  return { provider: id, model, ...(id === builtinRef ? { setup: setupHint } : {}) }
}

function profileRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.patch(
      '/me',
      route('Change the caller’s own name, colour or language', { body: PatchMe, 200: User }),
      async (request) => {
        const { user } = await requireCaller(request, deps)
        const { language: _language, ...look } = request.body
        await deps.people.change(user.id, request.body)
        if (Object.keys(look).length > 0) deps.signals.publish({ kind: 'rights', person: user.id })
        return (await deps.people.find(user.id)) ?? user
      },
    )
  }
}
