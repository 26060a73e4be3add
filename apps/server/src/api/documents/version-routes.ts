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
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ApiDeps, requireAllowed, requireDocument, stillAllowed } from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { queueOfCallers } from '../requests/caller-queue.ts'

const requestsPerPerson = 16

const inDocument = z.object({ id: z.string() })
const ofVersion = z.object({ id: z.string(), version: z.string() })

/**
 * Routes for the history of a document. It contains deleted text, which may be confidential, so reading it needs
 * `write`.
 */
export function versionRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = route('The versions of a document, newest first', {
      params: inDocument,
      querystring: ListVersionsQuery,
      200: VersionList,
      '5xx': ErrorBody,
    })
    app.get('/documents/:id/versions', list, async (request) => {
      await requireDocument(request, deps, 'write')
      return deps.versions.list(request.params.id, request.query.cursor)
    })

    const create = route('Save the current text as a version', {
      params: inDocument,
      body: CreateVersion.nullish(),
      201: Version,
      '5xx': ErrorBody,
    })
    app.post('/documents/:id/versions', create, async (request, reply) => {
      const user = await requireDocument(request, deps, 'write')
      const version = await deps.versions.create(request.params.id, user, request.body?.name)
      return reply.status(201).send(version)
    })

    // All versions are computed in one shared thread.
    const inTurn = queueOfCallers(requestsPerPerson, deps)
    readRoutes(app, deps, inTurn)
    changeRoutes(app, deps, inTurn)
  }
}

type App = Parameters<FastifyPluginAsyncZod>[0]

function readRoutes(app: App, deps: ApiDeps, inTurn: ReturnType<typeof queueOfCallers>): void {
  const read = route('A version with its text', {
    description: 'Without the changes that were only suggested at the time.',
    params: ofVersion,
    200: VersionText,
    '5xx': ErrorBody,
  })
  app.get('/documents/:id/versions/:version', read, async (request) => {
    const { caller } = await requireAllowed(request, deps, 'write')
    const { id, version } = request.params
    return inTurn(caller, id, 'write', () => deps.versions.read(id, version))
  })

  const diff = route('What changed between two versions', {
    description:
      'From the older to the later one. `against` is the other version, or `current`; unset, the one before.',
    params: ofVersion,
    querystring: DiffQuery,
    200: VersionDiff,
    '5xx': ErrorBody,
  })
  app.get('/documents/:id/versions/:version/diff', diff, async (request) => {
    const { caller } = await requireAllowed(request, deps, 'write')
    const { id, version } = request.params
    return inTurn(caller, id, 'write', () => deps.versions.diff(id, version, request.query.against))
  })

  const extent = route('How much changed between two versions', {
    description: 'Between the same two as the difference, without its text.',
    params: ofVersion,
    querystring: DiffQuery,
    200: VersionExtent,
    '5xx': ErrorBody,
  })
  app.get('/documents/:id/versions/:version/extent', extent, async (request) => {
    const { caller } = await requireAllowed(request, deps, 'write')
    const { id, version } = request.params
    return inTurn(caller, id, 'write', () => deps.versions.extent(id, version, request.query.against))
  })
}

function changeRoutes(app: App, deps: ApiDeps, inTurn: ReturnType<typeof queueOfCallers>): void {
  const rename = route('Name a version, or remove its name', {
    params: ofVersion,
    body: PatchVersion,
    200: Version,
    '5xx': ErrorBody,
  })
  app.patch('/documents/:id/versions/:version', rename, async (request) => {
    const user = await requireDocument(request, deps, 'write')
    return deps.versions.rename(request.params.id, request.params.version, request.body.name, user)
  })

  const restore = route('Restore a version', {
    description: 'As a new edit; answers when it is on disk. The previous text is kept as a version.',
    params: ofVersion,
    200: Version,
    '5xx': ErrorBody,
  })
  app.post('/documents/:id/versions/:version/restore', restore, async (request) => {
    const { caller } = await requireAllowed(request, deps, 'write')
    const { id, version } = request.params
    const check = stillAllowed(deps, caller, id, 'write')
    return inTurn(caller, id, 'write', () => deps.versions.restore(id, version, caller.user, check))
  })
}
