import type { Access, AuditAction, LinkRole, Role, UnstartedReason, VersionKind } from '@copydesk/protocol'
import type { Generated, Selectable } from 'kysely'

/** Times are milliseconds since 1970, ids are text, JSON is text. One interface for SQLite and PostgreSQL. */
export type Tables = {
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
    /** 1 for a person without an account who came by a share link. */
    guest: Generated<number>
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
  /** How a person signs in: with a password (`provider` is `credential`) or through another server. */
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
   * Links that work once: the set-up of the server, an invitation, a new password for `person`. Only a hash of the
   * secret is stored.
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
  documents: {
    id: string
    title: string
    /** The title as search compares it, see `foldText`. */
    folded_title: string
    agent_mode: 'edit' | 'suggest' | 'ask'
    created_by: string
    created_at: number
    updated_at: number
    trashed_at: number | null
    /** Whether editors may share it; if not, only owners do. */
    editors_share: Generated<number>
  }
  /**
   * One row per log: `<id>` and `<id>/room`. `seq` is the newest update; a transaction that increments it holds the
   * row's lock.
   */
  logs: { name: string; document: string; seq: number }
  document_updates: { name: string; seq: number; bytes: Uint8Array; actor: string; run: string | null; at: number }
  /**
   * The first sender under a Yjs client id: a person's id, or `run:` and a run's id. `key_hash` is the hash of the
   * page's key.
   */
  document_clients: { name: string; client: number; owner: string; key_hash: string | null; at: number }
  quarantined_updates: { name: string; seq: number; error: string; at: number }
  /** `state` holds all updates up to `seq`; `text` is the text for search (lower case). */
  document_snapshots: {
    name: string
    seq: number
    state: Uint8Array
    text: string
    at: number
    steps: Generated<number>
  }
  runs: {
    id: string
    document: string
    status: string
    trigger_kind: string
    trigger_id: string
    instruction: string
    invoked_by: string
    invoked_by_name: string
    /** The upper limit of its access: what its caller was allowed to do there when it was started. */
    access_limit: Generated<Access>
    /** The key with which a program started it; the run stops when the key is no longer valid. */
    api_key: Generated<string | null>
    /** The whole text of a mention's block, if others wrote parts of it; `instruction` is what the sender wrote. */
    context: Generated<string | null>
    mode: 'edit' | 'suggest' | 'ask'
    selection: string | null
    rounds: number
    max_rounds: number
    input_tokens: number
    output_tokens: number
    answer: string | null
    notice: string | null
    error: string | null
    epoch: number
    stop_requested: number
    coordinates: string | null
    /** How many milliseconds workers have spent on it, without waiting for people. */
    used_ms: Generated<number>
    /** How often workers have claimed it since it last made progress. */
    idle_claims: Generated<number>
    /** How often it was extended by the same number of rounds. */
    continued: Generated<number>
    /** 1 if all its changes have been undone. */
    undone: Generated<number>
    created_at: number
    ended_at: number | null
  }
  /**
   * Mentions of agents that were sent but never start a run. `sender` is a person's id, or `run:` and a run's id;
   * `shown` is 1 once the room says so.
   */
  unstarted_mentions: {
    document: string
    request_id: string
    sender: string
    reason: UnstartedReason
    at: number
    shown: Generated<number>
  }
  run_steps: {
    id: string
    run: string
    position: number
    tool: string
    arguments: string
    status: string
    summary: string
    /**
     * For a call that was held for approval: the proposed change, a person's decision, and the arguments that the
     * person substituted.
     */
    proposal: string | null
    approval: string | null
    approved_arguments: string | null
    /** The newest row of the content log that this step or an earlier one has written; null until the step ends. */
    last_seq: Generated<number | null>
    changed: Generated<number>
    undone: Generated<number>
    /** The changed blocks, as `TextPair[]`. */
    blocks: Generated<string | null>
    /**
     * The number of the model's answer that made the call, counted from one, and the text before the answer's first
     * call.
     */
    round: Generated<number | null>
    said: Generated<string | null>
    /** What it read or why it failed, as `StepDetail` of runs/step-details.ts. */
    detail: Generated<string | null>
    started_at: number
    ended_at: number | null
  }
  /** Rows of a content log from calls that were cut off in the middle: they count as undone permanently. */
  cut_rows: { name: string; seq: number; run: string }
  /**
   * Rows of content logs that undo or redo changes of a run or of one of its steps; `copies` is `Copy[]` of
   * history/replayed-log.ts.
   */
  run_undos: {
    name: string
    seq: number
    run: string
    step: string | null
    kind: 'undo' | 'redo'
    copies: string
    actor: string
    at: number
  }
  /**
   * Versions of a document's content: `seq` is the newest row of its log that belongs to the version. `writers` is
   * JSON, the actors that wrote since the previous version; `restored` is the version that this one restored.
   */
  versions: {
    id: string
    document: string
    seq: number
    kind: VersionKind
    name: string | null
    created_by: string
    writers: string
    run: string | null
    restored: string | null
    at: number
  }
  /** The content at a version, stored where computing it from the log takes long. */
  version_states: { document: string; seq: number; state: Uint8Array }
  /**
   * The audit log. Rows are only ever added: triggers reject everything else. `details` is JSON and never holds text of
   * documents.
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
  /** The messages of the model and its tools, in order: `TranscriptMessage` of the agent package as JSON. */
  run_messages: { run: string; position: number; message: string }
  messages: {
    id: string
    document: string
    role: 'user' | 'agent'
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    text: string
    /** The people that the text mentions, as `Mentioned[]`. */
    mentions: Generated<string | null>
    status: 'streaming' | 'complete'
    run: string | null
    created_at: number
  }
  /**
   * `quote` is the text that the thread was made on, `marked` the text last found under its mark, `prefix` and `suffix`
   * the words around that: they help to find the position again when the mark is gone.
   */
  threads: {
    document: string
    id: string
    quote: string
    marked: string
    prefix: string
    suffix: string
    resolved: number
    orphaned: number
    created_at: number
  }
  comments: {
    document: string
    id: string
    thread: string
    position: number
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    text: string
    mentions: Generated<string | null>
    run: string | null
    /** The key with which a program wrote it. */
    api_key: Generated<string | null>
    created_at: number
  }
  /** Who suggested a change, and who decided on it. The change itself is in the content, under its id. */
  changes: {
    document: string
    id: string
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    run: string | null
    created_at: number
    decision: 'accept' | 'reject' | null
    decided_by: string | null
    decided_by_name: string | null
    decided_at: number | null
    /** The message for integrations when the change is accepted. */
    update_json: string | null
    /** The row of the content log that added it, or the newest row if the server wrote it itself. */
    seq: number
  }
  /**
   * Other writers of a suggested change: they added text to it or moved its marks. `writer` is a person's id, or `run:`
   * and a run's id; the name is the one at that time.
   */
  change_contributors: {
    document: string
    change: string
    writer: string
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    run: string | null
    at: number
  }
  /** The roles that people have themselves, not by a link. Every document has at least one owner. */
  members: { document: string; person: string; role: Role; added_by: string; added_at: number }
  /** Roles of email addresses that have no account yet. */
  pending_members: { document: string; email: string; role: Role; added_by: string; added_at: number }
  /** Share links. Only the SHA-256 of a link's secret is stored. */
  links: {
    id: string
    document: string
    role: LinkRole
    token_hash: string
    created_by: string
    created_at: number
    expires_at: number | null
    revoked_at: number | null
  }
  /** People who have opened a link: they have its role as long as the link is valid. */
  link_visits: { link: string; person: string; first_at: number }
  /** Who has opened a document, and when last. */
  document_visits: { document: string; person: string; last_at: number }
  /**
   * Notifications for a person. `source` is the cause, unique per person: a mention's `requestId`, a comment, a
   * message; `thread` is the comment's.
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
  }
  /**
   * Stored images, as files of their documents. `bytes` is the size on disk, `account` the account that uploaded it
   * (see quotas/account.ts).
   */
  images: { document: string; name: string; bytes: number; account: string; stored_at: number }
  /**
   * The size of all images of a `subject`: `document:<id>`, an account, or `server`. Updated in the transactions that
   * change `images`.
   */
  image_usage: { subject: string; bytes: number }
  /** The size of a log's rows up to `seq`; recomputed where it is missing. */
  log_usage: { name: string; bytes: number; seq: number }
  /** The bytes that an account added to logs in a day; `day` is counted from 1970 (UTC). */
  log_days: { account: string; day: number; bytes: number }
  /**
   * Yjs items of a log that name a stored image: `length` ids from (`client`, `clock`), the row that added them, and
   * the row that deleted them. `by_run` is 1 if either row belongs to a run, so that undo or redo may need the image.
   * An image whose use is uncertain is never removed.
   */
  image_mentions: {
    log: string
    client: number
    clock: number
    name: string
    length: number
    added_seq: number
    by_run: Generated<number>
    removed_seq: number | null
    removed_at: number | null
  }
  /** The row up to which a log has been scanned for `image_mentions`. */
  image_scans: { log: string; seq: number }
}

export type DocumentRow = Selectable<Tables['documents']>
export type RunRow = Selectable<Tables['runs']>
export type StepRow = Selectable<Tables['run_steps']>
export type MessageRow = Selectable<Tables['messages']>
export type ThreadRow = Selectable<Tables['threads']>
export type CommentRow = Selectable<Tables['comments']>
export type NotificationRow = Selectable<Tables['notifications']>
export type ChangeRow = Selectable<Tables['changes']>
export type ContributorRow = Selectable<Tables['change_contributors']>
export type AuthLinkRow = Selectable<Tables['auth_links']>
export type VersionRow = Selectable<Tables['versions']>
export type AuditRow = Selectable<Tables['audit']>
