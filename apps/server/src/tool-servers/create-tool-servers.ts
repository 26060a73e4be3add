import type { Kysely } from 'kysely'
import { createSealing } from '../common/sealing.ts'
import type { Tables } from '../store/tables.ts'
import { createGuardedAgent } from '../web/guarded-fetch.ts'
import { Connections, type ToolServerTimes } from './connection/connections.ts'
import { ForeignTools } from './foreign-tools.ts'
import { ServerRegistry } from './server-registry.ts'
import { ToolPolicies } from './tool-policies.ts'
import type { ToolServerCommands } from './tool-server-settings.ts'
import { ToolServers } from './tool-servers.ts'

/** The limits of docs/tool-servers.md, in milliseconds. */
const defaultTimes: ToolServerTimes = {
  openMs: 15_000,
  startMs: 5 * 60_000,
  listMs: 15_000,
  callMs: 60_000,
  idleMs: 5 * 60_000,
}

/**
 * What operators set up, what runs use, and the policies of tools. Connects to nothing before it is used. Close it when
 * done.
 */
export function createToolServers(
  deps: { db: Kysely<Tables>; now: () => number },
  config: { secret: string; toolServers: ToolServerCommands; web: { allowedHosts: readonly string[] } },
  times: Partial<ToolServerTimes> = {},
) {
  const { allowedHosts } = config.web
  const { toolServers: commands } = config
  const sealing = createSealing(config.secret, 'tool servers')
  const dispatcher = createGuardedAgent({ allowedHosts })
  const connections = new Connections(dispatcher, { ...defaultTimes, ...times })
  const registry = new ServerRegistry({ ...deps, sealing, commands, connections })
  return {
    toolServers: new ToolServers({ ...deps, sealing, registry, connections, commands, allowedHosts }),
    foreignTools: new ForeignTools({ registry, now: deps.now }),
    toolPolicies: new ToolPolicies(deps.db),
    async closeToolServers() {
      await connections.close()
      await dispatcher.destroy()
    },
  }
}
