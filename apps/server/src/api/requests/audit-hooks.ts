import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { type ApiDeps, findPerson } from './context.ts'
import { sessionTokenOf } from '../../auth/callers.ts'
import type { Tables } from '../../store/tables.ts'
import { recordAuditEvent } from '../../audit/audit.ts'
import { parseJson } from '../../common/parse-json.ts'
import { type AuditRule, auditRules, type Done } from './audit-rules.ts'

export type AuditHookDeps = Pick<ApiDeps, 'identify' | 'now'> & { db: Kysely<Tables> }

// Rate-limited requests are not recorded: endless attempts would fill the log.
const refused: ReadonlySet<number> = new Set([401, 403])

/**
 * Records the requests of `auditRules` before the response is sent, so that the log contains every request whose
 * response a client got.
 */
export function addAuditHooks(app: FastifyInstance, deps: AuditHookDeps): void {
  // The caller is looked up before the handler: after signing out the session is invalid.
  const callers = new WeakMap<FastifyRequest, string>()
  app.addHook('preHandler', async (request) => {
    if (!ruleOf(request)) return
    const caller = await findPerson(request, deps)
    if (caller) callers.set(request, caller.user.id)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const rule = ruleOf(request)
    const action = rule && actionOf(rule, reply)
    if (!rule || !action) return payload
    const answer = readAnswer(payload)
    const done = { params: request.params, query: request.query, body: request.body, answer } as Done
    if (rule.when?.(done) === false) return payload
    // The person behind a failed sign-in is unknown, even if the browser has another session.
    const caller = action === 'sign-in-failed' ? undefined : callers.get(request)
    const actor = (await entered(reply, deps)) ?? caller ?? actorIn(answer) ?? null
    await recordAuditEvent(deps.db, { at: deps.now(), actor, action, address: request.ip, ...rule.read?.(done) })
    return payload
  })
}

function ruleOf(request: FastifyRequest): AuditRule | undefined {
  return auditRules[`${request.method} ${request.routeOptions.url ?? ''}`]
}

function actionOf({ action, failed }: AuditRule, reply: FastifyReply): AuditRule['action'] | undefined {
  const { statusCode } = reply
  const isSentBack = statusCode === 302 && /[?&]error=/.test(String(reply.getHeader('location')))
  if (isSentBack || refused.has(statusCode)) return failed
  return statusCode < 400 ? action : undefined
}

/** The person who has just signed in, by the session cookie in the response. */
async function entered(reply: FastifyReply, { identify }: AuditHookDeps): Promise<string | undefined> {
  const cookies = [reply.getHeader('set-cookie') ?? []].flat().map((cookie) => String(cookie).split(';')[0])
  const token = sessionTokenOf(cookies.join(';'))
  const caller = token ? await identify(decodeURIComponent(token)) : undefined
  return caller?.kind === 'person' ? caller.user.id : undefined
}

// Only small responses contain recorded fields; an exported document is not parsed again.
const answerAtMost = 64 * 1024

function readAnswer(payload: unknown): unknown {
  return typeof payload === 'string' && payload.length <= answerAtMost ? parseJson(payload) : undefined
}

function actorIn(answer: unknown): string | undefined {
  const user = typeof answer === 'object' && answer !== null && 'user' in answer ? answer.user : undefined
  const id = typeof user === 'object' && user !== null && 'id' in user ? user.id : undefined
  return typeof id === 'string' ? id : undefined
}
