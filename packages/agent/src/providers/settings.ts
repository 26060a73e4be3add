/** Where a service is and how to get in. Without `baseURL` it is the service's own address. */
export type ServiceSettings = { apiKey?: string | undefined; baseURL?: string | undefined }

/**
 * What an operator may set about models. `temperature` and `maxOutputTokens` are sent only if they are given, since
 * many models refuse them. `idleTimeoutMs` is how long a service may send nothing at all, 60,000 by default.
 */
export type ProviderSettings = {
  provider: 'auto' | 'anthropic' | 'openai' | 'gemini' | 'builtin'
  model?: string | undefined
  temperature?: number | undefined
  maxOutputTokens?: number | undefined
  idleTimeoutMs?: number | undefined
  anthropic: ServiceSettings
  openai: ServiceSettings
  gemini: ServiceSettings
}

/** How long a service may be silent unless an operator says otherwise, in milliseconds. */
export const defaultIdleTimeoutMs = 60_000
