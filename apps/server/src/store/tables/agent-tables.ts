import type { AgentMode, BudgetScope } from '@copydesk/protocol'
import type { Generated } from 'kysely'

/**
 * Tables of named agents, of operators' settings for runs, of models, and of the usage of runs. Times, ids and JSON as
 * in `Tables`. Money is in millionths of the currency of the configured prices.
 */
export type AgentTables = {
  /**
   * `tools` and `folders` are JSON lists of names and ids, null for all. A deleted agent keeps its row, so that its
   * text keeps its colour.
   */
  agents: {
    id: string
    handle: string
    name: string
    description: string
    color: string
    picture: string | null
    instructions: string
    /** The reference of a configured model; null for the model of the default agent. */
    model: string | null
    tools: string | null
    mode: AgentMode | null
    daily_tokens: number | null
    max_rounds: number | null
    folders: string | null
    enabled: number
    created_by: string
    created_at: number
    updated_at: number
    deleted_at: Generated<number | null>
  }
  /**
   * Triggers of named agents, whose runs have the rights of `owner`. A schedule is due at `next_at`; another trigger
   * waits until then after a failure.
   */
  agent_triggers: {
    id: string
    agent: string
    position: number
    kind: 'schedule' | 'comment' | 'document'
    document: string | null
    folder: string | null
    cron: string | null
    zone: string | null
    instruction: string
    owner: string
    next_at: number | null
    last_at: Generated<number | null>
    /** The trigger's latest run, until the run has ended and its outcome is stored here. */
    last_run: Generated<string | null>
    /** The number of consecutive failures to start a run, or failed runs. */
    failures: Generated<number>
    /** Why the latest start failed: a text, or the JSON of a `Localizable`. */
    problem: Generated<string | null>
  }
  /**
   * Comments and documents for which triggers have not started a run yet; `source` is the comment's or document's id.
   */
  agent_events: { seq: Generated<number>; trigger: string; document: string; source: string }
  /**
   * The operators' settings for all runs, in one row. `limits` is JSON, the changed limits by name; `files` is JSON, a
   * list of paths.
   */
  agent_settings: { id: number; limits: string; instructions: string; files: string }
  /** People's settings for the runs that they start; `files` as above. */
  agent_preferences: { person: string; instructions: string; files: string }
  /**
   * Providers that operators have added. `service` is the id of a service of `@copydesk/agent`; without `base_url` the
   * service's own address is used. `api_key` is sealed (`common/sealing.ts`); `key_end` is the end of the key, shown to
   * operators.
   */
  model_providers: {
    id: string
    name: string
    service: string
    base_url: string | null
    api_key: string | null
    key_end: string | null
    created_by: string
    created_at: number
  }
  /**
   * The models of each provider that runs may use. Prices are per million tokens. Rows of the provider `environment`
   * only contain the price and window of a model that the environment has set. At most one row is the default.
   */
  provider_models: {
    provider: string
    model: string
    input_price: number | null
    output_price: number | null
    temperature: number | null
    max_output_tokens: number | null
    /** The largest request, in tokens; null for the server's default. */
    context_tokens: number | null
    is_default: Generated<number>
    created_at: number
  }
  /**
   * The usage of runs in a day (UTC), as `2026-11-24`, by caller, agent and model. `agent` is empty for the server's
   * default agent, `model` for runs of versions that did not store it. A run counts on the day of its first answer.
   */
  usage_days: {
    day: string
    person: string
    agent: string
    model: string
    runs: number
    input_tokens: number
    output_tokens: number
    cost: number
  }
  /** The operators' budgets; null is unlimited. */
  budgets: { scope: BudgetScope; tokens: number | null; cost: number | null }
  /** The daily budgets of single people, which replace the general one. */
  person_budgets: { person: string; tokens: number | null; cost: number | null }
}
