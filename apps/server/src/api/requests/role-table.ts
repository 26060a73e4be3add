import type { Access } from '@copydesk/protocol'

/**
 * The minimum right that a route needs: `anybody` (no credential), `caller` (any session or key), `account` (no
 * guests), `signed-in` (a session of a person with an account), `operator` (a signed-in operator), `share` (may share
 * the document: `write`, unless only its owners may share), or an access level on the document.
 */
export type Needs = 'anybody' | 'caller' | 'account' | 'signed-in' | 'operator' | 'share' | Access

/**
 * A route in the table: the right it needs, the body to send (`<actor>` is replaced by the calling actor), and the
 * status for an allowed caller. A missing run or thread in an accessible document is a different 404 from a document
 * that isn't shared.
 */
export type RouteRule = {
  needs: Needs
  answers: number
  body?: unknown
  bytes?: boolean
  /** The key scope that the route needs, where it isn't `read` and no document access implies it. */
  scope?: Access
  /** The route ends the caller's session: only its refusals are tested here, the rest in accounts.test.ts. */
  endsSession?: true
}

const none = 'none'
const noToken = 'a token that nobody has given'
const newPassword = 'copper lantern walnut'

/**
 * Every route of the server with the minimum right it needs, checked before a body is read. A test fails for routes
 * that are missing here.
 */
export const routeRules: Readonly<Record<string, RouteRule>> = {
  'GET /healthz': { needs: 'anybody', answers: 200 },
  'GET /readyz': { needs: 'anybody', answers: 200 },
  'GET /api/openapi.json': { needs: 'anybody', answers: 200 },
  // The tested server has accounts.
  'POST /api/session': { needs: 'anybody', answers: 403, body: { name: 'Dora' } },
  'GET /api/me': { needs: 'caller', answers: 200 },
  'POST /api/documents': { needs: 'account', scope: 'write', answers: 201, body: {} },
  'GET /api/documents': { needs: 'caller', answers: 200 },
  'GET /api/notifications': { needs: 'caller', answers: 200 },
  'POST /api/notifications/read': { needs: 'caller', scope: 'comment', answers: 200, body: {} },
  'GET /api/people': { needs: 'account', answers: 200 },
  'GET /api/audit': { needs: 'operator', answers: 200 },
  'GET /api/ownerless': { needs: 'operator', answers: 200 },
  'GET /api/storage': { needs: 'operator', answers: 200 },
  // This document has an owner.
  'POST /api/ownerless/:id': { needs: 'operator', answers: 404 },

  'GET /api/auth': { needs: 'anybody', answers: 200 },
  'POST /api/auth/sign-in': { needs: 'anybody', answers: 401, body: { email: '<actor>@nowhere.org', password: none } },
  'POST /api/auth/links': { needs: 'anybody', answers: 404, body: { token: noToken } },
  'POST /api/auth/sign-up': {
    needs: 'anybody',
    answers: 404,
    body: { token: noToken, name: 'Dora', email: '<actor>@nowhere.org', password: newPassword },
  },
  'POST /api/auth/reset': { needs: 'anybody', answers: 404, body: { token: noToken, password: newPassword } },
  'POST /api/auth/oidc': { needs: 'anybody', answers: 501, body: {} },
  'GET /api/auth/oauth2/callback/oidc': { needs: 'anybody', answers: 501 },
  'GET /api/auth/account': { needs: 'signed-in', answers: 200 },
  'PATCH /api/auth/account': { needs: 'signed-in', answers: 200, body: { name: 'Renamed' } },
  'POST /api/auth/password': {
    needs: 'signed-in',
    answers: 204,
    // The API keys are actors in this table.
    body: { current: newPassword, password: newPassword, keepKeys: true },
  },
  'GET /api/auth/sessions': { needs: 'signed-in', answers: 200 },
  'DELETE /api/auth/sessions/:session': { needs: 'signed-in', answers: 404 },
  'POST /api/auth/sign-out': { needs: 'signed-in', answers: 204, endsSession: true },
  'POST /api/auth/sign-out-everywhere': { needs: 'signed-in', answers: 204, endsSession: true },
  'GET /api/auth/keys': { needs: 'signed-in', answers: 200 },
  'POST /api/auth/keys': { needs: 'signed-in', answers: 201, body: { name: 'Key', scope: 'read' } },
  'DELETE /api/auth/keys/:key': { needs: 'signed-in', answers: 404 },
  'POST /api/auth/oidc/connect': { needs: 'signed-in', answers: 501, body: {} },
  'DELETE /api/auth/oidc': { needs: 'signed-in', answers: 204 },
  'GET /api/auth/people': { needs: 'operator', answers: 200 },
  'PATCH /api/auth/people/:person': { needs: 'operator', answers: 404, body: { active: true } },
  'POST /api/auth/people/:person/reset': { needs: 'operator', answers: 404 },
  'GET /api/auth/invitations': { needs: 'operator', answers: 200 },
  'POST /api/auth/invitations': { needs: 'operator', answers: 201, body: {} },
  'DELETE /api/auth/invitations/:invitation': { needs: 'operator', answers: 404 },
  'GET /api/links/:token': { needs: 'anybody', answers: 404 },
  'POST /api/links/:token': { needs: 'anybody', answers: 404, body: { name: 'Dora' } },

  'GET /api/documents/:id': { needs: 'read', answers: 200 },
  'PATCH /api/documents/:id': { needs: 'write', answers: 200, body: { title: 'New' } },
  'DELETE /api/documents/:id': { needs: 'manage', answers: 204 },
  'POST /api/documents/:id/restore': { needs: 'manage', answers: 200 },
  'GET /api/documents/:id/export': { needs: 'read', answers: 200 },
  'GET /api/documents/:id/people': { needs: 'read', answers: 200 },
  'GET /api/documents/:id/events': { needs: 'read', answers: 200 },
  'GET /api/documents/:id/authorship': { needs: 'read', answers: 200 },
  'GET /api/documents/:id/versions': { needs: 'write', answers: 200 },
  'POST /api/documents/:id/versions': { needs: 'write', answers: 201, body: {} },
  'GET /api/documents/:id/versions/:version': { needs: 'write', answers: 404 },
  'PATCH /api/documents/:id/versions/:version': { needs: 'write', answers: 404, body: { name: 'A name' } },
  'GET /api/documents/:id/versions/:version/diff': { needs: 'write', answers: 404 },
  'POST /api/documents/:id/versions/:version/restore': { needs: 'write', answers: 404 },
  'POST /api/documents/:id/updates': { needs: 'write', answers: 204, bytes: true },

  'GET /api/documents/:id/members': { needs: 'write', answers: 200 },
  // Everyone who may read may leave; the other uses of the route are tested in rights.test.ts.
  'PUT /api/documents/:id/members': { needs: 'read', answers: 404, body: { members: [{ id: none, role: 'viewer' }] } },
  'PUT /api/documents/:id/sharing': { needs: 'manage', answers: 200, body: { editorsShare: true } },
  'GET /api/documents/:id/links': { needs: 'write', answers: 200 },
  'POST /api/documents/:id/links': { needs: 'share', answers: 201, body: { role: 'viewer' } },
  'DELETE /api/documents/:id/links/:link': { needs: 'write', answers: 404 },

  'GET /api/documents/:id/messages': { needs: 'read', answers: 200 },
  'POST /api/documents/:id/messages': { needs: 'comment', answers: 202, body: { text: 'Hello' } },
  'GET /api/documents/:id/runs': { needs: 'read', answers: 200 },
  'GET /api/documents/:id/runs/:run': { needs: 'read', answers: 404 },
  'POST /api/documents/:id/runs/:run/stop': { needs: 'comment', answers: 404 },
  'POST /api/documents/:id/runs/:run/continue': { needs: 'comment', answers: 404 },
  'POST /api/documents/:id/runs/:run/undo': { needs: 'write', answers: 404 },
  'POST /api/documents/:id/runs/:run/redo': { needs: 'write', answers: 404 },
  'POST /api/documents/:id/runs/:run/approvals/:call': {
    needs: 'write',
    answers: 404,
    body: { decision: 'approve' },
  },

  'GET /api/documents/:id/threads': { needs: 'read', answers: 200 },
  'POST /api/documents/:id/threads': { needs: 'comment', answers: 201, body: { quote: 'text', text: 'A comment' } },
  'POST /api/documents/:id/threads/:thread/comments': { needs: 'comment', answers: 404, body: { text: 'A reply' } },
  'PATCH /api/documents/:id/threads/:thread': { needs: 'comment', answers: 404, body: { resolved: true } },
  'GET /api/documents/:id/changes': { needs: 'read', answers: 200 },
  // Creates one suggestion; a decision on all of them needs more.
  'POST /api/documents/:id/changes': {
    needs: 'comment',
    answers: 201,
    body: { quote: '<actor>', replaceWith: 'Any' },
  },
  'POST /api/documents/:id/changes/:change': { needs: 'write', answers: 404, body: { decision: 'accept' } },
  'DELETE /api/documents/:id/highlights/:highlight': { needs: 'read', answers: 404 },
  'POST /api/documents/:id/images': { needs: 'write', answers: 415, body: {} },
  'GET /api/documents/:id/images/:file': { needs: 'read', answers: 404 },
}

/** Cases where another body makes the same route need more. */
export const furtherRules: readonly (RouteRule & { route: string })[] = [
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
