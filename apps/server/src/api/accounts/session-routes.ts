import { CreateSession, Me, PatchMe, Session, User } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { RequestError } from '../../common/errors.ts'
import { builtinRef } from '../../models/model-ref.ts'
import { type ApiDeps, credentialOf, requireCaller } from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { setSessionCookie } from './session-cookie.ts'

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
        setSessionCookie(reply, deps, token, yearInSeconds)
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
      if (!accounts) return { user, auth: 'open', agent: deps.isOnOwnMachine ? configurable : agent }
      const { setup: _setup, ...configured } = agent
      if (guest) return { user, auth: 'accounts', guest, agent: configured }
      const credential = credentialOf(request)
      if (session !== undefined && credential !== undefined) {
        const cookies = await accounts.sessions.refresh(credential).catch((error: unknown) => {
          request.log.warn({ err: error }, 'a session could not be extended')
          return []
        })
        reply.header('set-cookie', cookies)
      }
      const { email, operator, language } = await accounts.own.find(user.id)
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
    app.patch('/me', route('Change the caller’s own name or colour', { body: PatchMe, 200: User }), async (request) => {
      const { user } = await requireCaller(request, deps)
      await deps.people.change(user.id, request.body)
      deps.signals.publish({ kind: 'rights', person: user.id })
      return (await deps.people.find(user.id)) ?? user
    })
  }
}
