import type { ModelProvider } from '../contract.ts'
import { createAnthropicProvider } from './anthropic.ts'
import { createGeminiProvider } from './gemini.ts'
import { createOpenAIProvider } from './openai.ts'
import type { ProviderSettings, ServiceName } from './settings.ts'

const providers: Record<ServiceName, (settings: ProviderSettings) => ModelProvider<ServiceName>> = {
  anthropic: createAnthropicProvider,
  openai: createOpenAIProvider,
  gemini: createGeminiProvider,
}

/**
 * Creates the provider that the settings select. `auto` takes the first service with a key, in the order Anthropic,
 * OpenAI, Gemini (for OpenAI an address alone counts too, since local servers need no key); undefined if there is none.
 * Sends nothing.
 */
export function createProvider(settings: ProviderSettings): ModelProvider<ServiceName> | undefined {
  const service = settings.provider === 'auto' ? firstConfigured(settings) : settings.provider
  return service && providers[service](settings)
}

function firstConfigured(settings: ProviderSettings): ServiceName | undefined {
  if (settings.anthropic.apiKey) return 'anthropic'
  if (settings.openai.apiKey || settings.openai.baseURL) return 'openai'
  return settings.gemini.apiKey ? 'gemini' : undefined
}
