import { existsSync } from 'node:fs'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import swagger from '@fastify/swagger'
import fastify from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, RouteOptions } from 'fastify'
import {
  type FastifyPluginAsyncZod,
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import { z } from 'zod'
import { asksForWebSocket } from '../collaboration/upgrade.ts'
import { requireOwnOrigin } from '../auth/trusted-origin.ts'
import { addAuditHooks } from './requests/audit-hooks.ts'
import { accountRoutes } from './accounts/account-routes.ts'
import { admitBodies, refuseWithoutRoom } from './requests/admission.ts'
import { agentRoutes, undoRoutes } from './documents/agent-routes.ts'
import { agentSettingsRoutes } from './operators/agent-settings-routes.ts'
import { auditRoutes } from './operators/audit-routes.ts'
import { authorshipRoutes, documentRoutes } from './documents/document-routes.ts'
import type { ApiDeps } from './requests/context.ts'
import { eventRoutes } from './documents/event-routes.ts'
import { folderRoutes } from './documents/folder-routes.ts'
import { handleError, handleUnknownRoute } from './requests/error-handler.ts'
import { imageRoutes } from './documents/image-routes.ts'
import { dropUnreadBodies, limitLargeBodies } from './requests/large-bodies.ts'
import { type McpRouteDeps, mcpRoutes } from './mcp-routes.ts'
import { linkRoutes } from './documents/link-routes.ts'
import { memberRoutes } from './documents/member-routes.ts'
import { notificationRoutes } from './accounts/notification-routes.ts'
import { operatorRoutes, ownerlessRoutes, storageRoutes } from './operators/operator-routes.ts'
import { providerRoutes } from './operators/provider-routes.ts'
import { reviewRoutes } from './documents/review-routes.ts'
import { sessionRoutes } from './accounts/session-routes.ts'
import { signInRoutes } from './accounts/sign-in-routes.ts'
import { trashRoutes } from './documents/trash-routes.ts'
import { updateRoutes } from './documents/update-routes.ts'
import { versionRoutes } from './documents/version-routes.ts'
import { toolServerRoutes } from './operators/tool-server-routes.ts'
import { namedAgentRoutes } from './operators/named-agent-routes.ts'
import { usageRoutes } from './operators/usage-routes.ts'
import { webhookRoutes } from './operators/webhook-routes.ts'
import fastifyStatic from '@fastify/static'

const documentsApi = [
  documentRoutes,
  trashRoutes,
  folderRoutes,
  agentRoutes,
  reviewRoutes,
  imageRoutes,
  undoRoutes,
  updateRoutes,
  authorshipRoutes,
  versionRoutes,
  auditRoutes,
  notificationRoutes,
  memberRoutes,
  linkRoutes,
  ownerlessRoutes,
  storageRoutes,
  webhookRoutes,
  toolServerRoutes,
  namedAgentRoutes,
  agentSettingsRoutes,
  usageRoutes,
  providerRoutes,
  eventRoutes,
]

const bodyLimit = 10 * 1024 * 1024

/**
 * Builds the HTTP side of the server without listening; tests call it with `inject`. `webRoot` is the folder of the
 * built app; `onRoute` is called for every route.
 */
export async function createApi(
  deps: McpRouteDeps,
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
  for (const routes of documentsApi) await app.register(routes(deps), { prefix: '/api' })
  await app.register(mcpRoutes(deps))
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await serveWeb(app, options.webRoot)
  return app
}

// The server itself may use plain HTTP, on a laptop or behind a proxy: the scheme of PUBLIC_URL decides whether HTTPS
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

const Alive = z.object({ status: z.literal('ok') })
const Ready = z.object({ status: z.enum(['ok', 'unavailable']), reason: z.string().optional() })

/** `/healthz`: the process is alive. `/readyz`: the server can serve and the store responds. */
function healthRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/healthz', { schema: { response: { 200: Alive } }, logLevel: 'warn' }, async () => ({
      status: 'ok' as const,
    }))
    app.get('/readyz', { schema: { response: { 200: Ready, 503: Ready } }, logLevel: 'warn' }, async (_, reply) => {
      const reason = await deps.problem()
      if (reason === undefined) return { status: 'ok' as const }
      return reply.status(503).send({ status: 'unavailable', reason })
    })
  }
}

/**
 * Serves the built app in `webRoot`: its files, and the HTML page for the addresses of pages. A document's address has
 * its own HTML page, which loads the editor in parallel with the shell. Without a built app only the API is served.
 */
export async function serveWeb(app: FastifyInstance, webRoot: string): Promise<void> {
  if (!existsSync(webRoot)) {
    app.setNotFoundHandler(handleUnknownRoute)
    return
  }
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    globIgnore: ['assets/**'],
    preCompressed: true,
    setHeaders(reply, path) {
      // Names of built files contain a content hash; browsers must revalidate the HTML page that refers to them.
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // One route for hundreds of files: a route for each costs 25 MB of memory and a quarter of the server's start.
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const name = request.params['*']
    return /^\w[\w.~-]{0,200}$/.test(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound()
  })
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !/^\/(api|assets|collab|mcp)(\/|$|\?)/.test(request.url)
    const wantsPage = request.headers.accept?.includes('text/html') ?? false
    if (isPage && wantsPage) return reply.sendFile(request.url.startsWith('/d/') ? 'document.html' : 'index.html')
    return handleUnknownRoute(request, reply)
  })
}
