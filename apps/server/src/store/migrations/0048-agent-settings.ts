import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What operators set for all runs, and what people set for their own. */
export const agentSettings: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table agent_settings (
        id integer primary key check (id = 1), limits text not null, instructions text not null, files text not null
      )
    `.execute(db)
    await sql`insert into agent_settings values (1, '{}', '', '[]')`.execute(db)
    await sql`
      create table agent_preferences (person text primary key, instructions text not null, files text not null)
    `.execute(db)
  },
}
