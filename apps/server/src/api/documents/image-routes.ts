import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RequestError, orThrow } from '../../common/errors.ts'
import { imageLimit, imageNamePattern } from '../../images/images.ts'
import { type ApiDeps, requireAllowed, requireCaller, requireDocument, stillAllowed } from '../requests/context.ts'
import { route } from '../requests/route.ts'
import { readUpload, acceptForms } from '../requests/uploads.ts'

// The maximum number of bytes of a form besides its file, when `content-length` is compared with the room left.
const formBytes = 16 * 1024
const homesTried = 20

const Params = z.object({ id: z.string() })

/** Routes that store an image in a document and serve it. */
export function imageRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const send = route('Store an image for a document', {
    description: 'Multipart form with one `file`: PNG, JPEG, GIF, WebP or AVIF, at most 10 MiB.',
    consumes: ['multipart/form-data'],
    params: Params,
    201: z.object({ url: z.string() }),
  })
  const show = { schema: { summary: 'An image of a document', params: Params.extend({ file: z.string() }) } }
  return async (app) => {
    await acceptForms(app, imageLimit)
    app.post('/documents/:id/images', send, async (request, reply) => {
      const { caller } = await requireAllowed(request, deps, 'write')
      const { id } = request.params
      // A body without room for its image is not read, or only until the lack of room is known.
      const length = Math.max(0, Number(request.headers['content-length'] ?? 0) - formBytes)
      const room = orThrow(await deps.images.room(id, caller.user.id, length))
      const { bytes } = await readUpload(request, room.bytes).catch(async (error: unknown) => {
        const isTooLarge = error instanceof RequestError && error.code === 'too_large'
        if (isTooLarge && room.bytes < imageLimit) orThrow(await deps.images.room(id, caller.user.id, room.bytes + 1))
        throw error
      })
      // Checked again, because the upload may have taken long.
      await stillAllowed(deps, caller, id, 'write')()
      const { url } = orThrow(await deps.images.store(id, bytes, caller.user.id))
      return reply.status(201).send({ url })
    })
    app.get('/documents/:id/images/:file', show, async (request, reply) => {
      const { file } = request.params
      const home = await findImageDocument(request, deps, file)
      const image = await deps.images.read(home, file)
      if (!image) throw new RequestError('not_found', 'There is no such image in this document.')
      return reply
        .header('content-type', image.type)
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('cache-control', 'private, max-age=31536000, immutable')
        .send(image.bytes)
    })
  }
}

/**
 * The document in which the caller may read an image: the one in the image's address or, after its deletion, another
 * one that contains the image.
 * @throws RequestError as `requireDocument`.
 */
async function findImageDocument(request: FastifyRequest<{ Params: { id: string } }>, deps: ApiDeps, name: string) {
  const { id } = request.params
  const rows = deps.db.selectFrom('documents').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  if (!(await rows.executeTakeFirst()) && imageNamePattern.test(name)) {
    const caller = await requireCaller(request, deps)
    const seen = deps.roles.documentsOf(caller.user.id)
    let homesOf = deps.db
      .selectFrom('images')
      .innerJoin('documents', 'documents.id', 'images.document')
      .select('images.document')
      .where('images.name', '=', name)
      .where('documents.deleted_at', 'is', null)
    if (seen) homesOf = homesOf.where('images.document', 'in', seen)
    const homes = await homesOf.limit(homesTried).execute()
    for (const { document } of homes) if (await deps.access(caller, document)) return document
  }
  await requireDocument(request, deps, 'read')
  return id
}
