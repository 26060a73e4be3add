import type { Generated } from 'kysely'

/** Tables of models. Times, ids and JSON as in `Tables`. */
export type ModelTables = {
  /**
   * Providers that operators have added. `service` is the id of a service of `@copydesk/agent`; without `base_url` its
   * own address is used. `api_key` is sealed (`common/sealing.ts`); `key_end` are its last characters, for people.
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
   * only hold the price and window of a model that the environment has set. At most one row is the default.
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
}
