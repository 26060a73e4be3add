import { createProvider, type ModelProvider } from '@copydesk/agent'
import { createBuiltinProvider } from '@copydesk/builtin-agent'
import type { Config } from './config.ts'

/** One sentence for an operator: that no model is configured, and which setting configures one. */
export const builtinSetupHint =
  'No model is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, or OPENAI_BASE_URL for a local server such as Ollama, and restart.'

/**
 * Creates the model provider that the environment selects: a service, or the built-in agent if AGENT_PROVIDER names it
 * or is `auto` and no service is configured. Sends nothing.
 */
export function createModelProvider(config: Config): ModelProvider {
  const provider = config.AGENT_PROVIDER
  if (provider === 'builtin') return createBuiltinProvider()
  const service = createProvider({
    provider,
    model: config.AGENT_MODEL,
    temperature: config.AGENT_TEMPERATURE,
    maxOutputTokens: config.AGENT_MAX_OUTPUT_TOKENS,
    services: config.services,
  })
  return service ?? createBuiltinProvider()
}
