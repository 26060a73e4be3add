import type { AuditAction, Language } from '@copydesk/protocol'
import type { Generated } from 'kysely'

/** Tables of people: accounts, their means of signing in, notifications. Times, ids and JSON as in `Tables`. */
export type PeopleTables = {
  /**
   * Everyone who has ever used this server. `email` is folded to lower case, and null for guests; the authentication
   * library uses this table as its users. A deactivated person can't sign in.
   */
  people: {
    id: string
    name: string
    color: string
    email: Generated<string | null>
    email_verified: Generated<number>
    image: Generated<string | null>
    operator: Generated<number>
    created_at: number
    updated_at: Generated<number | null>
    deactivated_at: Generated<number | null>
    /** 1 for a person without an account who joined by a share link. */
    guest: Generated<number>
    /** 1 if the person is mailed about notifications while they are away. */
    mails: Generated<number>
    /** The last language of the person's interface; null if unknown. */
    language: Generated<Language | null>
  }
  /** Managed by the authentication library, like the next three tables. `token` is the secret half of the cookie. */
  auth_sessions: {
    id: string
    person: string
    token: string
    expires_at: number
    address: string | null
    user_agent: string | null
    created_at: number
    updated_at: number
  }
  /** A person's means of signing in: a password (`provider` is `credential`) or another server. */
  auth_accounts: {
    id: string
    person: string
    provider: string
    account: string
    password: string | null
    access_token: string | null
    refresh_token: string | null
    id_token: string | null
    scope: string | null
    access_token_expires_at: number | null
    refresh_token_expires_at: number | null
    created_at: number
    updated_at: number
  }
  auth_verifications: {
    id: string
    identifier: string
    value: string
    expires_at: number
    created_at: number
    updated_at: number
  }
  /** `key` is a hash, `permissions` JSON. */
  api_keys: {
    id: string
    config: string
    person: string
    name: string | null
    prefix: string | null
    start: string | null
    key: string
    permissions: string | null
    metadata: string | null
    enabled: number | null
    expires_at: number | null
    last_request: number | null
    request_count: number | null
    remaining: number | null
    refill_interval: number | null
    refill_amount: number | null
    last_refill_at: number | null
    rate_limit_enabled: number | null
    rate_limit_time_window: number | null
    rate_limit_max: number | null
    created_at: number
    updated_at: number
  }
  /**
   * Single-use links: the set-up of the server, an invitation, a new password for `person`. Only a hash of the secret
   * is stored.
   */
  auth_links: {
    id: string
    kind: 'set-up' | 'invitation' | 'reset'
    token_hash: string
    email: string | null
    person: string | null
    created_by: string | null
    created_at: number
    expires_at: number | null
    used_at: number | null
    used_by: string | null
    revoked_at: number | null
  }
  /**
   * Notifications for a person. `source` is the cause, unique per person: a mention's `requestId`, a comment, a
   * message; `thread` is the comment's thread.
   */
  notifications: {
    id: string
    person: string
    document: string
    kind: 'mention' | 'reply'
    place: 'text' | 'comment' | 'chat'
    source: string
    thread: string | null
    author_id: string
    author_name: string
    excerpt: string
    created_at: number
    read_at: number | null
    mailed_at: Generated<number | null>
  }
  /**
   * The audit log. Rows are only inserted: triggers reject updates and deletions. `details` is JSON and never contains
   * text of documents.
   */
  audit: {
    id: string
    at: number
    actor: string | null
    action: AuditAction
    document: string | null
    target: string | null
    address: string | null
    details: string | null
  }
}
