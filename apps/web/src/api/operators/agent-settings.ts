import {
  AgentPreferences,
  AgentSettings,
  type PatchAgentPreferences,
  type PatchAgentSettings,
} from '@copydesk/protocol'
import { request } from '../client.ts'

/** What operators have set for all runs of the agent. */
export function fetchAgentSettings(signal: AbortSignal): Promise<AgentSettings> {
  return request('/agent-settings', AgentSettings, { signal })
}

/** Changes what operators have set. */
export function patchAgentSettings(body: PatchAgentSettings): Promise<AgentSettings> {
  return request('/agent-settings', AgentSettings, { method: 'PATCH', body })
}

/** What the user has set for their own runs. */
export function fetchAgentPreferences(signal: AbortSignal): Promise<AgentPreferences> {
  return request('/me/agent', AgentPreferences, { signal })
}

/** Changes what the user has set. */
export function patchAgentPreferences(body: PatchAgentPreferences): Promise<AgentPreferences> {
  return request('/me/agent', AgentPreferences, { method: 'PATCH', body })
}
