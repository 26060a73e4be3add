import { existsSync } from 'node:fs'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type RouteOptions } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { addAuditHooks } from '../audit/audit-hooks.ts'
import { asksForWebSocket } from '../collaboration/upgrade.ts'
import { accountRoutes } from './account-routes.ts'
import { admitBodies } from './admission.ts'
import { agentRoutes } from './agent-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { authorshipRoutes } from './authorship-routes.ts'
import type { ApiDeps } from './context.ts'
import { documentRoutes } from './document-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { handleError, handleUnknownRoute } from './error-handler.ts'
import { healthRoutes } from './health-routes.ts'
import { imageRoutes } from './image-routes.ts'
import { limitLargeBodies } from './large-bodies.ts'
import { linkRoutes } from './link-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { notificationRoutes } from './notification-routes.ts'
import { operatorRoutes } from './operator-routes.ts'
import { refuseWithoutRoom } from './quota-hook.ts'
import { ownerlessRoutes } from './ownerless-routes.ts'
import { reviewRoutes } from './review-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { storageRoutes } from './storage-routes.ts'
import { undoRoutes } from './undo-routes.ts'
import { dropUnreadBodies } from './unread-bodies.ts'
import { updateRoutes } from './update-routes.ts'
import { versionRoutes } from './version-routes.ts'
import { requireOwnOrigin } from '../trusted-origin.ts'

const bodyLimit = 10 * 1024 * 1024

/**
 * Builds the HTTP side of the server without listening; tests call it with `inject`. `webRoot` is the folder of the
 * built app; `onRoute` is called for every route.
 */
export async function createApi(
  deps: ApiDeps,
  options: {
    logger: FastifyBaseLogger
    webRoot: string
    trustedProxies: number
    onRoute?: ((route: RouteOptions) => void) | undefined
  },
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.logger,
    genReqId: deps.createId,
    bodyLimit,
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    http: { shouldUpgradeCallback: asksForWebSocket },
    frameworkErrors: (error, request, reply) => handleError(error, request, reply),
    // Collaboration closes the sockets that were upgraded to WebSockets.
    forceCloseConnections: 'idle',
  })
  if (options.onRoute) app.addHook('onRoute', options.onRoute)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  app.addHook('onRequest', async (request) => deps.requests.countAddress(request))
  app.addHook('onRequest', requireOwnOrigin(deps.publicUrl))
  app.addHook('onSend', async (request, reply) => void reply.header('x-request-id', request.id))

  await app.register(helmet, securityHeaders(deps.publicUrl))
  await app.register(cookie)
  app.addHook('onRequest', admitBodies(deps))
  app.addHook('onSend', dropUnreadBodies())
  await app.register(swagger, {
    openapi: { info: { title: 'Copydesk', version: '1', license: { name: 'MIT' } } },
    transform: jsonSchemaTransform,
  })
  app.addHook('preParsing', limitLargeBodies(deps))
  addAuditHooks(app, deps)
  refuseWithoutRoom(app, deps)
  await app.register(healthRoutes(deps))
  await app.register(sessionRoutes(deps), { prefix: '/api' })
  for (const routes of [signInRoutes, accountRoutes, operatorRoutes]) {
    await app.register(routes(deps), { prefix: '/api/auth' })
  }
  await app.register(documentRoutes(deps), { prefix: '/api' })
  await app.register(agentRoutes(deps), { prefix: '/api' })
  await app.register(reviewRoutes(deps), { prefix: '/api' })
  await app.register(imageRoutes(deps), { prefix: '/api' })
  await app.register(undoRoutes(deps), { prefix: '/api' })
  await app.register(updateRoutes(deps), { prefix: '/api' })
  await app.register(authorshipRoutes(deps), { prefix: '/api' })
  await app.register(versionRoutes(deps), { prefix: '/api' })
  await app.register(auditRoutes(deps), { prefix: '/api' })
  await app.register(notificationRoutes(deps), { prefix: '/api' })
  await app.register(memberRoutes(deps), { prefix: '/api' })
  await app.register(linkRoutes(deps), { prefix: '/api' })
  await app.register(ownerlessRoutes(deps), { prefix: '/api' })
  await app.register(storageRoutes(deps), { prefix: '/api' })
  await app.register(eventRoutes(deps), { prefix: '/api' })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await serveWeb(app, options.webRoot)
  return app
}

// The server itself may speak plain HTTP, on a laptop or behind a proxy: the scheme of PUBLIC_URL decides whether HTTPS
// is enforced.
function securityHeaders(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:')
  return {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // KaTeX and ProseMirror set style attributes; dialogs lock page scrolling with a style element.
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'"],
        // Documents may contain images from other servers.
        imgSrc: ["'self'", 'https:', 'http:', 'data:', 'blob:'],
        // The WebSocket has the same origin.
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: isSecure ? [] : null,
      },
    },
    hsts: isSecure && { maxAge: 31_536_000, includeSubDomains: false },
  }
}

async function serveWeb(app: FastifyInstance, webRoot: string): Promise<void> {
  if (!existsSync(webRoot)) {
    app.setNotFoundHandler(handleUnknownRoute)
    return
  }
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    setHeaders(reply, path) {
      // Names of built files contain a content hash; the HTML page that refers to them must be revalidated.
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !/^\/(api|collab|mcp)(\/|$|\?)/.test(request.url)
    const wantsPage = request.headers.accept?.includes('text/html') ?? false
    if (isPage && wantsPage) return reply.sendFile('index.html')
    return handleUnknownRoute(request, reply)
  })
}
