import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Budgets of single people, the window of each model, and the name of the agent that has edited a document last. */
export const ownBudgets: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table person_budgets (person text primary key, tokens bigint, cost bigint)`.execute(db)
    await sql`alter table documents add column edited_name text`.execute(db)
    await sql`alter table provider_models add column context_tokens integer`.execute(db)
  },
}
