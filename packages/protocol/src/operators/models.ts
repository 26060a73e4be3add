import { z } from 'zod'

// Long enough for the id of a provider and the name of a model.
const ref = z.string().min(1).max(200)

/** A reference to a model, as agents store it: `environment`, `builtin`, or `<provider's id>/<name of its model>`. */
export const ModelRef = ref.meta({ id: 'ModelRef' })
export type ModelRef = z.infer<typeof ModelRef>

const Name = z.string().trim().min(1, 'Give it a name.').max(80, 'A name has at most 80 characters.')
const Address = z
  .url({ protocol: /^https?$/, abort: true, error: 'Give a complete address that begins with https:// or http://.' })
  .max(2000, 'An address has at most 2,000 characters.')
  .refine((given) => {
    const { username, password, search, hash } = new URL(given)
    return `${username}${password}${search}${hash}` === ''
  }, 'Give the address without a name, password or query: a key has a field of its own.')
const ApiKey = z
  .string()
  .trim()
  .min(1, 'Enter a key.')
  .max(1000, 'A key has at most 1,000 characters.')
  .regex(/^[\u0021-\u007e]*$/, 'A key has no spaces and no letters with accents.')
const ModelName = z.string().trim().min(1, 'Give the name of a model.').max(160, 'A name has at most 160 characters.')

/**
 * A new provider: an account with a service, or a local server. Without `baseUrl` the service's own address is used;
 * `models` are added without prices.
 */
export const CreateProvider = z.object({
  name: Name,
  /** The id of one of the `services` of the list. */
  service: z.string().max(40),
  baseUrl: Address.nullable().exactOptional(),
  apiKey: ApiKey.exactOptional(),
  models: z.array(ModelName).max(50).exactOptional(),
})
export type CreateProvider = z.infer<typeof CreateProvider>

/** Changes of a provider. `apiKey: null` deletes the key, as does a `baseUrl` at another host without a new key. */
export const PatchProvider = z.object({
  name: Name.exactOptional(),
  baseUrl: Address.nullable().exactOptional(),
  apiKey: ApiKey.nullable().exactOptional(),
})
export type PatchProvider = z.infer<typeof PatchProvider>

const price = z
  .number('Give a price as a number.')
  .min(0, 'A price is at least 0.')
  .max(100_000, 'A price is at most 100,000.')
const temperature = 'A temperature is a number from 0 to 2.'
const tokens = 'Give a whole number of tokens, at least 1.'
const window = 'A window is a whole number of tokens from 16,000 to 10,000,000.'

/** A model of a provider: added, or changed as a whole. Prices are for a million tokens. */
export const PutModel = z.object({
  model: ModelName,
  inputPrice: price.nullable().default(null),
  outputPrice: price.nullable().default(null),
  temperature: z.number(temperature).min(0, temperature).max(2, temperature).nullable().default(null),
  maxOutputTokens: z.number(tokens).int(tokens).min(1, tokens).max(10_000_000, tokens).nullable().default(null),
  /** The largest request to the model. */
  contextTokens: z.number(window).int(window).min(16_000, window).max(10_000_000, window).nullable().default(null),
})
export type PutModel = z.input<typeof PutModel>

/** A model that runs may use; `agents` are the names of the agents that are set to it. */
export const ProviderModel = z
  .object({
    ref: ModelRef,
    model: z.string(),
    inputPrice: z.number().nullable(),
    outputPrice: z.number().nullable(),
    temperature: z.number().nullable(),
    maxOutputTokens: z.number().nullable(),
    contextTokens: z.number().nullable(),
    agents: z.array(z.string()),
  })
  .meta({ id: 'ProviderModel' })
export type ProviderModel = z.infer<typeof ProviderModel>

/**
 * A provider and its models. `source`: only those of an `operator` can be changed; of the `environment`, prices and
 * window. `key`: whether there is one; `unreadable`: it was stored under another SECRET and must be entered again. Only
 * the last characters of the key are returned.
 */
export const Provider = z
  .object({
    id: z.string(),
    source: z.enum(['operator', 'environment', 'builtin']),
    name: z.string(),
    service: z.string(),
    baseUrl: z.string().nullable(),
    key: z.enum(['none', 'stored', 'unreadable']),
    keyEnd: z.string().nullable(),
    models: z.array(ProviderModel),
  })
  .meta({ id: 'Provider' })
export type Provider = z.infer<typeof Provider>

/**
 * All providers, the model of runs without their own, the services that the server can call, and the largest request to
 * a model without its own window.
 */
export const ProviderList = z.object({
  providers: z.array(Provider),
  defaultModel: ModelRef,
  defaultContextTokens: z.number().int(),
  services: z.array(z.object({ id: z.string(), name: z.string(), baseUrl: z.string(), keyIsOptional: z.boolean() })),
})
export type ProviderList = z.infer<typeof ProviderList>

export const ChosenModel = z.object({ model: ref })

/** The model to remove. */
export const RemovedModel = z.object({ model: z.string().max(160) })

/**
 * Why a model can't be used. The connection: `unknown-host`, `refused`, `certificate`, `unreachable`, `slow` (no answer
 * in time). The answer: `address` (no such service there), `key` (not accepted), `no-model`, `limit`, `overloaded`,
 * `rejected` (the request), `answer` (it can't be read), `no-tools`. The server itself: `locked` (the stored key can't
 * be read), `removed`.
 */
export const ModelProblem = z.enum([
  'unknown-host',
  'refused',
  'certificate',
  'unreachable',
  'address',
  'key',
  'locked',
  'no-model',
  'limit',
  'overloaded',
  'rejected',
  'answer',
  'no-tools',
  'slow',
  'removed',
])
export type ModelProblem = z.infer<typeof ModelProblem>

/** The result of one small request; `detail` is the message of the service or the connection. */
export const ModelTest = z
  .object({ problem: ModelProblem.nullable(), detail: z.string().nullable(), durationMs: z.number().int() })
  .meta({ id: 'ModelTest' })
export type ModelTest = z.infer<typeof ModelTest>

/** The names of the models that a provider offers, or why they are not known. */
export const OfferedModels = z.object({
  models: z.array(z.string()),
  problem: ModelProblem.nullable(),
  detail: z.string().nullable(),
})
export type OfferedModels = z.infer<typeof OfferedModels>

/** Model servers on the server's own machine that no provider uses yet. */
export const LocalServers = z.object({
  servers: z.array(z.object({ name: z.string(), baseUrl: z.string(), models: z.array(z.string()) })),
})
export type LocalServers = z.infer<typeof LocalServers>
