/** The address of a service and its credentials. Without `baseURL`, the service's own address is used. */
export type ServiceSettings = { apiKey?: string | undefined; baseURL?: string | undefined }

/** A service whose models the package can call. */
export type ServiceName = 'anthropic' | 'openai' | 'gemini'

/**
 * The operator's settings for models. `temperature` and `maxOutputTokens` are sent only if they are set, since many
 * models refuse them. `idleTimeoutMs` is how long a service may send no data, 60,000 by default.
 */
export type ProviderSettings = {
  provider: 'auto' | ServiceName
  model?: string | undefined
  temperature?: number | undefined
  maxOutputTokens?: number | undefined
  idleTimeoutMs?: number | undefined
  anthropic: ServiceSettings
  openai: ServiceSettings
  gemini: ServiceSettings
}

/** The default of `idleTimeoutMs`, in milliseconds. */
export const defaultIdleTimeoutMs = 60_000
