import { KnownPeople, MemberList, PutMembers, PutSharing, Sharing } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { allows } from '../../common/identity.ts'
import { setSharing } from '../../rights/sharing.ts'
import type { ItemKind } from '../../rights/inheritance.ts'
import { type ApiDeps, requireAccount, requireAllowed, requireFolder, stillAllowed } from '../requests/context.ts'
import { route } from '../requests/route.ts'

const params = z.object({ id: z.string() })

const summaries = {
  document: ['Who may open the document, and addresses that it is shared with', 'Give people roles, or remove them'],
  folder: [
    'Who has a role in the folder, and addresses that it is shared with',
    'Give people roles in the folder and all that it holds, or remove them',
  ],
} as const

/** Routes for the people a document is shared with, and for finding people to share it with. */
export function memberRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const sharing = route('Let editors share the document, or only owners; and which roles of its folder it takes over', {
    params,
    body: PutSharing,
    200: Sharing,
  })
  const known = route('People whom the caller shares a document with, by name or address', {
    querystring: z.object({ query: z.string().max(200).default('') }),
    200: KnownPeople,
  })
  return async (app) => {
    await app.register(itemMemberRoutes('document', deps))
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

/** Routes for the people a document or folder is shared with. */
export function itemMemberRoutes(kind: ItemKind, deps: ApiDeps): FastifyPluginAsyncZod {
  const [listed, given] = summaries[kind]
  const list = route(listed, { params, 200: MemberList })
  const put = route(given, {
    ...(kind === 'document'
      ? {
          description:
            'People who are not named keep their roles. Who owns an address is not revealed until they have opened the document.',
        }
      : {}),
    params,
    body: PutMembers,
    200: z.union([MemberList, z.object({})]),
  })
  const requireItem = kind === 'document' ? requireAllowed : requireFolder
  const accessTo = kind === 'document' ? deps.access : deps.folderAccess
  return async (app) => {
    app.get(`/${kind}s/:id/members`, list, async (request) => {
      const { caller } = await requireItem(request, deps, 'write')
      return deps.members.list({ kind, id: request.params.id }, caller.user.id)
    })
    app.put(`/${kind}s/:id/members`, put, async (request) => {
      const { caller } = await requireItem(request, deps, 'read')
      const item = { kind, id: request.params.id }
      await deps.members.put(item, request.body, {
        id: caller.user.id,
        access: (trx) => accessTo(caller, item.id, trx),
      })
      // A member who has just left may not be allowed to see the list.
      const left = await accessTo(caller, item.id)
      return allows(left, 'write') ? deps.members.list(item, caller.user.id) : {}
    })
  }
}
