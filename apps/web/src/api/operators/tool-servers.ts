import {
  type CreateToolServer,
  type OutgoingTool,
  OwnToolPolicy,
  type PatchForeignTool,
  type PatchToolServer,
  type ToolPolicy,
  ToolServer,
  ToolServerList,
} from '@copydesk/protocol'
import { queryOptions } from '@tanstack/react-query'
import { apiPath, request, send } from '../client.ts'

/** All tool servers with their tools, and the policies of the server's own tools. */
export const toolServersQuery = queryOptions({
  queryKey: ['tool-servers'],
  queryFn: ({ signal }) => request('/tool-servers', ToolServerList, { signal }),
  refetchInterval: ({ state: { data: last } }) =>
    last?.servers.some(({ state }) => state === 'connecting') === true ? 1_000 : 10_000,
})

/** Adds a tool server, which is connected to at once; the response contains the result. */
export function createToolServer(body: CreateToolServer): Promise<ToolServer> {
  return request('/tool-servers', ToolServer, { method: 'POST', body })
}

export function patchToolServer(name: string, body: PatchToolServer): Promise<ToolServer> {
  return request(apiPath`/tool-servers/${name}`, ToolServer, { method: 'PATCH', body })
}

export async function deleteToolServer(name: string): Promise<void> {
  await send(apiPath`/tool-servers/${name}`, { method: 'DELETE' })
}

/** Connects to a tool server and lists its tools; the response contains the result. */
export function testToolServer(name: string): Promise<ToolServer> {
  return request(apiPath`/tool-servers/${name}/test`, ToolServer, { method: 'POST' })
}

export function patchForeignTool(server: string, tool: string, body: PatchForeignTool): Promise<ToolServer> {
  return request(apiPath`/tool-servers/${server}/tools/${tool}`, ToolServer, { method: 'PATCH', body })
}

/** Sets the policy of one of the server's own tools. */
export function putToolPolicy(tool: OutgoingTool, policy: ToolPolicy): Promise<OwnToolPolicy> {
  return request(`/tool-policies/${tool}`, OwnToolPolicy, { method: 'PUT', body: { policy } })
}
