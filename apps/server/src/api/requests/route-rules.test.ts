import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorBody } from '@copydesk/protocol'
import { allows } from '../../common/identity.ts'
import { accessOf, type Actor, actors, openRoleScene, type RoleScene } from '../../testing/role-scene.ts'
import { routeRules, type RouteRule } from './route-rules.ts'

/**
 * How a route is called, and the status for an allowed caller: `body` with `<actor>` replaced by the calling actor. A
 * missing run or thread in an accessible document is a different 404 than a document that isn't shared.
 */
type RouteCase = {
  answers: number
  body?: unknown
  bytes?: boolean
  query?: string
  /** A route that the owner calls first. */
  before?: string
  /** The route ends the caller's session: only its refusals are tested here, the rest in accounts.test.ts. */
  endsSession?: true
}
type TestedRoute = RouteRule & RouteCase & { route: string }

const none = 'none'
const noBudget = { tokens: null, cost: null }
const noBudgets = { run: noBudget, person: noBudget, agent: noBudget, server: noBudget }
const noToken = 'a token that nobody has given'
const newPassword = 'copper lantern walnut'

/** Every route in `routeRules`. */
const routeCases: Readonly<Record<string, RouteCase>> = {
  'GET /healthz': { answers: 200 },
  'GET /readyz': { answers: 200 },
  'GET /api/openapi.json': { answers: 200 },
  // The tested server has accounts.
  'POST /api/session': { answers: 403, body: { name: 'Dora' } },
  'GET /mcp': { answers: 405 },
  // A client of MCP takes both kinds of answers.
  'POST /mcp': { answers: 406, body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
  'DELETE /mcp': { answers: 405 },
  'GET /api/me': { answers: 200 },
  'PATCH /api/me': { answers: 200, body: {} },
  'POST /api/documents': { answers: 201, body: {} },
  'GET /api/documents': { answers: 200 },
  'DELETE /api/trash': { answers: 200 },
  'GET /api/notifications': { answers: 200 },
  'POST /api/notifications/read': { answers: 200, body: {} },
  'GET /api/people': { answers: 200 },
  'GET /api/audit': { answers: 200 },
  'GET /api/ownerless': { answers: 200 },
  'GET /api/storage': { answers: 200 },
  // This document and this folder have an owner.
  'POST /api/ownerless/:id': { answers: 404 },
  'POST /api/ownerless/folders/:id': { answers: 404 },
  'GET /api/tool-servers': { answers: 200 },
  'POST /api/tool-servers': { answers: 400, body: { name: 'wiki', url: 'http://example.org/' } },
  'PATCH /api/tool-servers/:server': { answers: 404, body: { enabled: false } },
  'DELETE /api/tool-servers/:server': { answers: 404 },
  'POST /api/tool-servers/:server/test': { answers: 404 },
  'PATCH /api/tool-servers/:server/tools/:tool': { answers: 404, body: { policy: 'deny' } },
  'PUT /api/tool-policies/:tool': { answers: 404, body: { policy: 'deny' } },
  'GET /api/agents': { answers: 200 },
  'POST /api/agents': { answers: 201, body: { handle: 'helper', name: 'Helper', color: '#2f5d50', enabled: false } },
  'PATCH /api/agents/:agent': { answers: 404, body: { enabled: false } },
  'DELETE /api/agents/:agent': { answers: 404 },
  'GET /api/agent-settings': { answers: 200 },
  'PATCH /api/agent-settings': { answers: 200, body: {} },
  'GET /api/me/agent': { answers: 200 },
  'PATCH /api/me/agent': { answers: 200, body: {} },
  'GET /api/webhooks': { answers: 200 },
  'POST /api/webhooks': { answers: 201, body: { url: 'https://example.org/', events: ['run'], active: false } },
  'PATCH /api/webhooks/:webhook': { answers: 404, body: { active: false } },
  'DELETE /api/webhooks/:webhook': { answers: 404 },
  'POST /api/webhooks/:webhook/secret': { answers: 404 },
  'POST /api/webhooks/:webhook/test': { answers: 404 },
  'GET /api/webhooks/:webhook/deliveries': { answers: 404 },
  'POST /api/webhooks/:webhook/deliveries/:delivery': { answers: 404 },
  'GET /api/usage': { answers: 200 },
  'GET /api/usage/export': { answers: 200 },
  'PUT /api/usage/budgets': { answers: 200, body: noBudgets },
  'PUT /api/usage/budgets/people/:person': { answers: 404, body: { tokens: 1, cost: null } },
  'DELETE /api/usage/budgets/people/:person': { answers: 404 },
  'GET /api/me/usage': { answers: 200 },
  'GET /api/providers': { answers: 200 },
  'POST /api/providers': { answers: 201, body: { name: 'Local', service: 'openai' } },
  'PATCH /api/providers/:provider': { answers: 404, body: { name: 'Other' } },
  'DELETE /api/providers/:provider': { answers: 404 },
  'GET /api/providers/:provider/models': { answers: 404 },
  'PUT /api/providers/:provider/models': { answers: 404, body: { model: 'any' } },
  'DELETE /api/providers/:provider/models': { answers: 404, query: 'model=any' },
  'PUT /api/providers/default': { answers: 200, body: { model: 'builtin' } },
  'POST /api/providers/test': { answers: 200, body: { model: 'builtin' } },
  'GET /api/providers/local': { answers: 200 },

  'GET /api/auth': { answers: 200 },
  'POST /api/auth/sign-in': { answers: 401, body: { email: '<actor>@nowhere.org', password: none } },
  'POST /api/auth/links': { answers: 404, body: { token: noToken } },
  'POST /api/auth/sign-up': {
    answers: 404,
    body: { token: noToken, name: 'Dora', email: '<actor>@nowhere.org', password: newPassword },
  },
  'POST /api/auth/reset-requests': { answers: 501, body: { email: '<actor>@nowhere.org' } },
  'POST /api/auth/stop-mails': { answers: 404, body: { token: noToken } },
  'POST /api/auth/reset': { answers: 404, body: { token: noToken, password: newPassword } },
  'POST /api/auth/oidc': { answers: 501, body: {} },
  'GET /api/auth/oauth2/callback/oidc': { answers: 501 },
  'GET /api/auth/account': { answers: 200 },
  'PATCH /api/auth/account': { answers: 200, body: { name: 'Renamed' } },
  'POST /api/auth/password': {
    answers: 204,
    // The API keys are actors in this table.
    body: { current: newPassword, password: newPassword, keepKeys: true },
  },
  'GET /api/auth/sessions': { answers: 200 },
  'DELETE /api/auth/sessions/:session': { answers: 404 },
  'POST /api/auth/sign-out': { answers: 204, endsSession: true },
  'POST /api/auth/sign-out-everywhere': { answers: 204, endsSession: true },
  'GET /api/auth/keys': { answers: 200 },
  'POST /api/auth/keys': { answers: 201, body: { name: 'Key', scope: 'read' } },
  'DELETE /api/auth/keys/:key': { answers: 404 },
  'POST /api/auth/oidc/connect': { answers: 501, body: {} },
  'DELETE /api/auth/oidc': { answers: 204 },
  'GET /api/auth/people': { answers: 200 },
  'PATCH /api/auth/people/:person': { answers: 404, body: { active: true } },
  'POST /api/auth/people/:person/reset': { answers: 404 },
  'GET /api/auth/invitations': { answers: 200 },
  'POST /api/auth/invitations': { answers: 201, body: {} },
  'DELETE /api/auth/invitations/:invitation': { answers: 404 },
  'GET /api/links/:token': { answers: 404 },
  'POST /api/links/:token': { answers: 404, body: { name: 'Dora' } },

  'GET /api/documents/:id': { answers: 200 },
  'PATCH /api/documents/:id': { answers: 200, body: { starred: true } },
  'POST /api/documents/:id/duplicate': { answers: 201 },
  'GET /api/documents/:id/move': { answers: 200, query: 'to=none' },
  'DELETE /api/documents/:id': { answers: 204 },
  'POST /api/documents/:id/restore': { answers: 200 },
  'GET /api/documents/:id/export': { answers: 200 },
  'GET /api/documents/:id/people': { answers: 200 },
  'GET /api/documents/:id/events': { answers: 200 },
  'GET /api/documents/:id/authorship': { answers: 200 },
  'GET /api/documents/:id/versions': { answers: 200 },
  'POST /api/documents/:id/versions': { answers: 201, body: {} },
  'GET /api/documents/:id/versions/:version': { answers: 404 },
  'PATCH /api/documents/:id/versions/:version': { answers: 404, body: { name: 'A name' } },
  'GET /api/documents/:id/versions/:version/diff': { answers: 404 },
  'GET /api/documents/:id/versions/:version/extent': { answers: 404 },
  'POST /api/documents/:id/versions/:version/restore': { answers: 404 },
  'POST /api/documents/:id/updates': { answers: 204, bytes: true },

  'GET /api/documents/:id/members': { answers: 200 },
  // Leaving needs `read`; rights.test.ts tests the other uses of the route.
  'PUT /api/documents/:id/members': { answers: 404, body: { members: [{ id: none, role: 'viewer' }] } },
  'PUT /api/documents/:id/sharing': { answers: 200, body: { editorsShare: true } },
  'GET /api/documents/:id/links': { answers: 200 },
  'POST /api/documents/:id/links': { answers: 201, body: { role: 'viewer' } },
  'DELETE /api/documents/:id/links/:link': { answers: 404 },

  'GET /api/folders': { answers: 200 },
  'POST /api/folders': { answers: 201, body: { name: 'New' } },
  'PATCH /api/folders/:id': { answers: 200, body: { name: 'New' } },
  'DELETE /api/folders/:id': { answers: 200 },
  'POST /api/folders/:id/restore': { answers: 200 },
  'GET /api/folders/:id/move': { answers: 200, query: 'to=none' },
  'GET /api/folders/:id/members': { answers: 200 },
  // Leaving needs a role; folders.test.ts tests the other uses of the route.
  'PUT /api/folders/:id/members': { answers: 404, body: { members: [{ id: none, role: 'viewer' }] } },

  'GET /api/documents/:id/messages': { answers: 200 },
  'POST /api/documents/:id/messages': { answers: 202, body: { text: 'Hello' } },
  'GET /api/documents/:id/runs': { answers: 200 },
  'GET /api/documents/:id/runs/:run': { answers: 404 },
  'POST /api/documents/:id/runs/:run/stop': { answers: 404 },
  'POST /api/documents/:id/runs/:run/continue': { answers: 404 },
  'POST /api/documents/:id/runs/:run/undo': { answers: 404 },
  'POST /api/documents/:id/runs/:run/redo': { answers: 404 },
  'POST /api/documents/:id/runs/:run/approvals/:call': {
    answers: 404,
    body: { decision: 'approve' },
  },
  'GET /api/documents/:id/runs/:run/files/:call': { answers: 404 },

  'GET /api/documents/:id/threads': { answers: 200 },
  'POST /api/documents/:id/threads': { answers: 201, body: { quote: 'text', text: 'A comment' } },
  'POST /api/documents/:id/threads/:thread/comments': { answers: 404, body: { text: 'A reply' } },
  'PATCH /api/documents/:id/threads/:thread/comments/:comment': { answers: 404, body: { text: 'Other words' } },
  'DELETE /api/documents/:id/threads/:thread/comments/:comment': { answers: 404 },
  'PUT /api/documents/:id/threads/:thread/comments/:comment/reactions/:emoji': { answers: 404 },
  'DELETE /api/documents/:id/threads/:thread/comments/:comment/reactions/:emoji': { answers: 404 },
  'PATCH /api/documents/:id/threads/:thread': { answers: 404, body: { resolved: true } },
  'GET /api/documents/:id/changes': { answers: 200 },
  'POST /api/documents/:id/changes': {
    answers: 201,
    body: { quote: '<actor>', replaceWith: 'Any' },
  },
  'POST /api/documents/:id/changes/:change': { answers: 404, body: { decision: 'accept' } },
  'DELETE /api/documents/:id/highlights/:highlight': { answers: 404 },
  'POST /api/documents/:id/images': { answers: 415, body: {} },
  'GET /api/documents/:id/images/:file': { answers: 404 },
}

/** Cases in which another body makes the same route need more. */
const furtherCases: readonly TestedRoute[] = [
  { route: 'PATCH /api/documents/:id', needs: 'write', answers: 200, body: { title: 'New' } },
  { route: 'PATCH /api/documents/:id', needs: 'manage', answers: 200, body: { folder: null } },
  { route: 'PATCH /api/folders/:id', needs: 'manage', of: 'folder', answers: 200, body: { inherits: 'editor' } },
  {
    route: 'PUT /api/folders/:id/members',
    needs: 'manage',
    of: 'folder',
    answers: 200,
    body: { members: [{ email: '<actor>@waiting.example', role: 'viewer' }] },
  },
  // It isn't in the trash, so operators are refused like others.
  {
    route: 'DELETE /api/documents/:id',
    needs: 'manage',
    query: 'permanent=true',
    before: 'POST /api/documents/:id/restore',
    answers: 409,
  },
  {
    route: 'PUT /api/documents/:id/members',
    needs: 'share',
    answers: 200,
    body: { members: [{ email: '<actor>@waiting.example', role: 'viewer' }] },
  },
  {
    route: 'POST /api/documents/:id/changes',
    needs: 'write',
    answers: 200,
    body: { decision: 'reject' },
  },
]

let scene: RoleScene

beforeAll(async () => {
  scene = await openRoleScene()
})
afterAll(() => scene.dispose())

type Outcome = { status: number; code?: string; isHidden?: boolean }

async function call(route: string, rule: RouteCase, actor: Actor): Promise<Outcome> {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern
    .replace(':id', pattern.startsWith('/api/folders') ? scene.folder : scene.document)
    .replace(':emoji', encodeURIComponent('👍'))
    .replaceAll(/:\w+/g, 'none')
  const headers: Record<string, string> = actor === 'nobody' ? {} : { authorization: `Bearer ${scene.tokens[actor]}` }
  if (rule.body !== undefined) headers['content-type'] = 'application/json'
  if (rule.bytes) headers['content-type'] = 'application/octet-stream'
  // An empty update changes nothing.
  const body = rule.bytes
    ? Uint8Array.of(0, 0)
    : rule.body === undefined
      ? undefined
      : JSON.stringify(rule.body).replaceAll('<actor>', actor)
  const stop = new AbortController()
  const response = await fetch(`${scene.server.url}${path}?${rule.query ?? ''}`, {
    method,
    headers,
    signal: stop.signal,
    ...(body === undefined ? {} : { body }),
  })
  try {
    // A stream does not end by itself.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return { status: response.status }
    const text = await response.text()
    if (response.ok) return { status: response.status }
    const { error } = JSON.parse(text) as { error: ErrorBody['error'] & { data?: { code: string } } }
    // `/mcp` returns errors of JSON-RPC.
    return {
      status: response.status,
      code: error.data?.code ?? error.code,
      isHidden: error.message.includes('not shared with you'),
    }
  } finally {
    stop.abort()
  }
}

/** The expected status of a refusal; undefined where the actor is allowed. */
function refusal({ needs, scope, of, noGuests }: RouteRule, actor: Actor, editorsShare = true): Outcome | undefined {
  if (needs === 'anybody') return undefined
  const unauthenticated = { status: 401, code: 'unauthenticated', isHidden: false }
  if (actor === 'nobody') return unauthenticated
  if (needs === 'key') return actor === 'key' ? undefined : unauthenticated
  const forbidden = { status: 403, code: 'forbidden', isHidden: false }
  if (actor === 'key' && scope !== undefined && !allows('read', scope)) return forbidden
  if (noGuests && actor === 'guest') return forbidden
  if (needs === 'caller') return undefined
  if (needs === 'account') return actor === 'guest' ? forbidden : undefined
  if (needs === 'signed-in') return actor === 'guest' || actor === 'key' ? forbidden : undefined
  // The server has accounts.
  if (needs === 'operator' || needs === 'agent-operator') return actor === 'operator' ? undefined : forbidden
  // Guests have roles by links only, and folders have no links.
  const access = of === 'folder' && actor === 'guest' ? undefined : accessOf[actor]
  if (access === undefined) return { status: 404, code: 'not_found', isHidden: true }
  const least = needs !== 'share' ? needs : editorsShare ? 'write' : 'manage'
  return allows(access, least) ? undefined : forbidden
}

test('[RIGHT-2] every route is in the table, and the table has no route that is gone', () => {
  expect([...scene.server.routes].toSorted()).toEqual(Object.keys(routeRules).toSorted())
})

const rules: TestedRoute[] = [
  ...Object.entries(routeRules).map(([route, rule]) => ({ route, ...rule, ...casesOf(route) })),
  ...furtherCases,
]

function casesOf(route: string): RouteCase {
  const known = routeCases[route]
  if (!known) throw new Error(`${route} has no case`)
  return known
}

/** Calls these routes as every actor; returns the results that differ from the table. */
async function tryAll(tried: readonly TestedRoute[], editorsShare: boolean) {
  const wrong: string[] = []
  let allowed = 0
  let refused = 0
  for (const rule of tried) {
    for (const actor of actors) {
      const expected = refusal(rule, actor, editorsShare)
      if (!expected && rule.endsSession) continue
      if (rule.before) await call(rule.before, { answers: 200 }, 'owner')
      const outcome = await call(rule.route, rule, actor)
      const isAllowed = outcome.status === rule.answers && outcome.isHidden !== true
      const isRight = expected ? JSON.stringify(outcome) === JSON.stringify(expected) : isAllowed
      const wanted = JSON.stringify(expected ?? rule.answers)
      if (!isRight) wrong.push(`${rule.route} as ${actor}: ${JSON.stringify(outcome)} instead of ${wanted}`)
      if (expected) refused++
      else allowed++
    }
  }
  return { wrong, allowed, refused }
}

test('[RIGHT-2] every route answers everybody as the table says, and refuses everybody else', async () => {
  const { wrong, allowed, refused } = await tryAll(rules, true)
  expect(wrong).toEqual([])
  console.log(`${rules.length} routes × ${actors.length} people: ${allowed} allowed, ${refused} refused`)
})

test('[RIGHT-20] where owners keep sharing to themselves, every route that shares refuses everybody else', async () => {
  const sharing = rules.filter(({ needs }) => needs === 'share')
  expect((await scene.as('owner')('PUT', '/sharing', { editorsShare: false })).status).toBe(200)
  const { wrong, allowed, refused } = await tryAll(sharing, false)
  expect(wrong).toEqual([])
  expect([sharing.length, allowed, refused]).toEqual([2, 2, 20])
})

test('[RIGHT-13] [RIGHT-26] a key that may only read does not leave for its person', async () => {
  const body = { members: [{ id: scene.ids.owner, role: null }] }
  // The actor is the only owner, which is another error.
  for (const route of ['PUT /api/documents/:id/members', 'PUT /api/folders/:id/members']) {
    expect(await call(route, { answers: 409, body }, 'owner')).toMatchObject({ status: 409 })
    expect(await call(route, { answers: 403, body }, 'key')).toMatchObject({ status: 403 })
  }
})
