import {
  type CreateProvider,
  LocalServers,
  ModelTest,
  OfferedModels,
  type PatchProvider,
  Provider,
  ProviderList,
  type PutModel,
} from '@copydesk/protocol'
import { queryOptions } from '@tanstack/react-query'
import { apiPath, request, send } from '../client.ts'

/** All providers with their models, and which model is the default. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => request('/providers', ProviderList, { signal }),
})

export function createProvider(body: CreateProvider): Promise<Provider> {
  return request('/providers', Provider, { method: 'POST', body })
}

/** Changes a provider, or replaces its key. */
export function patchProvider(id: string, body: PatchProvider): Promise<Provider> {
  return request(apiPath`/providers/${id}`, Provider, { method: 'PATCH', body })
}

export async function deleteProvider(id: string): Promise<void> {
  await send(apiPath`/providers/${id}`, { method: 'DELETE' })
}

/** Adds a model to a provider, or changes it. */
export function putModel(provider: string, body: PutModel): Promise<Provider> {
  return request(apiPath`/providers/${provider}/models`, Provider, { method: 'PUT', body })
}

export function removeModel(provider: string, model: string): Promise<Provider> {
  return request(apiPath`/providers/${provider}/models?model=${model}`, Provider, { method: 'DELETE' })
}

export function fetchOfferedModels(provider: string, signal: AbortSignal): Promise<OfferedModels> {
  return request(apiPath`/providers/${provider}/models`, OfferedModels, { signal })
}

/** Sets the model of runs without their own model. */
export function chooseDefaultModel(model: string): Promise<ProviderList> {
  return request('/providers/default', ProviderList, { method: 'PUT', body: { model } })
}

/** Sends one small request to a model. */
export function testModel(model: string): Promise<ModelTest> {
  return request('/providers/test', ModelTest, { method: 'POST', body: { model } })
}

/** Model servers on the server's machine that no provider uses yet. */
export const localServersQuery = queryOptions({
  queryKey: ['local-servers'],
  queryFn: async ({ signal }) => (await request('/providers/local', LocalServers, { signal })).servers,
  staleTime: 0,
})
