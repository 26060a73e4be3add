import {
  AccountPerson,
  AccountPersonList,
  CreatedInvitation,
  CreateInvitation,
  HandOver,
  InvitationList,
  type Language,
  OwnerlessList,
  PatchPerson,
  ResetLink,
  StorageReport,
} from '@copydesk/protocol'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { noSuch, orThrow } from '../../common/errors.ts'
import { readableTitles } from '../../documents/document-list.ts'
import { invitationLetter } from '../../mail/letters.ts'
import { reportStorage } from '../../quotas/storage-report.ts'
import type { ItemKind } from '../../rights/inheritance.ts'
import { requireOperator } from '../requests/account-context.ts'
import type { ApiDeps } from '../requests/context.ts'
import { operatorRoute } from '../requests/route.ts'
import { createCallerQueue } from '../requests/caller-queue.ts'

export function operatorRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(personRoutes(deps))
    await app.register(invitationRoutes(deps))
  }
}

function personRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const person = z.object({ person: z.string() })
  return async (app) => {
    const people = operatorRoute('All accounts', { 200: AccountPersonList })
    app.get('/people', people, async (request) => {
      const { accounts } = await requireOperator(request, deps)
      return { people: await accounts.admin.list() }
    })

    const patch = operatorRoute('Close or reopen an account; grant or remove operator rights', {
      params: person,
      body: PatchPerson,
      200: AccountPerson,
    })
    app.patch('/people/:person', patch, async (request) => {
      const { accounts, user } = await requireOperator(request, deps)
      const { ok: _ok, ...changed } = orThrow(await accounts.admin.change(user.id, request.params.person, request.body))
      return changed
    })

    const reset = operatorRoute('Make a password reset link for the operator to hand over', {
      params: person,
      201: ResetLink,
    })
    app.post('/people/:person/reset', reset, async (request, reply) => {
      const { accounts, user } = await requireOperator(request, deps)
      const { ok: _ok, ...link } = orThrow(await accounts.admin.startReset(user.id, request.params.person))
      return reply.status(201).send(link)
    })
  }
}

function invitationRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = operatorRoute('Unused invitations', { 200: InvitationList })
    app.get('/invitations', list, async (request) => {
      const { accounts } = await requireOperator(request, deps)
      return { invitations: await accounts.admin.invitations() }
    })

    const invite = operatorRoute(
      'Make an invitation link to one account, which is mailed to its address or handed over',
      { body: CreateInvitation, 201: CreatedInvitation },
    )
    app.post('/invitations', invite, async (request, reply) => {
      const { accounts, user } = await requireOperator(request, deps)
      const { ok: _ok, ...invitation } = orThrow(await accounts.admin.invite(user, request.body))
      const language = (await accounts.own.find(user.id)).language
      const mailed = await mailInvitation(request, deps, { ...invitation, language })
      return reply.status(201).send({ ...invitation, mailed })
    })

    const revoke = operatorRoute('Revoke an invitation', {
      params: z.object({ invitation: z.string() }),
      204: z.null(),
    })
    app.delete('/invitations/:invitation', revoke, async (request, reply) => {
      const { accounts } = await requireOperator(request, deps)
      if (!(await accounts.admin.revokeInvitation(request.params.invitation))) throw noSuch('invitation')
      return reply.status(204).send(null)
    })
  }
}

/** Mails an invitation to its address; returns whether the SMTP server has accepted it. */
async function mailInvitation(
  request: FastifyRequest,
  { mailer }: ApiDeps,
  { email, createdBy: by, url, expiresAt, language }: Omit<CreatedInvitation, 'mailed'> & { language: Language | null },
): Promise<boolean> {
  if (!mailer || email === null) return false
  try {
    await mailer.send({ to: email, ...invitationLetter({ by, url, expiresAt, language }) })
    return true
  } catch (error) {
    request.log.error({ err: error }, 'an invitation could not be mailed')
    return false
  }
}

/** Routes for documents and folders without an owner, for operators. */
export function ownerlessRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const list = operatorRoute('Documents and folders without an owner who can sign in', { 200: OwnerlessList })
  const take = (kind: ItemKind) =>
    operatorRoute(`Give a ${kind} without an owner to a person, or to the caller`, {
      params: z.object({ id: z.string() }),
      body: HandOver.nullish(),
      204: z.null(),
    })
  return async (app) => {
    app.get('/ownerless', list, async (request) => {
      await requireOperator(request, deps)
      return deps.ownerless.list()
    })
    for (const [path, kind] of [
      ['/ownerless/:id', 'document'],
      ['/ownerless/folders/:id', 'folder'],
    ] as const) {
      app.post(path, take(kind), async (request, reply) => {
        const { user } = await requireOperator(request, deps)
        await deps.ownerless.assignOwner({ kind, id: request.params.id }, request.body?.person ?? user.id, user.id)
        return reply.status(204).send(null)
      })
    }
  }
}

// Each request sums the growth of logs since the previous one.
const reportsPerPerson = 4

/** Stored sizes against the quotas, for operators. */
export function storageRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const report = operatorRoute('Storage used of the quotas', { 200: StorageReport })
  const runQueued = createCallerQueue(reportsPerPerson)
  return async (app) => {
    app.get('/storage', report, async (request) => {
      const { user } = await requireOperator(request, deps)
      return runQueued(user.id, async () => {
        const found = await reportStorage(deps.db, deps.storage, deps.now())
        const documents = [...found.documents.map(({ id }) => id), ...found.links.map(({ document }) => document)]
        return { ...found, titles: await readableTitles(deps, user.id, documents) }
      })
    })
  }
}
