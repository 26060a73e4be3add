import { z } from 'zod'

const address = z.url({ protocol: /^https?$/ })
const key = z.string().min(1)
// A host as in URLs, without a port.
const host = z.string().regex(/^(?:[a-z0-9._-]+|[0-9a-f:]+)$/)

/** The variables with which an operator configures services for web access, as named in `docs/web.md`. */
export const WebVariables = z
  .object({
    TAVILY_API_KEY: key.optional(),
    TAVILY_BASE_URL: address.default('https://api.tavily.com'),
    SEARXNG_URL: address.optional(),
    UNSPLASH_ACCESS_KEY: key.optional(),
    UNSPLASH_BASE_URL: address.default('https://api.unsplash.com'),
    ALLOW_PRIVATE_HOSTS: z
      .string()
      .transform((given) =>
        given
          .split(',')
          .map((each) => each.trim().toLowerCase())
          .filter(Boolean),
      )
      .pipe(z.array(host))
      .default([]),
  })
  .transform((given) => ({
    tavilyKey: given.TAVILY_API_KEY,
    tavilyUrl: given.TAVILY_BASE_URL,
    searxngUrl: given.SEARXNG_URL,
    unsplashKey: given.UNSPLASH_ACCESS_KEY,
    unsplashUrl: given.UNSPLASH_BASE_URL,
    allowedHosts: given.ALLOW_PRIVATE_HOSTS,
  }))

/** The settings of the services. `timeoutMs` limits the time for an answer of a service; 15 seconds by default. */
export type WebSettings = z.output<typeof WebVariables> & { timeoutMs?: number }
