import { type ModelFailure, type ModelProvider, services } from '@copydesk/agent'
import { createBuiltinProvider } from '@copydesk/builtin-agent'
import type { ModelRef } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import type { ModelProviderRow, ProviderModelRow, Tables } from '../store/tables.ts'
import type { ModelKeys } from './model-keys.ts'
import { builtinRef, environmentRef, readModelRef, toModelRef } from './model-ref.ts'
import { createFailingProvider, explainFailures } from './provider-wrappers.ts'

/** The price of a million tokens of a model, in the currency of all prices of the server. */
export type ModelPrice = { inputPerMillion: number; outputPerMillion: number }

/** A model for runs. `provider.model` is its name in its service, `label` its name for people. */
export type Model = {
  ref: ModelRef
  label: string
  provider: ModelProvider
  price: ModelPrice | undefined
  /** The largest request, in tokens. */
  contextTokens: number
}

export type ModelsDeps = {
  db: Kysely<Tables>
  keys: ModelKeys
  /** The model configured by the environment; undefined if there is none. */
  environment: ModelProvider | undefined
  /** The largest request to a model without a window of its own, in tokens. */
  contextTokens: number
}

type WindowedPrice = Pick<ProviderModelRow, 'input_price' | 'output_price' | 'context_tokens'>
type Settings = Pick<ModelProviderRow, 'id' | 'name' | 'service' | 'base_url' | 'api_key'> & ProviderModelRow

/**
 * The models that runs may use: those of the providers that operators have added, that of the environment, and the
 * built-in agent. Every call reads the store, so that all threads apply a change immediately.
 */
export class Models {
  readonly #deps: ModelsDeps
  readonly #builtin = createBuiltinProvider()
  // A provider remembers which request fields its service refuses, so one is cached for each reference until its
  // settings change.
  readonly #known = new Map<ModelRef, { settings: string; provider: ModelProvider }>()

  constructor(deps: ModelsDeps) {
    this.#deps = deps
  }

  /**
   * The model of a reference; null is the server's default. A model that was removed, or whose key can't be read, is
   * returned, too: every call of it fails with a text for people that tells operators what to do.
   */
  async find(ref: ModelRef | null): Promise<Model> {
    const wanted = ref ?? (await this.defaultRef())
    if (wanted === builtinRef) return this.#own(builtinRef, this.#builtin, undefined)
    const { environment, contextTokens } = this.#deps
    if (wanted === environmentRef) {
      if (!environment) return { ...failing(wanted, missingEnvironment), contextTokens }
      return this.#own(wanted, environment, await this.#settingsOf(wanted))
    }
    const { provider, model } = readModelRef(wanted)
    const row = await this.#configured()
      .where('provider_models.provider', '=', provider)
      .where('model', '=', model)
      .executeTakeFirst()
    if (!row) return { ...failing(wanted, removed), contextTokens }
    return {
      ref: wanted,
      label: labelOf(row),
      provider: this.#providerOf(wanted, row),
      price: toPrice(row),
      contextTokens: row.context_tokens ?? contextTokens,
    }
  }

  /** The models that can be chosen for an agent, with their names for people. */
  async list(): Promise<{ ref: ModelRef; label: string }[]> {
    const rows = await this.#configured().orderBy('model_providers.created_at').orderBy('model').execute()
    const { environment } = this.#deps
    return [
      ...(environment ? [{ ref: environmentRef, label: environmentLabel(environment) }] : []),
      ...rows.map((row) => ({ ref: toModelRef(row), label: labelOf(row) })),
      { ref: builtinRef, label: builtinLabel },
    ]
  }

  async #settingsOf(wanted: ModelRef) {
    const { provider, model } = readModelRef(wanted)
    const name = wanted === environmentRef ? this.#deps.environment?.model : model
    return this.#deps.db
      .selectFrom('provider_models')
      .select(['input_price', 'output_price', 'context_tokens'])
      .where('provider', '=', provider)
      .where('model', '=', name ?? '')
      .executeTakeFirst()
  }

  /** The default: the one that operators have chosen, else that of the environment, else the built-in agent. */
  async defaultRef(): Promise<ModelRef> {
    const row = await this.#configured().where('is_default', '=', 1).executeTakeFirst()
    return row ? toModelRef(row) : this.fallbackRef
  }

  /** The default if operators have chosen none. */
  get fallbackRef(): ModelRef {
    return this.#deps.environment ? environmentRef : builtinRef
  }

  #own(ref: ModelRef, provider: ModelProvider, row: WindowedPrice | undefined): Model {
    return {
      ref,
      label: ref === builtinRef ? builtinLabel : environmentLabel(provider),
      provider,
      price: row && toPrice(row),
      contextTokens: row?.context_tokens ?? this.#deps.contextTokens,
    }
  }

  #configured() {
    return this.#deps.db
      .selectFrom('provider_models')
      .innerJoin('model_providers', 'model_providers.id', 'provider_models.provider')
      .selectAll('provider_models')
      .select(['model_providers.id', 'name', 'service', 'base_url', 'api_key'])
  }

  #providerOf(ref: ModelRef, row: Settings): ModelProvider {
    const { service, base_url, api_key, model, temperature, max_output_tokens } = row
    const settings = JSON.stringify([service, base_url, api_key, temperature, max_output_tokens])
    const known = this.#known.get(ref)
    if (known?.settings === settings) return known.provider
    const apiKey = this.#deps.keys.open(row)
    const provider =
      apiKey === undefined
        ? createFailingProvider(service, model, lockedKey)
        : createStoredProvider({ service, base_url, model, temperature, max_output_tokens }, apiKey)
    this.#known.set(ref, { settings, provider })
    return provider
  }
}

/** The model of a provider that an operator has added, with its key. */
function createStoredProvider(
  row: Pick<Settings, 'service' | 'base_url' | 'model' | 'temperature' | 'max_output_tokens'>,
  apiKey: string | null,
): ModelProvider {
  const service = services.find(({ id }) => id === row.service)
  if (!service) return createFailingProvider(row.service, row.model, removed)
  const provider = service.create({
    apiKey: apiKey ?? undefined,
    baseURL: row.base_url ?? undefined,
    model: row.model,
    temperature: row.temperature ?? undefined,
    maxOutputTokens: row.max_output_tokens ?? undefined,
  })
  return explainFailures(provider, { key: apiKey, setAnother: 'An operator sets another on the page “Models”.' })
}

/** The name of the built-in agent for people. */
export const builtinLabel = 'Built-in agent'

function environmentLabel({ model }: ModelProvider): string {
  return `${model} (environment)`
}

function labelOf({ model, name }: Pick<Settings, 'model' | 'name'>): string {
  return `${model} (${name})`
}

function toPrice({ input_price, output_price }: Pick<ProviderModelRow, 'input_price' | 'output_price'>) {
  if (input_price === null && output_price === null) return undefined
  return { inputPerMillion: input_price ?? 0, outputPerMillion: output_price ?? 0 }
}

function failing(ref: ModelRef, failure: ModelFailure): Omit<Model, 'contextTokens'> {
  const { provider, model } = readModelRef(ref)
  return { ref, label: model || provider, provider: createFailingProvider(provider, model, failure), price: undefined }
}

const removed: ModelFailure = {
  code: 'invalid_request',
  message: 'The model of this agent was removed. An operator adds it again on the page “Models”, or chooses another.',
  retryable: false,
}
const missingEnvironment: ModelFailure = {
  code: 'invalid_request',
  message: 'The environment sets no model any more. An operator chooses one on the page “Models”.',
  retryable: false,
}
/** The failure of a model whose key was stored under another secret. */
export const lockedKey: ModelFailure = {
  code: 'unauthorized',
  message: 'The key of this model can’t be read any more. An operator enters it again on the page “Models”.',
  retryable: false,
}
