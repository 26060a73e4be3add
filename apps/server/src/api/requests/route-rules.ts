import type { Access } from '@copydesk/protocol'

/**
 * The minimum right for a route: `anybody` (no credential), `caller` (any session or key), `key` (an API key in the
 * header; without accounts, a session in the header), `account` (no guests), `signed-in` (a session of a person with an
 * account), `operator` (a signed-in operator), `agent-operator` (the same; without accounts everybody, if only the
 * server's own machine can reach the server), `share` (may share the document: `write`, unless only its owners may
 * share), or an access level on the document.
 */
type Needs = 'anybody' | 'caller' | 'key' | 'account' | 'signed-in' | 'operator' | 'agent-operator' | 'share' | Access

/**
 * The right for a route, and the scope of a key if it isn't `read` and no document access implies it. `of`: the object
 * of an access level, by default a document. `noGuests`: refuses guests, whatever access they have. `orOperator`:
 * operators are also admitted, and the route checks their request.
 */
export type RouteRule = { needs: Needs; scope?: Access; of?: 'folder'; noGuests?: true; orOperator?: true }

/**
 * The minimum right for every route of the server, checked before a body is read. The rights of roles are in
 * `rights/access.ts`. A test fails for missing routes.
 */
export const routeRules: Readonly<Record<string, RouteRule>> = {
  'GET /healthz': { needs: 'anybody' },
  'GET /readyz': { needs: 'anybody' },
  'GET /api/openapi.json': { needs: 'anybody' },
  'POST /api/session': { needs: 'anybody' },
  // Each tool checks its document.
  'GET /mcp': { needs: 'key' },
  'POST /mcp': { needs: 'key' },
  'DELETE /mcp': { needs: 'key' },
  'GET /api/me': { needs: 'caller' },
  // No key has this scope.
  'PATCH /api/me': { needs: 'caller', scope: 'manage' },
  'POST /api/documents': { needs: 'account', scope: 'write' },
  'GET /api/documents': { needs: 'caller' },
  // Deletes only what the caller owns.
  'DELETE /api/trash': { needs: 'account', scope: 'manage' },
  'GET /api/notifications': { needs: 'caller' },
  'POST /api/notifications/read': { needs: 'caller', scope: 'comment' },
  'GET /api/people': { needs: 'account' },
  'GET /api/audit': { needs: 'operator' },
  'GET /api/ownerless': { needs: 'operator' },
  'GET /api/storage': { needs: 'operator' },
  'POST /api/ownerless/:id': { needs: 'operator' },
  'POST /api/ownerless/folders/:id': { needs: 'operator' },
  'GET /api/tool-servers': { needs: 'agent-operator' },
  'POST /api/tool-servers': { needs: 'agent-operator' },
  'PATCH /api/tool-servers/:server': { needs: 'agent-operator' },
  'DELETE /api/tool-servers/:server': { needs: 'agent-operator' },
  'POST /api/tool-servers/:server/test': { needs: 'agent-operator' },
  'PATCH /api/tool-servers/:server/tools/:tool': { needs: 'agent-operator' },
  'PUT /api/tool-policies/:tool': { needs: 'agent-operator' },
  'GET /api/agents': { needs: 'agent-operator' },
  'POST /api/agents': { needs: 'agent-operator' },
  'PATCH /api/agents/:agent': { needs: 'agent-operator' },
  'DELETE /api/agents/:agent': { needs: 'agent-operator' },
  'GET /api/agent-settings': { needs: 'agent-operator' },
  'PATCH /api/agent-settings': { needs: 'agent-operator' },
  'GET /api/me/agent': { needs: 'account' },
  'PATCH /api/me/agent': { needs: 'account', scope: 'manage' },
  'GET /api/webhooks': { needs: 'operator' },
  'POST /api/webhooks': { needs: 'operator' },
  'PATCH /api/webhooks/:webhook': { needs: 'operator' },
  'DELETE /api/webhooks/:webhook': { needs: 'operator' },
  'POST /api/webhooks/:webhook/secret': { needs: 'operator' },
  'POST /api/webhooks/:webhook/test': { needs: 'operator' },
  'GET /api/webhooks/:webhook/deliveries': { needs: 'operator' },
  'POST /api/webhooks/:webhook/deliveries/:delivery': { needs: 'operator' },
  'GET /api/usage': { needs: 'agent-operator' },
  'GET /api/usage/export': { needs: 'agent-operator' },
  'PUT /api/usage/budgets': { needs: 'agent-operator' },
  'PUT /api/usage/budgets/people/:person': { needs: 'agent-operator' },
  'DELETE /api/usage/budgets/people/:person': { needs: 'agent-operator' },
  'GET /api/me/usage': { needs: 'caller' },
  'GET /api/providers': { needs: 'agent-operator' },
  'POST /api/providers': { needs: 'agent-operator' },
  'PATCH /api/providers/:provider': { needs: 'agent-operator' },
  'DELETE /api/providers/:provider': { needs: 'agent-operator' },
  'GET /api/providers/:provider/models': { needs: 'agent-operator' },
  'PUT /api/providers/:provider/models': { needs: 'agent-operator' },
  'DELETE /api/providers/:provider/models': { needs: 'agent-operator' },
  'PUT /api/providers/default': { needs: 'agent-operator' },
  'POST /api/providers/test': { needs: 'agent-operator' },
  'GET /api/providers/local': { needs: 'agent-operator' },

  'GET /api/auth': { needs: 'anybody' },
  'POST /api/auth/sign-in': { needs: 'anybody' },
  'POST /api/auth/links': { needs: 'anybody' },
  'POST /api/auth/sign-up': { needs: 'anybody' },
  'POST /api/auth/reset': { needs: 'anybody' },
  'POST /api/auth/reset-requests': { needs: 'anybody' },
  'POST /api/auth/stop-mails': { needs: 'anybody' },
  'POST /api/auth/oidc': { needs: 'anybody' },
  'GET /api/auth/oauth2/callback/oidc': { needs: 'anybody' },
  'GET /api/auth/account': { needs: 'signed-in' },
  'PATCH /api/auth/account': { needs: 'signed-in' },
  'POST /api/auth/password': { needs: 'signed-in' },
  'GET /api/auth/sessions': { needs: 'signed-in' },
  'DELETE /api/auth/sessions/:session': { needs: 'signed-in' },
  'POST /api/auth/sign-out': { needs: 'signed-in' },
  'POST /api/auth/sign-out-everywhere': { needs: 'signed-in' },
  'GET /api/auth/keys': { needs: 'signed-in' },
  'POST /api/auth/keys': { needs: 'signed-in' },
  'DELETE /api/auth/keys/:key': { needs: 'signed-in' },
  'POST /api/auth/oidc/connect': { needs: 'signed-in' },
  'DELETE /api/auth/oidc': { needs: 'signed-in' },
  'GET /api/auth/people': { needs: 'operator' },
  'PATCH /api/auth/people/:person': { needs: 'operator' },
  'POST /api/auth/people/:person/reset': { needs: 'operator' },
  'GET /api/auth/invitations': { needs: 'operator' },
  'POST /api/auth/invitations': { needs: 'operator' },
  'DELETE /api/auth/invitations/:invitation': { needs: 'operator' },
  'GET /api/links/:token': { needs: 'anybody' },
  'POST /api/links/:token': { needs: 'anybody' },

  'GET /api/documents/:id': { needs: 'read' },
  // Starring needs `read`; the route checks the other changes.
  'PATCH /api/documents/:id': { needs: 'read', scope: 'comment' },
  'POST /api/documents/:id/duplicate': { needs: 'read', scope: 'write', noGuests: true },
  'GET /api/documents/:id/move': { needs: 'manage' },
  'DELETE /api/documents/:id': { needs: 'manage', orOperator: true },
  'POST /api/documents/:id/restore': { needs: 'manage' },
  'GET /api/documents/:id/export': { needs: 'read' },
  'GET /api/documents/:id/people': { needs: 'read' },
  'GET /api/documents/:id/events': { needs: 'read' },
  'GET /api/documents/:id/authorship': { needs: 'read' },
  'GET /api/documents/:id/versions': { needs: 'write' },
  'POST /api/documents/:id/versions': { needs: 'write' },
  'GET /api/documents/:id/versions/:version': { needs: 'write' },
  'PATCH /api/documents/:id/versions/:version': { needs: 'write' },
  'GET /api/documents/:id/versions/:version/diff': { needs: 'write' },
  'GET /api/documents/:id/versions/:version/extent': { needs: 'write' },
  'POST /api/documents/:id/versions/:version/restore': { needs: 'write' },
  'POST /api/documents/:id/updates': { needs: 'write' },

  'GET /api/documents/:id/members': { needs: 'write' },
  // Leaving needs `read`; the route checks the other changes.
  'PUT /api/documents/:id/members': { needs: 'read', scope: 'comment' },
  'PUT /api/documents/:id/sharing': { needs: 'manage' },
  'GET /api/documents/:id/links': { needs: 'write' },
  'POST /api/documents/:id/links': { needs: 'share' },
  'DELETE /api/documents/:id/links/:link': { needs: 'write' },

  'GET /api/folders': { needs: 'account' },
  'POST /api/folders': { needs: 'account', scope: 'write' },
  // Renaming needs `write`; the route checks the other changes.
  'PATCH /api/folders/:id': { needs: 'write', of: 'folder' },
  'DELETE /api/folders/:id': { needs: 'manage', of: 'folder' },
  'POST /api/folders/:id/restore': { needs: 'manage', of: 'folder' },
  'GET /api/folders/:id/move': { needs: 'manage', of: 'folder' },
  'GET /api/folders/:id/members': { needs: 'write', of: 'folder' },
  // Leaving needs `read`; the route checks the other changes.
  'PUT /api/folders/:id/members': { needs: 'read', scope: 'comment', of: 'folder' },

  'GET /api/documents/:id/messages': { needs: 'read' },
  'POST /api/documents/:id/messages': { needs: 'comment' },
  'GET /api/documents/:id/runs': { needs: 'read' },
  'GET /api/documents/:id/runs/:run': { needs: 'read' },
  'POST /api/documents/:id/runs/:run/stop': { needs: 'comment' },
  'POST /api/documents/:id/runs/:run/continue': { needs: 'comment' },
  'POST /api/documents/:id/runs/:run/undo': { needs: 'write' },
  'POST /api/documents/:id/runs/:run/redo': { needs: 'write' },
  // The route refuses guests' decisions on files.
  'POST /api/documents/:id/runs/:run/approvals/:call': { needs: 'write' },
  'GET /api/documents/:id/runs/:run/files/:call': { needs: 'write', noGuests: true },

  'GET /api/documents/:id/threads': { needs: 'read' },
  'POST /api/documents/:id/threads': { needs: 'comment' },
  'POST /api/documents/:id/threads/:thread/comments': { needs: 'comment' },
  'PATCH /api/documents/:id/threads/:thread/comments/:comment': { needs: 'comment' },
  // Deleting one's own comment needs `comment`; the route checks other comments.
  'DELETE /api/documents/:id/threads/:thread/comments/:comment': { needs: 'comment' },
  'PUT /api/documents/:id/threads/:thread/comments/:comment/reactions/:emoji': { needs: 'comment' },
  'DELETE /api/documents/:id/threads/:thread/comments/:comment/reactions/:emoji': { needs: 'comment' },
  'PATCH /api/documents/:id/threads/:thread': { needs: 'comment' },
  'GET /api/documents/:id/changes': { needs: 'read' },
  // Creating one suggestion needs `comment`; the route checks decisions on all of them.
  'POST /api/documents/:id/changes': { needs: 'comment' },
  'POST /api/documents/:id/changes/:change': { needs: 'write' },
  'DELETE /api/documents/:id/highlights/:highlight': { needs: 'read' },
  'POST /api/documents/:id/images': { needs: 'write' },
  'GET /api/documents/:id/images/:file': { needs: 'read' },
}
