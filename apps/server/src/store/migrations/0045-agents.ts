import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The maximum number of waiting events of one trigger; later events are dropped. */
const waitingAtMost = 100

/**
 * Named agents, their triggers, and the waiting events. Triggers of the database insert the events in the transactions
 * that cause them. Writes of agents and documents created by programs cause no events.
 */
export const agents: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table runs add column agent_handle text`.execute(db)
    await sql`create index runs_of_agent on runs (agent, created_at) where agent is not null`.execute(db)
    // One comment may start several agents; any other request starts one run.
    await sql`drop index runs_by_trigger`.execute(db)
    await sql`
      create unique index runs_by_trigger
      on runs (document, trigger_kind, trigger_id, iif(trigger_kind = 'comment', coalesce(agent, ''), ''))
    `.execute(db)
    await createTables(db)
    await note(db, 'comment', 'after insert on comments', `new.author_kind = 'person' and new.run is null`, 'new.id')
    const moved = `new.folder is not null and new.trashed_at is null and new.deleted_at is null`
    await note(db, 'document', 'after insert on documents', moved, 'new.id')
    await note(
      db,
      'moved',
      'after update of folder on documents',
      `${moved} and new.folder is not old.folder`,
      'new.id',
    )
  },
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agents (
      id text primary key, handle text not null, name text not null, description text not null, color text not null,
      picture text, instructions text not null, model text, tools text, mode text, daily_tokens bigint,
      max_rounds integer, folders text, enabled integer not null, created_by text not null, created_at bigint not null,
      updated_at bigint not null, deleted_at bigint
    )
  `.execute(db)
  await sql`create unique index agents_by_handle on agents (handle) where deleted_at is null`.execute(db)
  await sql`
    create table agent_triggers (
      id text primary key, agent text not null, position integer not null, kind text not null, document text,
      folder text, cron text, zone text, instruction text not null, owner text not null, next_at bigint,
      last_at bigint, last_run text, failures integer not null default 0, problem text
    )
  `.execute(db)
  await sql`create index agent_triggers_of_agent on agent_triggers (agent, position)`.execute(db)
  await sql`create index agent_triggers_due on agent_triggers (next_at) where next_at is not null`.execute(db)
  await sql`
    create table agent_events (
      seq integer primary key autoincrement, trigger text not null, document text not null, source text not null
    )
  `.execute(db)
  await sql`create index agent_events_of_trigger on agent_events (trigger, seq)`.execute(db)
}

/**
 * Creates a database trigger that inserts an event for each trigger of an enabled agent; the agent's access is checked
 * later.
 */
async function note(db: Kysely<unknown>, name: string, when: string, condition: string, source: string): Promise<void> {
  const kind = name === 'comment' ? 'comment' : 'document'
  const document = kind === 'comment' ? 'new.document' : 'new.id'
  await sql`
    create trigger ${sql.ref(`agents_${name}`)} ${sql.raw(when)} when ${sql.raw(condition)}
    begin
      insert into agent_events (trigger, document, source)
      select agent_triggers.id, ${sql.raw(document)}, ${sql.raw(source)} from agent_triggers
      join agents on agents.id = agent_triggers.agent and agents.enabled = 1 and agents.deleted_at is null
      where agent_triggers.kind = ${sql.lit(kind)}
        and (select count(*) from agent_events where trigger = agent_triggers.id) < ${sql.lit(waitingAtMost)};
    end
  `.execute(db)
}
