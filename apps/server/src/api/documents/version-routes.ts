import {
  CreateVersion,
  DiffQuery,
  ErrorBody,
  ListVersionsQuery,
  PatchVersion,
  Version,
  VersionDiff,
  VersionExtent,
  VersionList,
  VersionText,
} from '@copydesk/protocol'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { PersonCaller } from '../../auth/callers.ts'
import { type ApiDeps, requireAllowed, requireDocument, stillAllowed } from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { queueOfCallers } from '../requests/caller-queue.ts'

const requestsPerPerson = 16

const params = z.object({ id: z.string() })
const ofVersion = { params: params.extend({ version: z.string() }), '5xx': ErrorBody }
const inDocument = { params, '5xx': ErrorBody }

const list = route('The versions of a document, newest first', {
  ...inDocument,
  querystring: ListVersionsQuery,
  200: VersionList,
})
const create = route('Save the current text as a version', {
  ...inDocument,
  body: CreateVersion.nullish(),
  201: Version,
})
const read = route('A version with its text', {
  description: 'Without the changes that were only suggested at the time.',
  ...ofVersion,
  200: VersionText,
})
const diff = route('What changed between two versions', {
  description: 'From the older to the later one. `against` is the other version, or `current`; unset, the one before.',
  ...ofVersion,
  querystring: DiffQuery,
  200: VersionDiff,
})
const extent = route('How much changed between two versions', {
  description: 'Between the same two as the difference, without its text.',
  ...ofVersion,
  querystring: DiffQuery,
  200: VersionExtent,
})
const rename = route('Name a version, or remove its name', { ...ofVersion, body: PatchVersion, 200: Version })
const restore = route('Restore a version', {
  description: 'As a new edit; answers when it is on disk. The previous text is kept as a version.',
  ...ofVersion,
  200: Version,
})

/**
 * Routes for the history of a document. It contains deleted text, which may be confidential, so reading it needs
 * `write`.
 */
export function versionRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  // All versions are computed in one shared thread.
  const queue = queueOfCallers(requestsPerPerson, deps)
  const runQueued = async <T>(
    request: FastifyRequest<{ Params: { id: string } }>,
    work: (caller: PersonCaller) => Promise<T>,
  ): Promise<T> => {
    const { caller } = await requireAllowed(request, deps, 'write')
    return queue(caller, request.params.id, 'write', () => work(caller))
  }
  return async (app) => {
    app.get('/documents/:id/versions', list, async (request) => {
      await requireDocument(request, deps, 'write')
      return deps.versions.list(request.params.id, request.query.cursor)
    })
    app.post('/documents/:id/versions', create, async (request, reply) => {
      const user = await requireDocument(request, deps, 'write')
      return reply.status(201).send(await deps.versions.create(request.params.id, user, request.body?.name))
    })
    app.get('/documents/:id/versions/:version', read, async (request) => {
      const { id, version } = request.params
      return runQueued(request, () => deps.versions.read(id, version))
    })
    app.get('/documents/:id/versions/:version/diff', diff, async (request) => {
      const { id, version } = request.params
      return runQueued(request, () => deps.versions.diff(id, version, request.query.against))
    })
    app.get('/documents/:id/versions/:version/extent', extent, async (request) => {
      const { id, version } = request.params
      return runQueued(request, () => deps.versions.extent(id, version, request.query.against))
    })
    app.patch('/documents/:id/versions/:version', rename, async (request) => {
      const user = await requireDocument(request, deps, 'write')
      return deps.versions.rename(request.params.id, request.params.version, request.body.name, user)
    })
    app.post('/documents/:id/versions/:version/restore', restore, async (request) => {
      const { id, version } = request.params
      return runQueued(request, (caller) =>
        deps.versions.restore(id, version, caller.user, stillAllowed(deps, caller, id, 'write')),
      )
    })
  }
}
