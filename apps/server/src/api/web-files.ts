import { existsSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { handleUnknownRoute } from './requests/error-handler.ts'

/**
 * Serves the built app in `webRoot`: its files, and for addresses of pages its HTML. A document's address has an HTML
 * of its own, which loads the editor in parallel with the shell. Without a built app only the API is served.
 */
export async function serveWeb(app: FastifyInstance, webRoot: string): Promise<void> {
  if (!existsSync(webRoot)) {
    app.setNotFoundHandler(handleUnknownRoute)
    return
  }
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    preCompressed: true,
    setHeaders(reply, path) {
      // Names of built files contain a content hash; the HTML page that refers to them must be revalidated.
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !/^\/(api|collab|mcp)(\/|$|\?)/.test(request.url)
    const wantsPage = request.headers.accept?.includes('text/html') ?? false
    if (isPage && wantsPage) return reply.sendFile(request.url.startsWith('/d/') ? 'document.html' : 'index.html')
    return handleUnknownRoute(request, reply)
  })
}
