import type { Migration } from 'kysely/migration'
import { statements } from './statements.ts'

/** The migrations from 0001 to 0012 that consist of SQL only. */
export const firstMigrations: Record<string, Migration> = {
  // People, documents and their logs, runs, messages.
  '0001_initial': statements(
    `create table people (id text primary key, name text not null, color text not null, created_at bigint not null)`,
    `create table documents (
      id text primary key, title text not null, folded_title text not null, agent_mode text not null,
      created_by text not null, created_at bigint not null, updated_at bigint not null, trashed_at bigint
    )`,
    `create index documents_by_update on documents (updated_at, id)`,
    `create table logs (name text primary key, document text not null references documents (id), seq bigint not null)`,
    `create table document_updates (
      name text not null references logs (name), seq bigint not null, bytes blob not null, actor text not null,
      run text, at bigint not null, constraint document_updates_key primary key (name, seq)
    )`,
    `create table quarantined_updates (
      name text not null, seq bigint not null, error text not null, at bigint not null,
      constraint quarantined_updates_key primary key (name, seq)
    )`,
    `create table document_snapshots (
      name text not null references logs (name), seq bigint not null, state blob not null, text text not null,
      at bigint not null, constraint document_snapshots_key primary key (name, seq)
    )`,
    `create table runs (
      id text primary key, document text not null references documents (id), status text not null,
      trigger_kind text not null, trigger_id text not null, instruction text not null, invoked_by text not null,
      invoked_by_name text not null, mode text not null, selection text, rounds integer default 0 not null,
      max_rounds integer not null, input_tokens integer default 0 not null, output_tokens integer default 0 not null,
      answer text, notice text, error text, epoch integer default 0 not null, stop_requested integer default 0 not null,
      coordinates text, created_at bigint not null, ended_at bigint
    )`,
    `create unique index runs_by_trigger on runs (document, trigger_kind, trigger_id)`,
    `create index runs_by_status on runs (status, created_at)`,
    `create table run_steps (
      id text not null, run text not null references runs (id), position integer not null, tool text not null,
      arguments text not null, status text not null, summary text not null, started_at bigint not null, ended_at bigint,
      constraint run_steps_key primary key (run, id)
    )`,
    `create table run_messages (
      run text not null references runs (id), position integer not null, message text not null,
      constraint run_messages_key primary key (run, position)
    )`,
    `create table messages (
      id text primary key, document text not null references documents (id), role text not null,
      author_id text not null, author_name text not null, author_kind text not null, text text not null,
      status text not null, run text, created_at bigint not null
    )`,
    `create index messages_by_document on messages (document, created_at)`,
  ),
  // Comment threads, their comments, and the authors and decisions of changes. Ids are unique within a document.
  '0002_review': statements(
    `create table threads (
      document text not null references documents (id), id text not null, quote text not null, marked text not null,
      prefix text not null, suffix text not null, resolved integer default 0 not null,
      orphaned integer default 0 not null, created_at bigint not null, constraint threads_key primary key (document, id)
    )`,
    `create table comments (
      document text not null references documents (id), id text not null, thread text not null,
      position integer not null, author_id text not null, author_name text not null, author_kind text not null,
      text text not null, run text, created_at bigint not null, constraint comments_key primary key (document, id),
      constraint comments_in_order unique (document, thread, position)
    )`,
    `create table changes (
      document text not null references documents (id), id text not null, author_id text not null,
      author_name text not null, author_kind text not null, run text, created_at bigint not null, decision text,
      decided_by text, decided_by_name text, decided_at bigint, update_json text,
      constraint changes_key primary key (document, id)
    )`,
  ),
  // The changes of each step of a run, and which of them were undone and redone.
  '0003_undo': statements(
    `alter table runs add column undone integer default 0 not null`,
    `alter table run_steps add column last_seq bigint`,
    `alter table run_steps add column changed integer default 0 not null`,
    `alter table run_steps add column undone integer default 0 not null`,
    `alter table run_steps add column blocks text`,
    `create table run_undos (
      name text not null references logs (name), seq bigint not null, run text not null references runs (id), step text,
      kind text not null, copies text not null, actor text not null, at bigint not null,
      constraint run_undos_key primary key (name, seq)
    )`,
    `create index document_updates_by_run on document_updates (run, name, seq) where run is not null`,
  ),
  // Calls that wait for a person's approval, the total time of a run over several workers, and runs that continue after
  // their limit.
  '0004_approvals': statements(
    `alter table run_steps add column proposal text`,
    `alter table run_steps add column approval text`,
    `alter table run_steps add column approved_arguments text`,
    `alter table runs add column used_ms bigint default 0 not null`,
    `alter table runs add column continued integer default 0 not null`,
  ),
  // Rows of a content log with a part of a call that was never executed, because its worker died while the model wrote
  // the call.
  '0005_cut_rows': statements(
    `create table cut_rows (
      name text not null references logs (name), seq bigint not null, run text not null references runs (id),
      constraint cut_rows_key primary key (name, seq)
    )`,
  ),
  // The newest row of the content log when a change was suggested: later text of other writers in it is their own.
  '0006_change_seq': statements(
    `alter table changes add column seq bigint default 0 not null`,
    `update changes set seq = coalesce((select max(document_updates.seq) from document_updates where
      document_updates.name = changes.document and document_updates.at <= changes.created_at), 0)`,
  ),
  // The number of claims of a run without progress: a run that ends every worker that claims it must end, too.
  '0007_idle_claims': statements(`alter table runs add column idle_claims integer default 0 not null`),
  // The people who have opened a document, mentions, and notifications.
  '0008_notifications': statements(
    `create table document_visits (
      document text not null references documents (id), person text not null references people (id),
      last_at bigint not null, constraint document_visits_key primary key (document, person)
    )`,
    // People who have written into a document have opened it.
    `insert into document_visits (document, person, last_at) select logs.document, people.id,
      max(document_updates.at) from document_updates inner join logs on logs.name = document_updates.name inner join
      people on people.id = document_updates.actor group by logs.document, people.id`,
    `create table notifications (
      id text primary key, person text not null references people (id),
      document text not null references documents (id), kind text not null, place text not null, source text not null,
      thread text, author_id text not null, author_name text not null, excerpt text not null,
      created_at bigint not null, read_at bigint, constraint notifications_once unique (person, document, source)
    )`,
    `create index notifications_by_person on notifications (person, created_at, id)`,
    `alter table comments add column mentions text`,
    `alter table messages add column mentions text`,
  ),
  // Details of a step for display: the answer that made the call, the text before it, and the text that it read or the
  // reason of its failure.
  '0009_step_details': statements(
    `alter table run_steps add column round integer`,
    `alter table run_steps add column said text`,
    `alter table run_steps add column detail text`,
  ),
  // Accounts: the four tables of the authentication library and its columns of `people` (a test compares them to its
  // requirements), and single-use links.
  '0010_accounts': statements(
    `alter table people add column email text`,
    `alter table people add column image text`,
    `alter table people add column email_verified integer default 0 not null`,
    `alter table people add column operator integer default 0 not null`,
    `alter table people add column updated_at bigint`,
    `alter table people add column deactivated_at bigint`,
    `create unique index people_by_email on people (email)`,
    `create table auth_sessions (
      id text primary key, created_at bigint not null, updated_at bigint not null,
      person text not null references people (id) on delete cascade, token text not null unique,
      expires_at bigint not null, address text, user_agent text
    )`,
    `create index auth_sessions_by_person on auth_sessions (person)`,
    `create table auth_accounts (
      id text primary key, created_at bigint not null, updated_at bigint not null,
      person text not null references people (id) on delete cascade, provider text not null, account text not null,
      password text, access_token text, refresh_token text, id_token text, scope text, access_token_expires_at bigint,
      refresh_token_expires_at bigint, constraint auth_accounts_once unique (provider, account)
    )`,
    `create index auth_accounts_by_person on auth_accounts (person)`,
    `create table auth_verifications (
      id text primary key, created_at bigint not null, updated_at bigint not null, identifier text not null,
      value text not null, expires_at bigint not null
    )`,
    `create index auth_verifications_by_identifier on auth_verifications (identifier)`,
    `create table api_keys (
      id text primary key, created_at bigint not null, updated_at bigint not null, config text not null,
      person text not null references people (id) on delete cascade, name text, prefix text, start text,
      key text not null unique, permissions text, metadata text, enabled integer, expires_at bigint,
      last_request bigint, request_count integer, remaining integer, refill_interval bigint, refill_amount integer,
      last_refill_at bigint, rate_limit_enabled integer, rate_limit_time_window bigint, rate_limit_max integer
    )`,
    `create index api_keys_by_person on api_keys (person)`,
    `create table auth_links (
      id text primary key, kind text not null, token_hash text not null, email text, person text references people (id),
      created_by text references people (id), created_at bigint not null, expires_at bigint, used_at bigint,
      used_by text, revoked_at bigint
    )`,
    `create index auth_links_by_kind on auth_links (kind, created_at)`,
  ),
  // Access to documents: by membership, by an email address that has no account yet, or by a share link that a person
  // has opened.
  '0011_rights': statements(
    `alter table people add column guest integer default 0 not null`,
    `create table members (
      document text not null references documents (id), person text not null, role text not null,
      added_by text not null, added_at bigint not null, constraint members_key primary key (document, person)
    )`,
    `create index members_by_person on members (person, document)`,
    `create table pending_members (
      document text not null references documents (id), email text not null, role text not null, added_by text not null,
      added_at bigint not null, constraint pending_members_key primary key (document, email)
    )`,
    `create index pending_members_by_email on pending_members (email)`,
    `create table links (
      id text primary key, document text not null references documents (id), role text not null,
      token_hash text not null unique, created_by text not null, created_at bigint not null, expires_at bigint,
      revoked_at bigint
    )`,
    `create index links_by_document on links (document)`,
    `create index links_by_expiry on links (expires_at)`,
    `create table link_visits (
      link text not null references links (id), person text not null, first_at bigint not null,
      constraint link_visits_key primary key (link, person)
    )`,
    `create index link_visits_by_person on link_visits (person)`,
    `insert into members (document, person, role, added_by, added_at) select id, created_by, 'owner', created_by,
      created_at from documents`,
  ),
  // Versions of documents, and a cache of computed states.
  '0012_versions': statements(
    `create table versions (
      id text primary key, document text not null references documents (id), seq bigint not null, kind text not null,
      name text, created_by text not null, writers text not null, run text, restored text, at bigint not null,
      constraint versions_by_seq unique (document, seq)
    )`,
    `create table version_states (
      document text not null references documents (id), seq bigint not null, state blob not null,
      constraint version_states_key primary key (document, seq)
    )`,
  ),
}
