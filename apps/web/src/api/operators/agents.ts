import { AgentList, type CreateAgent, NamedAgent, type PatchAgent } from '@copydesk/protocol'
import { queryOptions } from '@tanstack/react-query'
import { apiPath, request, send } from '../client.ts'

/** All agents, and the models and tools that can be assigned to an agent. */
export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: ({ signal }) => request('/agents', AgentList, { signal }),
  refetchInterval: 10_000,
})

export function createAgent(body: CreateAgent): Promise<NamedAgent> {
  return request('/agents', NamedAgent, { method: 'POST', body })
}

export function patchAgent(id: string, body: PatchAgent): Promise<NamedAgent> {
  return request(apiPath`/agents/${id}`, NamedAgent, { method: 'PATCH', body })
}

/** Deletes an agent; its texts keep its name as author. */
export async function deleteAgent(id: string): Promise<void> {
  await send(apiPath`/agents/${id}`, { method: 'DELETE' })
}
