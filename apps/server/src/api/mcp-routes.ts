import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Attempts } from '../auth/attempts.ts'
import type { PersonCaller } from '../auth/callers.ts'
import { RateLimited, RequestError } from '../common/errors.ts'
import { createMcpServer } from '../mcp/mcp-server.ts'
import type { McpCaller, McpDeps } from '../mcp/mcp-caller.ts'
import { createCallerQueue } from './requests/caller-queue.ts'
import { type ApiDeps, requireKey } from './requests/context.ts'
import { toRequestError } from './requests/error-handler.ts'

const callsPerMinute = 240
const bodyAtMost = 1024 * 1024
const waitingAtMost = 16

export type McpRouteDeps = ApiDeps & { mcp: Pick<McpDeps, 'outside' | 'isSetUp' | 'waitMs'> }

/**
 * The Model Context Protocol over streamable HTTP at `/mcp`, for agents of other programs. Each request contains an API
 * key; the state of an agent's open documents is in its runs.
 */
export function mcpRoutes(deps: McpRouteDeps): FastifyPluginAsync {
  const limit = new Attempts({ times: callsPerMinute, withinMs: 60_000 }, deps.elapsed)
  const { documents, storage } = deps
  const mcp: McpDeps = {
    ...deps.mcp,
    documents,
    room: (...asked) => storage.logs.room(...asked),
    runQueued: createCallerQueue(waitingAtMost),
  }
  return async (app) => {
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      bodyLimit: bodyAtMost,
      schema: { hide: true },
      errorHandler: handleMcpError,
      async handler(request, reply) {
        const caller = await requireMcpCaller(request, deps)
        const wait = limit.take(caller.agent.apiKey ?? caller.agent.user.id)
        if (wait > 0) throw new RateLimited('Too many calls.', wait)
        const onerror = (error: Error): void => request.log.warn({ err: error }, 'an MCP request failed')
        const handler = createMcpHandler(() => createMcpServer(caller, mcp), { onerror })
        // Fastify set the security headers on the reply, which is hijacked here.
        for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
        reply.hijack()
        await toNodeHandler(handler, { onerror })(request.raw, reply.raw, request.body)
      },
    })
  }
}

/** The calling agent and its access. @throws RequestError as `requireKey`. */
async function requireMcpCaller(request: FastifyRequest, deps: McpRouteDeps): Promise<McpCaller> {
  const caller = await requireKey(request, deps)
  const { user, apiKey = null, limit = 'write' } = caller
  return {
    agent: { user, apiKey, name: await nameOf(caller, deps) },
    scope: limit,
    access: (document) => deps.access(caller, document),
  }
}

/** The agent's name as shown to people: the name of its key, or of its session. */
async function nameOf({ user, apiKey }: PersonCaller, { db }: ApiDeps): Promise<string> {
  if (apiKey === undefined) return user.name
  const key = await db.selectFrom('api_keys').select('name').where('id', '=', apiKey).executeTakeFirst()
  return key?.name?.trim() || user.name
}

/** Answers with errors in the form of JSON-RPC 2.0, as MCP clients expect. */
function handleMcpError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = toRequestError(error)
  if (!known) request.log.error({ err: error }, 'an MCP request failed')
  if (known instanceof RateLimited) reply.header('retry-after', known.retryAfterSeconds)
  if (known?.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
  const { code, message, hint } = known ?? new RequestError('internal', 'Something went wrong on the server.')
  const isUnreadable = error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
  reply
    .status(known?.status ?? 500)
    .header('content-type', 'application/json; charset=utf-8')
    .send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: null,
        error: { code: isUnreadable ? -32_700 : -32_000, message, data: { code, ...(hint ? { hint } : {}) } },
      }),
    )
}
