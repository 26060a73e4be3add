import { createSealing } from '../common/sealing.ts'
import type { ModelProviderRow } from '../store/tables.ts'

type Place = Pick<ModelProviderRow, 'id' | 'service' | 'base_url'>

/** Seals and opens the keys of providers. */
export type ModelKeys = {
  seal(key: string, provider: Place): string
  /** The key; null if the provider has none, undefined if it was sealed with another secret of the server. */
  open(provider: Place & Pick<ModelProviderRow, 'api_key'>): string | null | undefined
}

/**
 * Keys as stored in the database: sealed for their provider and the origin of its address, so that a key is only sent
 * to the address for which it was entered, even if the row is changed.
 */
export function createModelKeys(secret: string): ModelKeys {
  const sealing = createSealing(secret, 'keys of models')
  return {
    seal: (key, provider) => sealing.seal(key, placeOf(provider)),
    open: (provider) => (provider.api_key === null ? null : sealing.open(provider.api_key, placeOf(provider))),
  }
}

/** Whether a key for one address may be sent to the other. */
export function haveSameKey(one: Place, other: Place): boolean {
  return placeOf(one) === placeOf(other)
}

function placeOf({ id, service, base_url: url }: Place): string {
  return JSON.stringify([id, service, url === null ? null : new URL(url).origin])
}
