import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** The key under which the caller (`Me | null`) is cached. */
export const meKey = ['me'] as const

/** The key under which the caller's account is cached, and the prefix of the keys of its data. */
export const accountKey = ['account'] as const

/**
 * Creates the cache of all data read over HTTP. A request that fails because of a missing session clears the caller,
 * which shows the name prompt.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'unauthenticated') client.setQueryData(meKey, null)
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: shouldRetry, staleTime: 5000 } },
  })
  return client
}

function shouldRetry(count: number, error: Error): boolean {
  const passing = error instanceof ApiError && (error.code === 'unreachable' || error.code === 'unavailable')
  return passing && count < 3
}
