import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tokens and money by day, which stay when the runs are deleted with their document, and the budgets of operators. */
export const usage: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table usage_days (
        day text not null, person text not null, agent text not null, model text not null, runs integer not null,
        input_tokens bigint not null, output_tokens bigint not null, cost bigint not null,
        primary key (day, person, agent, model)
      )
    `.execute(db)
    await sql`
      insert into usage_days
      select date(created_at / 1000, 'unixepoch'), invoked_by, coalesce(agent, ''), coalesce(model, ''), count(*),
        sum(input_tokens), sum(output_tokens), sum(coalesce(cost, 0))
      from runs where input_tokens + output_tokens > 0 group by 1, 2, 3, 4
    `.execute(db)
    await sql`create table budgets (scope text primary key, tokens bigint, cost bigint)`.execute(db)
  },
}
