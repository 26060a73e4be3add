import type { Migration } from 'kysely/migration'
import { statements } from './statements.ts'

/** The migrations from 0036 to 0050 that consist of SQL only. */
export const latestMigrations: Record<string, Migration> = {
  // The conversation of a chat message and of its run; null for the first conversation of a document.
  '0036_conversations': statements(
    `alter table messages add column conversation text`,
    `alter table runs add column conversation text`,
  ),
  // The translatable summary of a step, null for steps of earlier versions; and the language of a person's mails, null
  // until it is known.
  '0037_languages': statements(
    `alter table run_steps add column localizable text`,
    `alter table people add column language text`,
  ),
  // Changes of project files that calls of runs propose, and the written texts.
  '0038_file_proposals': statements(
    `create table file_proposals (
      run text not null references runs (id), call text not null, path text not null, description text not null,
      base text, content text not null, written text, constraint file_proposals_key primary key (run, call)
    )`,
  ),
  // Runs of outside agents: the name of the agent, and its calls.
  '0039_outside_agents': statements(
    `alter table runs add column agent_name text`,
    `create table run_calls (
      run text not null references runs (id), position integer not null, id text not null, tool text not null,
      arguments text not null, at bigint not null, constraint run_calls_key primary key (run, position)
    )`,
    `create index run_calls_by_id on run_calls (id)`,
  ),
  // The agent and the model of a run, and the cost of its tokens.
  '0043_run_agents': statements(
    `alter table runs add column agent text`,
    `alter table runs add column model text`,
    `alter table runs add column cost bigint`,
  ),
  // Providers of models that operators have added, and their models with prices.
  '0044_models': statements(
    `create table model_providers (
      id text primary key, name text not null, service text not null, base_url text, api_key text, key_end text,
      created_by text not null, created_at bigint not null
    )`,
    `create table provider_models (
      provider text not null, model text not null, input_price real, output_price real, temperature real,
      max_output_tokens integer, is_default integer not null default 0, created_at bigint not null,
      primary key (provider, model)
    )`,
    `create unique index provider_models_default on provider_models (is_default) where is_default = 1`,
  ),
  // Tokens and money by day, which are kept when the runs are deleted with their document, and the budgets of
  // operators.
  '0046_usage': statements(
    `create table usage_days (
      day text not null, person text not null, agent text not null, model text not null, runs integer not null,
      input_tokens bigint not null, output_tokens bigint not null, cost bigint not null,
      primary key (day, person, agent, model)
    )`,
    `insert into usage_days select date(created_at / 1000, 'unixepoch'), invoked_by, coalesce(agent, ''),
      coalesce(model, ''), count(*), sum(input_tokens), sum(output_tokens), sum(coalesce(cost, 0)) from runs where
      input_tokens + output_tokens > 0 group by 1, 2, 3, 4`,
    `create table budgets (scope text primary key, tokens bigint, cost bigint)`,
  ),
  // Tool servers, their tools, policies of tools, and which calls were sent to a tool server.
  '0047_tool_servers': statements(
    `create table tool_servers (
      name text primary key, kind text not null, url text, header text, token text, enabled integer not null default 1,
      failures integer not null default 0, failed_at bigint, down_since bigint, down_reason text, down_detail text,
      reached_at bigint, left_out integer not null default 0, version integer not null default 1, created_by text,
      created_at bigint not null
    )`,
    `create table foreign_tools (
      server text not null, name text not null, offered_as text not null, description text not null,
      schema text not null, problem text, policy text not null, changed text, gone integer not null default 0,
      primary key (server, name)
    )`,
    `create table tool_policies (tool text primary key, policy text not null)`,
    `alter table run_steps add column sent_at bigint`,
  ),
  // The settings of operators for all runs, and of people for their own runs.
  '0048_agent_settings': statements(
    `create table agent_settings (
      id integer primary key check (id = 1), limits text not null, instructions text not null, files text not null
    )`,
    `insert into agent_settings values (1, '{}', '', '[]')`,
    `create table agent_preferences (person text primary key, instructions text not null, files text not null)`,
  ),
  // Rows that restored a version: the row of that version, and the copies of ids that they made.
  '0049_restored_rows': statements(
    `create table restored_rows (
      name text not null references logs (name), seq bigint not null, version bigint not null, copies text not null,
      constraint restored_rows_key primary key (name, seq)
    )`,
  ),
  // Budgets of single people, the window of each model, and the name of the last agent that edited a document.
  '0050_own_budgets': statements(
    `create table person_budgets (person text primary key, tokens bigint, cost bigint)`,
    `alter table documents add column edited_name text`,
    `alter table provider_models add column context_tokens integer`,
  ),
  // The names of objects that were deleted are looked up where they were recorded.
  '0051_audit_creations': statements(
    `create index audit_creations on audit (target)
      where action in ('invitation-made', 'key-made', 'provider-made', 'webhook-made')`,
  ),
}
