import { z } from 'zod'
import type { ModelProvider } from '../contract.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openai } from './openai.ts'
import type { ModelSettings, Service, ServiceSettings } from './service.ts'

/** All services, in the order in which `auto` looks for one that is configured. */
export const services: readonly Service[] = [anthropic, openai, gemini]

const variables = services.flatMap(
  ({ variables: { apiKey, baseURL } }): [string, z.ZodOptional<z.ZodType<string>>][] => [
    [apiKey, z.string().min(1).optional()],
    [baseURL, z.url().optional()],
  ],
)

/** Parses environment variables into the settings of each service, by its id. Other variables are ignored. */
export const ServiceVariables = z.object(Object.fromEntries(variables)).transform((given) => {
  const settings = services.map(({ id, variables: { apiKey, baseURL } }): [string, ServiceSettings] => [
    id,
    { apiKey: given[apiKey], baseURL: given[baseURL] },
  ])
  return Object.fromEntries(settings)
})

/** The service to use (its id, or `auto`), the settings of each service by its id, and those of the model. */
export type ProviderChoice = ModelSettings & {
  provider: string
  services: Readonly<Record<string, ServiceSettings | undefined>>
}

/**
 * Creates the provider of the chosen service. `auto` takes the first that has a key (or an address, if it needs no
 * key); undefined if there is none. Sends nothing.
 * @throws RangeError if no service has this id.
 */
export function createProvider({ provider, services: settings, ...model }: ProviderChoice): ModelProvider | undefined {
  const service = services.find((each) =>
    provider === 'auto' ? isConfigured(each, settings[each.id]) : each.id === provider,
  )
  if (!service && provider !== 'auto') {
    throw new RangeError(`No service is called “${provider}”. There are: ${services.map(({ id }) => id).join(', ')}.`)
  }
  return service?.create({ ...settings[service.id], ...model })
}

function isConfigured({ keyIsOptional }: Service, settings: ServiceSettings | undefined): boolean {
  return Boolean(settings?.apiKey || (keyIsOptional && settings?.baseURL))
}
