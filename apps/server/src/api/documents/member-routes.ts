import { KnownPeople, MemberList, PutMembers, PutSharing, Sharing } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { allows } from '../../common/identity.ts'
import { setSharing } from '../../rights/sharing.ts'
import type { Tables } from '../../store/tables.ts'
import { type ApiDeps, requireAccount, requireAllowed, requireDocument, stillAllowed } from '../requests/context.ts'
import { route } from '../requests/route.ts'

const Params = z.object({ id: z.string() })

/** Routes for the people a document is shared with, and for finding people to share it with. */
export function memberRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const list = route('Who may open the document, and addresses that it is shared with', {
    params: Params,
    200: MemberList,
  })
  const put = route('Give people roles, or remove them', {
    description:
      'People who are not named keep their roles. Who owns an address is not revealed until they have opened the document.',
    params: Params,
    body: PutMembers,
    200: z.union([MemberList, z.object({})]),
  })
  const sharing = route('Let editors share the document, or only owners; and which roles of its folder it takes over', {
    params: Params,
    body: PutSharing,
    200: Sharing,
  })
  const known = route('People whom the caller shares a document with, by name or address', {
    querystring: z.object({ query: z.string().max(200).default('') }),
    200: KnownPeople,
  })
  return async (app) => {
    app.get('/documents/:id/members', list, async (request) => {
      const { id } = await requireDocument(request, deps, 'write')
      return deps.members.list({ kind: 'document', id: request.params.id }, id)
    })
    app.put('/documents/:id/members', put, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'read')
      const { id } = request.params
      const item = { kind: 'document', id } as const
      const by = { id: caller.user.id, access: (trx: Transaction<Tables>) => deps.access(caller, id, trx) }
      await deps.members.put(item, request.body, by)
      // A member who has just left may not see the list.
      const left = await deps.access(caller, id)
      return allows(left, 'write') ? deps.members.list(item, caller.user.id) : {}
    })
    app.put('/documents/:id/sharing', sharing, async (request) => {
      const { caller } = await requireAllowed(request, deps, 'manage')
      const { id } = request.params
      return setSharing(deps, id, caller.user.id, stillAllowed(deps, caller, id, 'manage'), request.body)
    })
    app.get('/people', known, async (request) => {
      const { user } = await requireAccount(request, deps)
      return { people: await deps.knownPeople.find(user.id, request.query.query) }
    })
  }
}
