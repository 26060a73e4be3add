import { LinkPreview, NewShareLink, FollowedLink, FollowLink, PostLink, ShareLinkList } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { SESSION_COOKIE } from '../../auth/callers.ts'
import { RequestError } from '../../common/errors.ts'
import { allows } from '../../common/identity.ts'
import { mayShare, requireSharing } from '../../rights/sharing.ts'
import { type ApiDeps, findPerson, requireAllowed, requireCaller } from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { setCookie } from '../accounts/set-cookie.ts'

const Params = z.object({ id: z.string() })
const TokenParams = z.object({ token: z.string().max(100) })
const cookieSeconds = 90 * 24 * 60 * 60

/** Routes for share links: create, list, revoke, and join by one. */
export function linkRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(sharingRoutes(deps))
    await app.register(openingRoutes(deps))
  }
}

function sharingRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const post = route('Make a share link', { params: Params, body: PostLink, 201: NewShareLink })
  const list = route('Valid share links, newest first', { params: Params, 200: ShareLinkList })
  const revoke = route('Revoke a share link; people who joined by it lose its role', {
    params: Params.extend({ link: z.string() }),
    204: z.null(),
  })
  return async (app) => {
    app.post('/documents/:id/links', post, async (request, reply) => {
      const { caller, access } = await requireAllowed(request, deps, 'write')
      await requireSharing(access, { kind: 'document', id: request.params.id }, deps.db)
      const { role, expiresAt } = request.body
      const until = expiresAt === undefined || expiresAt === null ? null : Date.parse(expiresAt)
      const { link, token } = await deps.links.create(request.params.id, { role, expiresAt: until }, caller.user)
      return reply.status(201).send({ ...link, url: urlOf(deps, token) })
    })
    app.get('/documents/:id/links', list, async (request) => {
      const { access } = await requireAllowed(request, deps, 'write')
      const shares = await mayShare(access, request.params.id, deps.db)
      const links = await deps.links.list(request.params.id)
      return {
        links: links.map(({ link, token }) =>
          shares && token !== undefined ? { ...link, url: urlOf(deps, token) } : link,
        ),
      }
    })
    app.delete('/documents/:id/links/:link', revoke, async (request, reply) => {
      const { caller, access } = await requireAllowed(request, deps, 'write')
      const { id, link } = request.params
      await deps.links.revoke(id, link, caller.user.id, allows(access, 'manage'))
      return reply.status(204).send(null)
    })
  }
}

function openingRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const look = route('The document and role of a share link', { params: TokenParams, 200: LinkPreview })
  const open = route('Join by a share link', {
    description: 'Without a session give a name: the answer then has a token, which is also set as a cookie.',
    params: TokenParams,
    body: FollowLink.nullish(),
    200: FollowedLink,
  })
  return async (app) => {
    app.get('/links/:token', look, async (request) => {
      const link = await findLink(deps, request.params.token)
      const title = await deps.documents.titleOf(link.document)
      return { title: title ?? '', role: link.role }
    })
    app.post('/links/:token', open, async (request, reply) => {
      const link = await findLink(deps, request.params.token)
      const opened = { document: link.document, role: link.role }
      const known = await findPerson(request, deps)
      if (known) {
        await requireCaller(request, deps, 'write')
        await deps.links.visit(link, known.user.id)
        return opened
      }
      const name = request.body?.name
      if (name === undefined) {
        throw new RequestError(
          'unauthenticated',
          'You are not signed in.',
          'Sign in, or give a name to join as a guest.',
        )
      }
      const { isOpen } = deps.roles
      deps.requests.countArrival(request, link.id)
      const user = await deps.people.create(name, !isOpen)
      const token = await deps.tokens.issue(
        isOpen ? { kind: 'person', id: user.id } : { kind: 'guest', id: user.id, link: link.id },
      )
      await deps.links.visit(link, user.id)
      setCookie(reply, deps, SESSION_COOKIE, token, cookieSeconds)
      return { ...opened, token, user }
    })
  }
}

function urlOf({ publicUrl }: ApiDeps, token: string): string {
  return `${publicUrl}/s/${token}`
}

async function findLink(deps: ApiDeps, token: string) {
  const link = await deps.links.find(token)
  if (link) return link
  throw new RequestError(
    'not_found',
    'This link is not valid: it has expired or was revoked.',
    'Ask the person who sent it for a new one.',
  )
}
