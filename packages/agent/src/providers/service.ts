import type { ModelProvider } from '../contract.ts'

/** The address of a service and its credentials. Without `baseURL`, the service's own address is used. */
export type ServiceSettings = { apiKey?: string | undefined; baseURL?: string | undefined }

/**
 * The operator's settings for models. `temperature` and `maxOutputTokens` are sent only if they are set, since many
 * models refuse them. `idleTimeoutMs` is the maximum time without data from a service, 60,000 by default.
 */
export type ModelSettings = {
  model?: string | undefined
  temperature?: number | undefined
  maxOutputTokens?: number | undefined
  idleTimeoutMs?: number | undefined
}

/** The settings for creating the provider of one service. */
export type ProviderSettings = ServiceSettings & ModelSettings

/** A service whose models the package can call. Each is declared by one file of this folder and listed in the index. */
export type Service = {
  /** The value of AGENT_PROVIDER that selects the service. */
  id: string
  /** The name of the service for people. */
  name: string
  /** The default address of the service. */
  baseURL: string
  /** The environment variables with its settings, named as its SDK names them. */
  variables: { apiKey: string; baseURL: string }
  /** Whether an address without a key is sufficient, as for local servers with the same protocol. */
  keyIsOptional?: boolean
  /** Creates the provider; sends no request. */
  create(settings: ProviderSettings): ModelProvider
  /** The request that lists the service's models: its path below the address, and the headers for a key. */
  listing: { path: string; headers: (apiKey: string) => Record<string, string> }
}

/** The default of `idleTimeoutMs`, in milliseconds. */
export const defaultIdleTimeoutMs = 60_000
