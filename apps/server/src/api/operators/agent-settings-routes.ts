import { AgentPreferences, AgentSettings, PatchAgentPreferences, PatchAgentSettings } from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { requireAgentOperator } from '../requests/account-context.ts'
import { type ApiDeps, requireAccount } from '../requests/context.ts'
import { operatorRoute, route } from '../requests/route.ts'

/** Routes for the agent's settings: those of operators for all runs, and those of people for their own. */
export function agentSettingsRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const read = operatorRoute('Limits and instructions of all runs', { 200: AgentSettings })
    app.get('/agent-settings', read, async (request) => {
      await requireAgentOperator(request, deps)
      return deps.agentSettings.read()
    })

    const patch = operatorRoute('Change limits and instructions of all runs, from the next one on', {
      body: PatchAgentSettings,
      200: AgentSettings,
    })
    app.patch('/agent-settings', patch, async (request) => {
      await requireAgentOperator(request, deps)
      return deps.agentSettings.change(request.body)
    })

    const own = route('What the caller’s own runs follow', { 200: AgentPreferences })
    app.get('/me/agent', own, async (request) => {
      const { user } = await requireAccount(request, deps)
      return deps.agentSettings.preferencesOf(user.id)
    })

    const patchOwn = route('Change what the caller’s own runs follow', {
      body: PatchAgentPreferences,
      200: AgentPreferences,
    })
    app.patch('/me/agent', patchOwn, async (request) => {
      const { user } = await requireAccount(request, deps)
      return deps.agentSettings.changePreferences(user.id, request.body)
    })
  }
}
