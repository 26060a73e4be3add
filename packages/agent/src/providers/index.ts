import type { ModelProvider } from '../contract.ts'
import { createAnthropicProvider } from './anthropic.ts'
import { createBuiltinProvider } from './builtin.ts'
import { createGeminiProvider } from './gemini.ts'
import { createOpenAIProvider } from './openai.ts'
import type { ProviderSettings } from './settings.ts'

const providers: Record<ModelProvider['id'], (settings: ProviderSettings) => ModelProvider> = {
  anthropic: createAnthropicProvider,
  openai: createOpenAIProvider,
  gemini: createGeminiProvider,
  builtin: () => createBuiltinProvider(),
}

/**
 * Creates the provider that the settings select. `auto` takes the first service with a key, in the order Anthropic,
 * OpenAI, Gemini (for OpenAI an address alone counts too, since local servers need no key), and else the builtin one.
 * Sends nothing.
 */
export function createProvider(settings: ProviderSettings): ModelProvider {
  return providers[settings.provider === 'auto' ? firstConfigured(settings) : settings.provider](settings)
}

function firstConfigured(settings: ProviderSettings): ModelProvider['id'] {
  if (settings.anthropic.apiKey) return 'anthropic'
  if (settings.openai.apiKey || settings.openai.baseURL) return 'openai'
  if (settings.gemini.apiKey) return 'gemini'
  return 'builtin'
}
