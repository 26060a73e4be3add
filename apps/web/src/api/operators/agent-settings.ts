import {
  AgentPreferences,
  AgentSettings,
  type PatchAgentPreferences,
  type PatchAgentSettings,
} from '@copydesk/protocol'
import { queryOptions } from '@tanstack/react-query'
import { request } from '../client.ts'
import { meKey } from '../query-client.ts'

/** The operators' settings for all runs of the agent. */
export const agentSettingsQuery = queryOptions({
  queryKey: ['agent-settings'],
  queryFn: ({ signal }) => request('/agent-settings', AgentSettings, { signal }),
})

export function patchAgentSettings(body: PatchAgentSettings): Promise<AgentSettings> {
  return request('/agent-settings', AgentSettings, { method: 'PATCH', body })
}

/** The user's settings for their own runs. */
export const agentPreferencesQuery = queryOptions({
  queryKey: [...meKey, 'agent'],
  queryFn: ({ signal }) => request('/me/agent', AgentPreferences, { signal }),
})

/** Changes the user's settings. */
export function patchAgentPreferences(body: PatchAgentPreferences): Promise<AgentPreferences> {
  return request('/me/agent', AgentPreferences, { method: 'PATCH', body })
}
