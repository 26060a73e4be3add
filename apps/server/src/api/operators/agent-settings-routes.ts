import { AgentPreferences, AgentSettings, PatchAgentPreferences, PatchAgentSettings } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { requireAgentOperator } from '../requests/account-context.ts'
import { type ApiDeps, failures, requireAccount } from '../requests/context.ts'

/** What operators set for all runs of the agent, and people for their own. */
export function agentSettingsRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const settings = { tags: ['Operators'], response: { 200: AgentSettings, ...failures } }
    const read = { schema: { summary: 'Limits and instructions of all runs (operator)', ...settings } }
    app.get('/agent-settings', read, async (request) => {
      await requireAgentOperator(request, deps)
      return deps.agentSettings.read()
    })

    const summary = 'Change limits and instructions of all runs, from the next one on (operator)'
    const patch = { schema: { summary, body: PatchAgentSettings, ...settings } }
    app.patch('/agent-settings', patch, async (request) => {
      await requireAgentOperator(request, deps)
      return deps.agentSettings.change(request.body)
    })

    const preferences = { response: { 200: AgentPreferences, ...failures } }
    const own = { schema: { summary: 'What the caller’s own runs follow', ...preferences } }
    app.get('/me/agent', own, async (request) => {
      const { user } = await requireAccount(request, deps)
      return deps.agentSettings.preferencesOf(user.id)
    })

    const patchOwn = {
      schema: { summary: 'Change what the caller’s own runs follow', body: PatchAgentPreferences, ...preferences },
    }
    app.patch('/me/agent', patchOwn, async (request) => {
      const { user } = await requireAccount(request, deps)
      return deps.agentSettings.changePreferences(user.id, request.body)
    })
  }
}
