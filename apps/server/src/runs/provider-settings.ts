import type { ProviderSettings } from '@copydesk/agent'
import type { Config } from '../config.ts'

/** The model settings of the environment as the agent package takes them. */
export function providerSettings(config: Config): ProviderSettings {
  const service = (apiKey: string | undefined, baseURL: string | undefined) => ({
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseURL === undefined ? {} : { baseURL }),
  })
  return {
    provider: config.AGENT_PROVIDER,
    ...(config.AGENT_MODEL === undefined ? {} : { model: config.AGENT_MODEL }),
    ...(config.AGENT_TEMPERATURE === undefined ? {} : { temperature: config.AGENT_TEMPERATURE }),
    ...(config.AGENT_MAX_OUTPUT_TOKENS === undefined ? {} : { maxOutputTokens: config.AGENT_MAX_OUTPUT_TOKENS }),
    anthropic: service(config.ANTHROPIC_API_KEY, config.ANTHROPIC_BASE_URL),
    openai: service(config.OPENAI_API_KEY, config.OPENAI_BASE_URL),
    gemini: service(config.GEMINI_API_KEY, config.GOOGLE_GEMINI_BASE_URL),
  }
}
