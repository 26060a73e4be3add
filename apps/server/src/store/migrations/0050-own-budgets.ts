import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Budgets of single people, and the window of each model. */
export const ownBudgets: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table person_budgets (person text primary key, tokens bigint, cost bigint)`.execute(db)
    await sql`alter table provider_models add column context_tokens integer`.execute(db)
  },
}
