import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Providers of models that operators have added, and their models with prices. */
export const models: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table model_providers (
        id text primary key, name text not null, service text not null, base_url text, api_key text, key_end text,
        created_by text not null, created_at bigint not null
      )
    `.execute(db)
    await sql`
      create table provider_models (
        provider text not null, model text not null, input_price real, output_price real, temperature real,
        max_output_tokens integer, is_default integer not null default 0, created_at bigint not null,
        primary key (provider, model)
      )
    `.execute(db)
    await sql`create unique index provider_models_default on provider_models (is_default) where is_default = 1`.execute(
      db,
    )
  },
}
