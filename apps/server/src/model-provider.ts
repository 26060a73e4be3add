import { createProvider, type ModelProvider } from '@copydesk/agent'
import { explainFailures } from './models/provider-wrappers.ts'
import type { Config } from './config.ts'

/**
 * Creates the model provider that the environment selects; undefined if AGENT_PROVIDER is `builtin`, or `auto` and no
 * service is configured. Sends nothing.
 */
export function createEnvironmentProvider(config: Config): ModelProvider | undefined {
  const provider = config.AGENT_PROVIDER
  if (provider === 'builtin') return undefined
  const service = createProvider({
    provider,
    model: config.AGENT_MODEL,
    temperature: config.AGENT_TEMPERATURE,
    maxOutputTokens: config.AGENT_MAX_OUTPUT_TOKENS,
    services: config.services,
  })
  return service && explainFailures(service, { setAnother: 'AGENT_MODEL sets another model.' })
}
