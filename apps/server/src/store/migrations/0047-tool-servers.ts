import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tool servers, their tools, policies of tools, and which calls were sent to a tool server. */
export const toolServers: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table tool_servers (
        name text primary key, kind text not null, url text, header text, token text, enabled integer not null default 1,
        failures integer not null default 0, failed_at bigint, down_since bigint, down_reason text, down_detail text,
        reached_at bigint, left_out integer not null default 0, version integer not null default 1,
        created_by text, created_at bigint not null
      )
    `.execute(db)
    await sql`
      create table foreign_tools (
        server text not null, name text not null, offered_as text not null, description text not null,
        schema text not null, problem text, policy text not null, changed text, gone integer not null default 0,
        primary key (server, name)
      )
    `.execute(db)
    await sql`create table tool_policies (tool text primary key, policy text not null)`.execute(db)
    await db.schema.alterTable('run_steps').addColumn('sent_at', 'bigint').execute()
  },
}
