import type { Inherits, LinkRole, Role, VersionKind } from '@copydesk/protocol'
import type { Generated } from 'kysely'

/** Tables of documents: their logs, rights, versions and stored images. Times, ids and JSON as in `Tables`. */
export type DocumentTables = {
  documents: {
    id: string
    title: string
    /** The title in lists in the form for search, see `foldText`. */
    folded_title: string
    /** The title in lists in the form for sorting, see `sortKey`. */
    sort_title: Generated<string>
    /** The first words of the text in the last snapshot: the name in lists of a document without a title. */
    first_words: Generated<string>
    /** The beginning of the text without the title in the last snapshot; null until a snapshot contains it. */
    preview: Generated<string | null>
    /** Whether it was created empty and neither its text nor its title has changed since. */
    untouched: Generated<number>
    agent_mode: 'edit' | 'suggest' | 'ask'
    created_by: string
    created_at: number
    updated_at: number
    /** The author of the newest change of the content: a person's id, or `agent`. */
    edited_by: Generated<string | null>
    /** The name of the named or outside agent that edited it last. */
    edited_name: Generated<string | null>
    trashed_at: number | null
    /** Set when the document is permanently deleted, until all its data is removed: nobody can open it any more. */
    deleted_at: Generated<number | null>
    folder: Generated<string | null>
    /** The highest role that people get from the folder. */
    inherits: Generated<Inherits>
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
  /**
   * `state` contains all updates up to `seq`; `text` is the text for search (lower case), `shown_text` the same text as
   * search results show it, with its characters at the same positions (see `showableText`).
   */
  document_snapshots: {
    name: string
    seq: number
    state: Uint8Array
    text: string
    shown_text: Generated<string>
    at: number
    steps: Generated<number>
  }
  folders: {
    id: string
    name: string
    parent: string | null
    /** The highest role that people get from the parent folder. */
    inherits: Generated<Inherits>
    created_by: string
    created_at: number
    trashed_at: Generated<number | null>
  }
  /**
   * The roles given directly to people, not by a link or a folder. `item` is a document or a folder, which have at
   * least one owner each.
   */
  members: { item: string; person: string; role: Role; added_by: string; added_at: number }
  /** Roles of email addresses that have no account yet. */
  pending_members: { item: string; email: string; role: Role; added_by: string; added_at: number }
  /** Share links. A token is derived from the link's id; its SHA-256 is stored for lookup. */
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
  stars: { person: string; document: string; at: number }
  /** The people who have opened a document, and the time of their last visit. */
  document_visits: { document: string; person: string; last_at: number }
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
  /** The content at a version, stored if its computation takes long. */
  version_states: { document: string; seq: number; state: Uint8Array }
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
  /** The size of a log's rows up to `seq`; recomputed if it is missing. */
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
