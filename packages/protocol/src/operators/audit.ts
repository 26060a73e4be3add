import { z } from 'zod'

/** Every action that the audit log records. */
export const AuditAction = z.enum([
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'sign-out-everywhere',
  'session-ended',
  'account-made',
  'account-changed',
  'password-changed',
  'password-change-refused',
  'password-reset',
  'provider-disconnected',
  'key-made',
  'key-revoked',
  'invitation-made',
  'invitation-revoked',
  'reset-made',
  'person-changed',
  'roles-changed',
  'sharing-changed',
  'link-made',
  'link-revoked',
  'link-opened',
  'document-taken',
  'document-trashed',
  'document-restored',
  'document-deleted',
  'document-moved',
  'document-copied',
  'trash-emptied',
  'folder-made',
  'folder-taken',
  'folder-changed',
  'folder-trashed',
  'folder-restored',
  'document-exported',
  'comment-edited',
  'comment-deleted',
  'version-restored',
  'run-started',
  'run-ended',
  'approval-decided',
  'file-written',
  'audit-exported',
  'tool-server-made',
  'tool-server-changed',
  'tool-server-deleted',
  'tool-policy-changed',
  'webhook-made',
  'webhook-changed',
  'webhook-deleted',
  'webhook-secret-made',
  'agent-made',
  'agent-changed',
  'agent-deleted',
  'agent-settings-changed',
  'budgets-changed',
  'person-budget-changed',
  'provider-made',
  'provider-changed',
  'provider-deleted',
  'model-set',
  'model-removed',
  'default-model-changed',
])
export type AuditAction = z.infer<typeof AuditAction>

/**
 * An audited action: its actor, time and origin. `target` is the id of the object of the action; texts of documents are
 * never recorded.
 */
export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.object({ id: z.string(), name: z.string() }).nullable(),
    action: AuditAction,
    document: z.string().nullable(),
    target: z.string().nullable(),
    address: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

/**
 * Entries, newest first. `titles` has, by id, the titles of documents that are shared with the reader, and no others;
 * `names` the names of the other objects in the entries, of folders only of those that are shared with the reader.
 */
export const AuditList = z.object({
  entries: z.array(AuditEntry),
  titles: z.record(z.string(), z.string()),
  names: z.record(z.string(), z.string()),
  nextCursor: z.string().nullable(),
})
export type AuditList = z.infer<typeof AuditList>

/** A filter of entries; `format` returns all of them as a file. `actor` is an id. */
export const AuditQuery = z.object({
  cursor: z.string().max(200).optional(),
  actor: z.string().max(200).optional(),
  action: AuditAction.optional(),
  document: z.string().max(200).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  format: z.enum(['jsonl', 'csv']).optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>
