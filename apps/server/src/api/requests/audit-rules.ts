import {
  type AuditAction,
  Budget,
  Budgets,
  DocumentCount,
  HandOver,
  PatchAgentSettings,
  PatchForeignTool,
  PutSharing,
  PutToolPolicy,
  WebhookEvent,
} from '@copydesk/protocol'
import { z } from 'zod'

/** A completed request, as passed to rules. `answer` is the parsed JSON response, if any. */
export type Done = {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  answer: unknown
}

type AuditedFields = {
  document?: string | undefined
  target?: string | undefined
  details?: Record<string, unknown> | undefined
}

/**
 * The action recorded for a route; `failed`, the action recorded for a refusal; `read`, which extracts the document,
 * target and details; and `when`, which decides whether a request is recorded.
 */
export type AuditRule = {
  action: AuditAction
  failed?: AuditAction
  read?: (done: Done) => AuditedFields
  when?: (done: Done) => boolean
}

const ofDocument = ({ params }: Done): AuditedFields => ({ document: params.id })
const ofComment = ({ params }: Done): AuditedFields => ({
  document: params.id,
  target: params.comment,
  details: { thread: params.thread },
})
const ofFolder = ({ params, answer }: Done): AuditedFields => ({
  target: params.id,
  details: parsed(DocumentCount, answer),
})
const WithEmail = z.object({ email: z.string().max(320) })
const Answered = z
  .object({ id: z.string(), scope: z.string(), role: z.string(), expiresAt: z.string().nullable() })
  .partial()
const CreatedNamed = Answered.extend({ name: z.string().optional() })
const Members = z.object({
  members: z.array(z.object({ id: z.string().optional(), email: z.string().optional(), role: z.string().nullable() })),
})
const PersonPatch = z.object({ active: z.boolean(), operator: z.boolean(), confirmedEmail: z.string() }).partial()

function parsed<T>(shape: z.ZodType<T>, value: unknown): T | undefined {
  return shape.safeParse(value).data
}

const AgentParts = z.object({ handle: z.string(), enabled: z.boolean() }).partial()

// An address may hold a key, so only its host is recorded.
const withHost = <T extends { url?: string | undefined }>({ url, ...rest }: T) => ({
  ...(url === undefined ? {} : { host: new URL(url).host }),
  ...rest,
})
const WebhookParts = z
  .object({ url: z.string(), events: z.array(WebhookEvent), active: z.boolean() })
  .partial()
  .transform(withHost)
// Records neither the token nor its length.
const hasToken = z.unknown().transform((token) => (token === null ? 'removed' : 'given'))
const ToolServerParts = z
  .object({ url: z.string(), token: hasToken, enabled: z.boolean() })
  .partial()
  .transform(withHost)
const NamedServer = z.object({ name: z.string() })

// Records only the host of an address and, for a key, whether there is a new one or none.
const ProviderParts = z
  .object({ name: z.string(), service: z.string(), baseUrl: z.string().nullable(), apiKey: z.unknown() })
  .partial()
  .transform(({ baseUrl, apiKey, ...rest }) => ({
    ...rest,
    ...(baseUrl == null ? {} : { host: new URL(baseUrl).host }),
    ...(apiKey === undefined ? {} : { key: apiKey === null ? 'removed' : 'replaced' }),
  }))
const ModelParts = z
  .object({ model: z.string(), inputPrice: z.number().nullable(), outputPrice: z.number().nullable() })
  .partial()

const ofParam =
  (name: string, details?: z.ZodType<Record<string, unknown>>) =>
  ({ params, body }: Done): AuditedFields => ({ target: params[name], details: details && parsed(details, body) })
const ofCreated =
  (details?: z.ZodType<Record<string, unknown>>) =>
  ({ answer }: Done): AuditedFields => ({
    target: parsed(Answered, answer)?.id,
    details: details && parsed(details, answer),
  })
const ofDocumentBody =
  (details: z.ZodType<Record<string, unknown>>) =>
  ({ params, body }: Done): AuditedFields => ({ document: params.id, details: parsed(details, body) })
const fieldsOf = (body: unknown): string[] => (typeof body === 'object' && body ? Object.keys(body) : [])

const changedAccount: AuditRule = {
  action: 'account-changed',
  // Pages set their language without an action of the person.
  when: ({ body }) => fieldsOf(body).join() !== 'language',
  read: ({ body }) => ({ details: { fields: fieldsOf(body) } }),
}

const address = ({ body }: Done): AuditedFields => ({ target: parsed(WithEmail, body)?.email })

/**
 * The routes that are recorded before their response. Actions of runs, decisions on approval requests, restored
 * versions, moves and changes of folders are recorded by the code that executes them, in the same transaction.
 */
export const auditRules: Readonly<Record<string, AuditRule>> = {
  'POST /api/session': { action: 'sign-in', read: () => ({ details: { how: 'name' } }) },
  'POST /api/auth/sign-in': { action: 'sign-in', failed: 'sign-in-failed', read: address },
  'GET /api/auth/oauth2/callback/oidc': {
    action: 'sign-in',
    failed: 'sign-in-failed',
    read: () => ({ details: { how: 'oidc' } }),
  },
  'POST /api/auth/sign-up': { action: 'account-made', read: address },
  'POST /api/auth/reset': { action: 'password-reset' },
  'PATCH /api/me': changedAccount,
  'PATCH /api/auth/account': changedAccount,
  'POST /api/auth/password': { action: 'password-changed', failed: 'password-change-refused' },
  'DELETE /api/auth/sessions/:session': { action: 'session-ended', read: ofParam('session') },
  'POST /api/auth/sign-out': { action: 'sign-out' },
  'POST /api/auth/sign-out-everywhere': { action: 'sign-out-everywhere' },
  'POST /api/auth/keys': {
    action: 'key-made',
    read: ({ answer }) => {
      const { id, ...details } = parsed(CreatedNamed, answer) ?? {}
      return { target: id, details }
    },
  },
  'DELETE /api/auth/keys/:key': { action: 'key-revoked', read: ofParam('key') },
  'DELETE /api/auth/oidc': { action: 'provider-disconnected' },
  'PATCH /api/auth/people/:person': { action: 'person-changed', read: ofParam('person', PersonPatch) },
  'POST /api/auth/people/:person/reset': { action: 'reset-made', read: ofParam('person') },
  'POST /api/auth/invitations': {
    action: 'invitation-made',
    read: ({ answer, body }) => ({ target: parsed(Answered, answer)?.id, details: parsed(WithEmail, body) }),
  },
  'DELETE /api/auth/invitations/:invitation': { action: 'invitation-revoked', read: ofParam('invitation') },
  'PUT /api/documents/:id/members': { action: 'roles-changed', read: ofDocumentBody(Members) },
  'PUT /api/documents/:id/sharing': { action: 'sharing-changed', read: ofDocumentBody(PutSharing) },
  'POST /api/documents/:id/links': {
    action: 'link-made',
    read: ({ params, answer }) => {
      const { id, ...details } = parsed(Answered, answer) ?? {}
      return { document: params.id, target: id, details }
    },
  },
  'DELETE /api/documents/:id/links/:link': {
    action: 'link-revoked',
    read: ({ params }) => ({ document: params.id, target: params.link }),
  },
  'POST /api/links/:token': {
    action: 'link-opened',
    read: ({ answer }) => ({ document: parsed(z.object({ document: z.string() }), answer)?.document }),
  },
  'PATCH /api/documents/:id/threads/:thread/comments/:comment': { action: 'comment-edited', read: ofComment },
  'DELETE /api/documents/:id/threads/:thread/comments/:comment': { action: 'comment-deleted', read: ofComment },
  'POST /api/ownerless/:id': {
    action: 'document-taken',
    read: ({ params, body }) => ({ document: params.id, target: parsed(HandOver, body)?.person }),
  },
  'POST /api/ownerless/folders/:id': { action: 'folder-taken', read: ofParam('id', HandOver) },
  'POST /api/tool-servers': {
    action: 'tool-server-made',
    read: ({ body }) => ({ target: parsed(NamedServer, body)?.name, details: parsed(ToolServerParts, body) }),
  },
  'PATCH /api/tool-servers/:server': { action: 'tool-server-changed', read: ofParam('server', ToolServerParts) },
  'DELETE /api/tool-servers/:server': { action: 'tool-server-deleted', read: ofParam('server') },
  'PATCH /api/tool-servers/:server/tools/:tool': {
    action: 'tool-policy-changed',
    read: ({ params, body }) => ({
      target: params.server,
      details: { tool: params.tool, ...parsed(PatchForeignTool, body) },
    }),
  },
  'PUT /api/tool-policies/:tool': { action: 'tool-policy-changed', read: ofParam('tool', PutToolPolicy) },
  'POST /api/agents': { action: 'agent-made', read: ofCreated(AgentParts) },
  'PATCH /api/agents/:agent': {
    action: 'agent-changed',
    read: ({ params, body, answer }) => ({
      target: params.agent,
      details: { ...parsed(AgentParts, answer), changed: fieldsOf(body) },
    }),
  },
  'DELETE /api/agents/:agent': { action: 'agent-deleted', read: ofParam('agent') },
  'PATCH /api/agent-settings': {
    action: 'agent-settings-changed',
    read: ({ body }) => ({
      details: { fields: fieldsOf(body), ...parsed(PatchAgentSettings.pick({ limits: true }), body) },
    }),
  },
  'PATCH /api/me/agent': {
    action: 'account-changed',
    read: ({ body }) => ({ details: { fields: fieldsOf(body).map((field) => `agent ${field}`) } }),
  },
  'PUT /api/usage/budgets': { action: 'budgets-changed', read: ({ body }) => ({ details: parsed(Budgets, body) }) },
  'PUT /api/usage/budgets/people/:person': { action: 'person-budget-changed', read: ofParam('person', Budget) },
  'DELETE /api/usage/budgets/people/:person': { action: 'person-budget-changed', read: ofParam('person') },
  'POST /api/webhooks': { action: 'webhook-made', read: ofCreated(WebhookParts) },
  'PATCH /api/webhooks/:webhook': { action: 'webhook-changed', read: ofParam('webhook', WebhookParts) },
  'DELETE /api/webhooks/:webhook': { action: 'webhook-deleted', read: ofParam('webhook') },
  'POST /api/webhooks/:webhook/secret': { action: 'webhook-secret-made', read: ofParam('webhook') },
  'POST /api/providers': { action: 'provider-made', read: ofCreated(ProviderParts) },
  'PATCH /api/providers/:provider': { action: 'provider-changed', read: ofParam('provider', ProviderParts) },
  'DELETE /api/providers/:provider': { action: 'provider-deleted', read: ofParam('provider') },
  'PUT /api/providers/:provider/models': { action: 'model-set', read: ofParam('provider', ModelParts) },
  'DELETE /api/providers/:provider/models': {
    action: 'model-removed',
    read: ({ params, query }) => ({ target: params.provider, details: parsed(ModelParts, query) }),
  },
  'PUT /api/providers/default': {
    action: 'default-model-changed',
    read: ({ body }) => ({ target: parsed(ModelParts, body)?.model }),
  },
  'POST /api/documents/:id/duplicate': {
    action: 'document-copied',
    read: ({ params, answer }) => ({ document: params.id, target: parsed(Answered, answer)?.id }),
  },
  // Permanent deletion is recorded with the deletion.
  'DELETE /api/documents/:id': {
    action: 'document-trashed',
    when: ({ query }) => query.permanent !== true,
    read: ofDocument,
  },
  'DELETE /api/trash': { action: 'trash-emptied', read: ({ answer }) => ({ details: parsed(DocumentCount, answer) }) },
  'POST /api/folders': { action: 'folder-made', read: ofCreated() },
  'DELETE /api/folders/:id': { action: 'folder-trashed', read: ofFolder },
  'POST /api/folders/:id/restore': { action: 'folder-restored', read: ofFolder },
  'PUT /api/folders/:id/members': { action: 'roles-changed', read: ofParam('id', Members) },
  'POST /api/documents/:id/restore': { action: 'document-restored', read: ofDocument },
  'GET /api/documents/:id/export': {
    action: 'document-exported',
    read: ({ params, query }) => ({ document: params.id, details: { format: query.format, changes: query.changes } }),
  },
}
