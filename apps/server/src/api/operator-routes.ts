import {
  AccountPerson,
  AccountPersonList,
  CreatedInvitation,
  CreateInvitation,
  ErrorBody,
  InvitationList,
  PatchPerson,
  ResetLink,
} from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError } from '../errors.ts'
import { orThrow } from '../review/refusal.ts'
import { requireOperator } from './account-context.ts'
import type { ApiDeps } from './context.ts'

const failures = { '4xx': ErrorBody }

function describe(summary: string) {
  return { summary, tags: ['Operators'] }
}

/** Routes for operators: people and invitations. */
export function operatorRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(personRoutes(deps))
    await app.register(invitationRoutes(deps))
  }
}

function personRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const person = z.object({ person: z.string() })
  return async (app) => {
    const people = {
      schema: { ...describe('Everybody who has an account'), response: { 200: AccountPersonList, ...failures } },
    }
    app.get('/people', people, async (request) => {
      const { accounts } = await requireOperator(request, deps)
      return { people: await accounts.admin.list() }
    })

    const patch = {
      schema: {
        ...describe('Close or open an account; make somebody an operator or not'),
        params: person,
        body: PatchPerson,
        response: { 200: AccountPerson, ...failures },
      },
    }
    app.patch('/people/:person', patch, async (request) => {
      const { accounts, user } = await requireOperator(request, deps)
      const { ok: _ok, ...changed } = orThrow(await accounts.admin.change(user.id, request.params.person, request.body))
      return changed
    })

    const reset = {
      schema: {
        ...describe('A link with which somebody sets a new password, to be handed over'),
        params: person,
        response: { 201: ResetLink, ...failures },
      },
    }
    app.post('/people/:person/reset', reset, async (request, reply) => {
      const { accounts, user } = await requireOperator(request, deps)
      const { ok: _ok, ...link } = orThrow(await accounts.admin.startReset(user.id, request.params.person))
      return reply.status(201).send(link)
    })
  }
}

function invitationRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = {
      schema: { ...describe('Invitations that nobody has used yet'), response: { 200: InvitationList, ...failures } },
    }
    app.get('/invitations', list, async (request) => {
      const { accounts } = await requireOperator(request, deps)
      return { invitations: await accounts.admin.invitations() }
    })

    const invite = {
      schema: {
        ...describe('A link with which one person makes an account, to be handed over'),
        body: CreateInvitation,
        response: { 201: CreatedInvitation, ...failures },
      },
    }
    app.post('/invitations', invite, async (request, reply) => {
      const { accounts, user } = await requireOperator(request, deps)
      const { ok: _ok, ...invitation } = orThrow(await accounts.admin.invite(user, request.body))
      return reply.status(201).send(invitation)
    })

    const revoke = {
      schema: {
        ...describe('Take an invitation back'),
        params: z.object({ invitation: z.string() }),
        response: { 204: z.null(), ...failures },
      },
    }
    app.delete('/invitations/:invitation', revoke, async (request, reply) => {
      const { accounts } = await requireOperator(request, deps)
      if (!(await accounts.admin.revokeInvitation(request.params.invitation))) {
        throw new RequestError('not_found', 'There is no such invitation.', 'Load the list again.')
      }
      return reply.status(204).send(null)
    })
  }
}
