import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The maximum number of waiting deliveries of one webhook; further events are counted and dropped. */
const waitingAtMost = 1000

/**
 * Webhooks and their deliveries. Triggers insert the deliveries, so that every event of a committed transaction has one
 * and no event of a transaction that was rolled back, independently of the writing thread.
 */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    await createTables(db)
    for (const [name, when, event, data] of triggers) {
      const row = name.includes('delete') ? 'old' : 'new'
      const document = sql.raw(`${row}.document`)
      await sql`
        create trigger ${sql.ref(`webhooks_${name}`)} ${sql.raw(when)}
        begin ${note(event, document, sql.raw(data))} end
      `.execute(db)
    }
  },
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id text primary key, url text not null, events text not null, description text not null, active integer not null,
      stopped text, secret_version integer not null default 1, secret_at bigint not null, failing_since bigint,
      dropped integer not null default 0, created_by text not null, created_at bigint not null
    )
  `.execute(db)
  await sql`
    create table webhook_deliveries (
      seq integer primary key autoincrement, id text not null unique, webhook text not null, event text not null,
      document text, data text not null, state text not null, attempts integer not null default 0,
      created_at bigint not null, due_at bigint not null, attempted_at bigint, status integer, duration_ms integer,
      error text
    )
  `.execute(db)
  await sql`create index webhook_deliveries_by_webhook on webhook_deliveries (webhook, seq)`.execute(db)
  await sql`
    create index webhook_deliveries_waiting on webhook_deliveries (webhook, due_at, seq) where state = 'pending'
  `.execute(db)
  await sql`
    create index webhook_deliveries_of_text on webhook_deliveries (webhook, document)
    where state = 'pending' and attempts = 0 and event = 'doc_update'
  `.execute(db)
}

const isThere = (row: 'new' | 'old'): string =>
  `exists (select 1 from documents where id = ${row}.document and deleted_at is null)`
const run = `json_object('document', new.document, 'run', new.id, 'status', new.status, 'mode', new.mode,
  'trigger', new.trigger_kind, 'invokedBy', new.invoked_by)`
const message = `json_object('document', new.document, 'message', new.id, 'role', new.role, 'author', new.author_id,
  'run', new.run)`
const thread = (what: string): string => `json_object('document', new.document, 'thread', new.id, 'what', ${what})`
const comment = (row: 'new' | 'old', what: string): string =>
  `json_object('document', ${row}.document, 'thread', ${row}.thread, 'what', ${what}, 'comment', ${row}.id,
  'author', ${row}.author_id, 'run', ${row}.run)`
const version = `json_object('document', new.document, 'version', new.id, 'kind', new.kind, 'run', new.run)`
const text = `json_object('document', new.document)`

// For each trigger its name, its condition, the event, and the event's data: ids and the kind of change, no text.
const triggers: readonly [name: string, when: string, event: string, data: string][] = [
  ['run_insert', 'after insert on runs', 'run', run],
  ['run_status', 'after update of status on runs when new.status <> old.status', 'run', run],
  ['message_insert', `after insert on messages when new.status = 'complete'`, 'message', message],
  [
    'message_status',
    `after update of status on messages when new.status = 'complete' and old.status <> 'complete'`,
    'message',
    message,
  ],
  [
    'comment_insert',
    'after insert on comments',
    'thread',
    comment('new', `iif(new.position = 0, 'created', 'replied')`),
  ],
  ['comment_text', 'after update of text on comments when new.text <> old.text', 'thread', comment('new', `'edited'`)],
  ['comment_delete', `after delete on comments when ${isThere('old')}`, 'thread', comment('old', `'deleted'`)],
  [
    'thread_resolved',
    'after update of resolved on threads when new.resolved <> old.resolved',
    'thread',
    thread(`iif(new.resolved, 'resolved', 'reopened')`),
  ],
  ['version_insert', 'after insert on versions', 'version', version],
  [
    'version_name',
    'after update of name on versions when new.name is not null and new.name is not old.name',
    'version',
    version,
  ],
  // The name of a content log is the id of its document; the name of a room's log isn't.
  ['text_insert', 'after insert on logs when new.name = new.document', 'doc_update', text],
  ['text_update', 'after update of seq on logs when new.name = new.document and new.seq > old.seq', 'doc_update', text],
]

/**
 * Inserts a delivery for each webhook that subscribes to the event. A change of a document's text is omitted if an
 * earlier one of that document has not been sent yet.
 */
function note(event: string, document: ReturnType<typeof sql.raw>, data: ReturnType<typeof sql.raw>) {
  const kind = sql.raw(`'${event}'`)
  const at = sql.raw(`cast(round(unixepoch('subsec') * 1000) as integer)`)
  const wants = sql.raw(`active = 1 and instr(events, '"${event}"') > 0`)
  const waiting = sql.raw(`webhook_deliveries where webhook = webhooks.id and state = 'pending'`)
  const isFull = sql`exists (select 1 from ${waiting} limit 1 offset ${sql.lit(waitingAtMost - 1)})`
  const isNoted =
    event === 'doc_update'
      ? sql`exists (select 1 from ${waiting} and attempts = 0 and event = 'doc_update' and document = ${document})`
      : sql`0`
  return sql`
    update webhooks set dropped = dropped + 1 where ${wants} and not ${isNoted} and ${isFull};
    insert into webhook_deliveries (id, webhook, event, document, data, state, created_at, due_at)
    select 'msg_' || lower(hex(randomblob(16))), id, ${kind}, ${document}, ${data}, 'pending', ${at}, ${at}
    from webhooks where ${wants} and not ${isNoted} and not ${isFull};
  `
}
