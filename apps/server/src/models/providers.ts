import { listModels, type ModelProvider, services } from '@copydesk/agent'
import type {
  CreateProvider,
  ModelRef,
  ModelTest,
  OfferedModels,
  PatchProvider,
  Provider,
  ProviderList,
  PutModel,
} from '@copydesk/protocol'
import type { Kysely, Transaction } from 'kysely'
import { localizable } from '@copydesk/tools/localizable'
import { noSuch, RequestError } from '../common/errors.ts'
import type { ModelProviderRow, ProviderModelRow, Tables } from '../store/tables.ts'
import { haveSameKey, type ModelKeys } from './model-keys.ts'
import { builtinRef, environmentRef, readModelRef, toModelRef } from './model-ref.ts'
import { builtinLabel, lockedKey, type Models } from './models.ts'
import { withoutKey } from './provider-wrappers.ts'
import { explainFailure, testModel } from './test-model.ts'

export type ProvidersDeps = {
  db: Kysely<Tables>
  keys: ModelKeys
  models: Models
  environment: ModelProvider | undefined
  contextTokens: number
  now: () => number
  /** Monotonic clock, in milliseconds. */
  elapsed: () => number
  createId: () => string
}

const providersAtMost = 50
const modelsAtMost = 50
const listWithinMs = 10_000
/** The last characters of a shorter key would reveal too much of it. */
const shownKeyLength = 12

/** The providers of models that operators configure. A key is stored and never returned. */
export class Providers {
  readonly #deps: ProvidersDeps
  constructor(deps: ProvidersDeps) {
    this.#deps = deps
  }

  /** The providers of operators, oldest first, then those of the environment and the built-in agent. */
  async list(): Promise<ProviderList> {
    const { db, environment, models, contextTokens } = this.#deps
    const rows = await db.selectFrom('model_providers').selectAll().orderBy('created_at').orderBy('id').execute()
    const modelRows = await db
      .selectFrom('provider_models')
      .selectAll()
      .orderBy('created_at')
      .orderBy('model')
      .execute()
    const agents = await this.#agents()
    const own = rows.map((row) => this.#toProvider(row, modelRows, agents))
    return {
      providers: [...own, ...(environment ? [toEnvironment(environment, modelRows, agents)] : []), toBuiltin(agents)],
      defaultModel: await models.defaultRef(),
      defaultContextTokens: contextTokens,
      services: services.map(({ id, name, baseURL: baseUrl, keyIsOptional = false }) => {
        return { id, name, baseUrl, keyIsOptional }
      }),
    }
  }

  /** Adds a provider. @throws RequestError `invalid_input`, or `conflict` if there are 50 or another has its name. */
  async create({ name, service, baseUrl = null, apiKey, models = [] }: CreateProvider, by: string): Promise<Provider> {
    const { db, now, createId } = this.#deps
    if (!services.some(({ id }) => id === service)) throw noSuchService()
    const row = { id: createId(), name, service, base_url: baseUrl, created_by: by, created_at: now() }
    await db.transaction().execute(async (trx) => {
      if ((await count(trx, 'model_providers')) >= providersAtMost) {
        throw new RequestError('conflict', 'There are too many providers already.', 'Delete one first.')
      }
      await this.#requireFree(trx, row)
      await trx
        .insertInto('model_providers')
        .values({ ...row, ...this.#sealed(apiKey ?? null, row) })
        .execute()
      for (const model of models) await this.#put(trx, toModelRow({ model }, row.id, now()))
    })
    return this.find(row.id)
  }

  /**
   * Changes a provider. A key that was entered for another host is deleted, unless the change contains a new one.
   * @throws RequestError `not_found`, or `conflict` if another provider has the new name.
   */
  async change(id: string, { name, baseUrl, apiKey }: PatchProvider): Promise<Provider> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const row = await findRow(trx, id)
      // Servers of older versions may store the same name twice.
      if (name !== undefined && name !== row.name) await this.#requireFree(trx, { id, name })
      const changed = { ...row, ...(baseUrl === undefined ? {} : { base_url: baseUrl }) }
      const isLost = apiKey === undefined && row.api_key !== null && !haveSameKey(row, changed)
      const key = isLost ? null : apiKey
      await trx
        .updateTable('model_providers')
        .set({
          ...(name === undefined ? { name: row.name } : { name }),
          base_url: changed.base_url,
          ...(key === undefined ? {} : this.#sealed(key, changed)),
        })
        .where('id', '=', id)
        .execute()
    })
    return this.find(id)
  }

  /** @throws RequestError `conflict` if another provider has this name, in any letter case. */
  async #requireFree(trx: Transaction<Tables>, { id, name }: { id: string; name: string }): Promise<void> {
    const { environment } = this.#deps
    const rows = await trx.selectFrom('model_providers').select('name').where('id', '!=', id).execute()
    const others = [...rows, ...(environment ? [toEnvironment(environment, [], [])] : []), toBuiltin([])]
    if (others.every((other) => other.name.toLowerCase() !== name.toLowerCase())) return
    throw new RequestError('conflict', 'Another provider has this name.', 'Choose another name.')
  }

  /** Deletes a provider with its models; runs that use one of them fail. @throws RequestError `not_found`. */
  async delete(id: string): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      await findRow(trx, id)
      await trx.deleteFrom('provider_models').where('provider', '=', id).execute()
      await trx.deleteFrom('model_providers').where('id', '=', id).execute()
    })
  }

  /**
   * Adds a model or changes it. For the model of the environment only prices and the window can be set.
   * @throws RequestError `not_found`, `invalid_input`, or `conflict` for more than 50 models of a provider.
   */
  async putModel(provider: string, given: PutModel): Promise<void> {
    const { db, environment, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      const { model, temperature, maxOutputTokens } = given
      if (provider !== environmentRef) await findRow(trx, provider)
      else if (model !== environment?.model || temperature != null || maxOutputTokens != null) throw setByEnvironment()
      await this.#put(trx, toModelRow(given, provider, now()))
      if ((await count(trx, 'provider_models', provider)) > modelsAtMost) {
        throw new RequestError('conflict', 'This provider has too many models already.', 'Remove one first.')
      }
    })
  }

  /** Removes a model; runs that use it fail. @throws RequestError `not_found`. */
  async removeModel(provider: string, model: string): Promise<void> {
    const { numDeletedRows } = await this.#deps.db
      .deleteFrom('provider_models')
      .where('provider', '=', provider)
      .where('model', '=', model)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw noSuch('model')
  }

  /** Sets the model of runs without their own model. @throws RequestError `not_found`. */
  async setDefault(ref: ModelRef): Promise<void> {
    const { db, models } = this.#deps
    const { provider, model } = readModelRef(ref)
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('provider_models').set({ is_default: 0 }).where('is_default', '=', 1).execute()
      if (ref === models.fallbackRef) return
      const { numUpdatedRows } = await trx
        .updateTable('provider_models')
        .set({ is_default: 1 })
        .where('provider', '=', provider)
        .where('provider', '!=', environmentRef)
        .where('model', '=', model)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw noSuch('model')
    })
  }

  /**
   * Sends one small request with a tool to a model. If the service doesn't return a list of models, the result names
   * the address as the problem instead of the model.
   */
  async test(ref: ModelRef, signal: AbortSignal): Promise<ModelTest> {
    const { db, models, elapsed } = this.#deps
    const { provider } = await models.find(ref)
    const result = await testModel(provider, { elapsed, signal })
    const { provider: id } = readModelRef(ref)
    const row = await db.selectFrom('model_providers').select('id').where('id', '=', id).executeTakeFirst()
    if (result.problem !== 'no-model' || !row) return result
    const { problem } = await this.offered(id, signal)
    return problem === 'no-model' || problem === 'address' ? { ...result, problem: 'address' } : result
  }

  /** Requests the names of a provider's models. @throws RequestError `not_found`. */
  async offered(id: string, given: AbortSignal): Promise<OfferedModels> {
    const row = await findRow(this.#deps.db, id)
    const service = services.find((each) => each.id === row.service)
    if (!service) throw noSuchService()
    const apiKey = this.#deps.keys.open(row)
    if (apiKey === undefined) return { models: [], ...explainFailure(lockedKey) }
    const signal = AbortSignal.any([given, AbortSignal.timeout(listWithinMs)])
    const settings = { apiKey: apiKey ?? undefined, baseURL: row.base_url ?? undefined }
    const listing = await listModels(service, settings, { signal })
    if (listing.ok) return { models: listing.models, problem: null, detail: null }
    return { models: [], ...explainFailure(apiKey === null ? listing.failure : withoutKey(listing.failure, apiKey)) }
  }

  /** @throws RequestError `not_found`. */
  async find(id: string): Promise<Provider> {
    const { providers } = await this.list()
    const provider = providers.find((each) => each.id === id)
    if (!provider) throw noSuch('provider')
    return provider
  }

  /** Adds or changes a model. On a server whose environment sets no model, the first model becomes the default. */
  async #put(trx: Transaction<Tables>, row: ReturnType<typeof toModelRow>): Promise<void> {
    const { created_at: _, provider: __, model: ___, ...settings } = row
    const isFirst = !this.#deps.environment && (await count(trx, 'provider_models')) === 0
    await trx
      .insertInto('provider_models')
      .values({ ...row, is_default: isFirst ? 1 : 0 })
      .onConflict((conflict) => conflict.columns(['provider', 'model']).doUpdateSet(settings))
      .execute()
  }

  #sealed(key: string | null, place: Pick<ModelProviderRow, 'id' | 'service' | 'base_url'>) {
    if (key === null) return { api_key: null, key_end: null }
    const end = key.length < shownKeyLength ? null : key.slice(-4)
    return { api_key: this.#deps.keys.seal(key, place), key_end: end }
  }

  /** The agents that have a model of their own. */
  async #agents(): Promise<Agents> {
    return this.#deps.db
      .selectFrom('agents')
      .select(['name', 'model'])
      .where('model', 'is not', null)
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .execute()
  }

  #toProvider(row: ModelProviderRow, models: readonly ProviderModelRow[], agents: Agents): Provider {
    const { id, name, service, base_url: baseUrl, key_end: keyEnd } = row
    const key = this.#deps.keys.open(row)
    return {
      id,
      source: 'operator',
      name,
      service,
      baseUrl,
      key: key === undefined ? 'unreadable' : key === null ? 'none' : 'stored',
      keyEnd,
      models: models.filter(({ provider }) => provider === id).map((each) => toModel(toModelRef(each), each, agents)),
    }
  }
}

const none = {
  input_price: null,
  output_price: null,
  temperature: null,
  max_output_tokens: null,
  context_tokens: null,
}
const noKey = { baseUrl: null, key: 'none', keyEnd: null } as const

type Agents = readonly { name: string; model: string | null }[]

function toBuiltin(agents: Agents): Provider {
  const models = [toModel(builtinRef, { model: builtinRef, ...none }, agents)]
  return { id: builtinRef, source: 'builtin', name: builtinLabel, service: builtinRef, ...noKey, models }
}

function toEnvironment(
  { id: service, model }: ModelProvider,
  rows: readonly ProviderModelRow[],
  agents: Agents,
): Provider {
  const row = rows.find((each) => each.provider === environmentRef && each.model === model) ?? { model, ...none }
  const name = services.find(({ id }) => id === service)?.name ?? service
  const models = [toModel(environmentRef, row, agents)]
  return { id: environmentRef, source: 'environment', name, service, ...noKey, models }
}

function toModel(ref: ModelRef, row: Omit<ProviderModelRow, 'provider' | 'is_default' | 'created_at'>, agents: Agents) {
  const { model, input_price: inputPrice, output_price: outputPrice, temperature } = row
  const { max_output_tokens: maxOutputTokens, context_tokens: contextTokens } = row
  const users = agents.filter((agent) => agent.model === ref).map(({ name }) => name)
  return { ref, model, inputPrice, outputPrice, temperature, maxOutputTokens, contextTokens, agents: users }
}

function toModelRow(
  { model, inputPrice = null, outputPrice = null, temperature = null, ...limits }: PutModel,
  provider: string,
  created_at: number,
) {
  const settings = { input_price: inputPrice, output_price: outputPrice, temperature }
  const { maxOutputTokens = null, contextTokens = null } = limits
  return { provider, model, ...settings, max_output_tokens: maxOutputTokens, context_tokens: contextTokens, created_at }
}

async function count(trx: Transaction<Tables>, table: 'model_providers' | 'provider_models', provider?: string) {
  const rows = trx.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'))
  const counted = provider === undefined ? rows : rows.where('provider', '=', provider)
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

async function findRow(db: Kysely<Tables>, id: string): Promise<ModelProviderRow> {
  const row = await db.selectFrom('model_providers').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw noSuch('provider')
  return row
}

function noSuchService(): RequestError {
  const known = services.map(({ id }) => id).join(', ')
  return new RequestError('invalid_input', localizable`There is no such service. There are: ${known}.`)
}

function setByEnvironment(): RequestError {
  return new RequestError(
    'invalid_input',
    'The variables of the server set this model: only its prices and window can be changed here.',
    'Set AGENT_MODEL and restart, or add a provider.',
  )
}
