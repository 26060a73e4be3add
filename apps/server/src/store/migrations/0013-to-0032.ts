import type { Migration } from 'kysely/migration'
import { statements } from './statements.ts'

/** The migrations from 0013 to 0032 that consist of SQL only. */
export const secondMigrations: Record<string, Migration> = {
  // The audit log: triggers refuse to change or delete its rows.
  '0013_audit': statements(
    `create table audit (
      id text primary key, at bigint not null, actor text, action text not null, document text, target text,
      address text, details text
    )`,
    `create index audit_by_time on audit (at, id)`,
    `create index audit_by_document on audit (document, at)`,
    `create index audit_by_actor on audit (actor, at)`,
    `create trigger audit_no_update before update on audit
      begin select raise(abort, 'the audit log is never changed'); end`,
    `create trigger audit_no_delete before delete on audit
      begin select raise(abort, 'the audit log is never changed'); end`,
  ),
  // The first sender under each Yjs client id.
  '0014_document_clients': statements(
    `create table document_clients (
      name text not null, client bigint not null, owner text not null, key_hash text, at bigint not null,
      constraint document_clients_key primary key (name, client)
    )`,
  ),
  // The contributors to suggested changes, other than their authors.
  '0015_change_hands': statements(
    `create table change_hands (
      document text not null references documents (id), change text not null, writer text not null,
      author_id text not null, author_name text not null, author_kind text not null, run text, at bigint not null,
      constraint change_hands_key primary key (document, change, writer)
    )`,
  ),
  // Whether the editors of a document may share it; true unless its owners decide otherwise.
  '0016_editors_share': statements(`alter table documents add column editors_share integer default 1 not null`),
  // Storage use of images and logs, and the bytes that each account adds per day.
  '0017_quotas': statements(
    `create table images (
      document text not null, name text not null, bytes bigint not null, account text not null,
      stored_at bigint not null, constraint images_key primary key (document, name)
    )`,
    `create table image_usage (subject text primary key, bytes bigint not null)`,
    `create table log_usage (name text primary key, bytes bigint not null, seq bigint not null)`,
    `create table log_days (
      account text not null, day bigint not null, bytes bigint not null,
      constraint log_days_key primary key (account, day)
    )`,
    `create index documents_by_creator on documents (created_by)`,
  ),
  // The positions of stored images in logs, as far as they have been scanned.
  '0018_image_mentions': statements(
    `create table image_mentions (
      log text not null, client bigint not null, clock bigint not null, name text not null, length bigint not null,
      added_seq bigint not null, by_run integer default 0 not null, removed_seq bigint, removed_at bigint,
      constraint image_mentions_key primary key (log, client, clock, name)
    )`,
    `create index image_mentions_by_name on image_mentions (name)`,
    `create table image_scans (log text primary key, seq bigint not null)`,
  ),
  // The origin of a run (the API key, and the access of its caller at that time), the API key with which a comment was
  // written, and the text around a mention that other people wrote.
  '0019_run_credentials': statements(
    // Earlier runs were started by people: their access depends only on the roles.
    `alter table runs add column access_limit text default 'write' not null`,
    `alter table runs add column api_key text`,
    `alter table runs add column context text`,
    `alter table comments add column api_key text`,
    `create index api_keys_by_expiry on api_keys (expires_at)`,
  ),
  // Mentions that were sent but never start a run.
  '0020_unstarted_mentions': statements(
    `create table unstarted_mentions (
      document text not null, request_id text not null, sender text not null, reason text not null, at bigint not null,
      shown integer default 0 not null, constraint unstarted_mentions_key primary key (document, request_id)
    )`,
    `create index unstarted_mentions_by_shown on unstarted_mentions (shown, document)`,
  ),
  // The integration steps of the items of a snapshot, see `TrialIntegration`.
  '0025_snapshot_steps': statements(`alter table document_snapshots add column steps bigint default 0 not null`),
  // Renames the table of contributors to suggested changes after its content.
  '0026_change_contributors': statements(`alter table change_hands rename to change_contributors`),
  // The wording that a comment proposes for the text of its thread, and the suggested change that was created from it.
  '0027_proposed_wording': statements(
    `alter table comments add column replacement text`,
    `alter table comments add column suggested text`,
  ),
  // Rows of a content log with which a run decided on suggested changes, so that undo of the run reverts them.
  '0028_run_decisions': statements(
    `create table run_decisions (
      name text not null references logs (name), seq bigint not null, run text not null references runs (id),
      constraint run_decisions_key primary key (name, seq)
    )`,
    `create index run_decisions_by_run on run_decisions (run, name, seq)`,
  ),
  // The time of the author's last change of a comment, and the reactions with their emoji and people, as JSON.
  '0029_comment_edits': statements(
    `alter table comments add column edited_at bigint`,
    `alter table comments add column reactions text`,
  ),
  // The first words of a document's text, and whether it was created empty and never changed.
  '0030_first_words': statements(
    `alter table documents add column first_words text default '' not null`,
    `alter table documents add column untouched integer default 0 not null`,
  ),
  // Whether a person wants mails about notifications, and the time when a notification was mailed.
  '0031_mails': statements(
    `alter table people add column mails integer default 1 not null`,
    `alter table notifications add column mailed_at bigint`,
    `create index notifications_by_time on notifications (created_at)`,
  ),
  // Folders. Roles belong to a document or a folder, whose id is `item`.
  '0032_folders': statements(
    `create table folders (
      id text primary key, name text not null, parent text references folders (id),
      inherits text default 'owner' not null, created_by text not null, created_at bigint not null, trashed_at bigint
    )`,
    `create index folders_by_parent on folders (parent)`,
    `create index folders_by_creator on folders (created_by)`,
    `alter table documents add column folder text references folders (id)`,
    `alter table documents add column inherits text default 'owner' not null`,
    `create index documents_by_folder on documents (folder)`,
    `alter table members rename to members_before`,
    `create table members (
      item text not null, person text not null, role text not null, added_by text not null, added_at bigint not null,
      constraint members_of_items_key primary key (item, person)
    )`,
    `insert into members (item, person, role, added_by, added_at) select document, person, role, added_by, added_at
      from members_before`,
    `drop table members_before`,
    `create index members_by_person on members (person, item)`,
    `alter table pending_members rename to pending_members_before`,
    `create table pending_members (
      item text not null, email text not null, role text not null, added_by text not null, added_at bigint not null,
      constraint pending_members_of_items_key primary key (item, email)
    )`,
    `insert into pending_members (item, email, role, added_by, added_at) select document, email, role, added_by,
      added_at from pending_members_before`,
    `drop table pending_members_before`,
    `create index pending_members_by_email on pending_members (email)`,
  ),
}
