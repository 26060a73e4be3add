import { localizable } from '@copydesk/tools/localizable'
import type { CreateToolServer, ForeignTool, PatchForeignTool, PatchToolServer, ToolServer } from '@copydesk/protocol'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { noSuch, RequestError } from '../common/errors.ts'
import type { Sealing } from '../common/sealing.ts'
import type { ForeignToolRow, Tables, ToolServerRow } from '../store/tables.ts'
import { checkAddress } from '../web/check-address.ts'
import type { Connections } from './connection/connections.ts'
import { readSchema, type ServerRegistry } from './server-registry.ts'
import { ToolServerError } from './connection/tool-server-error.ts'
import { revisionOf } from './tool-definitions.ts'
import type { ToolServerCommands } from './tool-server-settings.ts'

export type ToolServersDeps = {
  db: Kysely<Tables>
  sealing: Sealing
  registry: ServerRegistry
  connections: Connections
  commands: ToolServerCommands
  /** The hosts that may be private and used without encryption. */
  allowedHosts: readonly string[]
  now: () => number
}

const serversAtMost = 20
const bearerHeader = 'authorization'

const ChangedDefinition = z.object({ description: z.string(), schema: z.record(z.string(), z.unknown()) })

export class ToolServers {
  readonly #deps: ToolServersDeps
  readonly #connecting = new Set<string>()
  constructor(deps: ToolServersDeps) {
    this.#deps = deps
  }

  /** All tool servers with their tools, by name. */
  async list(): Promise<ToolServer[]> {
    const rows = await this.#deps.db.selectFrom('tool_servers').selectAll().orderBy('name').execute()
    const tools = await this.#deps.registry.tools()
    return rows.map((row) => this.#show(row, tools))
  }

  /**
   * Adds a tool server and connects to it for the list of its tools; a server that can't be reached is added
   * nevertheless. @throws RequestError `invalid_input` for an address that this server doesn't call, `conflict` for a
   * name that is taken or if there are 20.
   */
  async create({ name, url, token, header }: CreateToolServer, by: string): Promise<ToolServer> {
    const { db, now, allowedHosts } = this.#deps
    checkAddress(url, allowedHosts)
    await db.transaction().execute(async (trx) => {
      const names = (await trx.selectFrom('tool_servers').select('name').execute()).map((row) => row.name)
      if (names.includes(name)) {
        throw new RequestError('conflict', 'There is a tool server with this name.', 'Choose another name.')
      }
      if (names.length >= serversAtMost) {
        throw new RequestError(
          'conflict',
          localizable`There are ${serversAtMost} tool servers already.`,
          'Delete one first.',
        )
      }
      await trx
        .insertInto('tool_servers')
        .values({
          name,
          kind: 'http',
          url,
          header: otherHeader(header),
          token: token === undefined ? null : this.#deps.sealing.seal(token, name),
          created_by: by,
          created_at: now(),
        })
        .execute()
    })
    return this.test(name)
  }

  /**
   * Changes a tool server. A change to another origin requires the token again, so that no token is sent to another
   * server.
   * @throws RequestError `not_found`, or `invalid_input` as `create` and for the address of a server with a command.
   */
  async change(name: string, { url, token, header, enabled }: PatchToolServer): Promise<ToolServer> {
    const row = await this.#find(name)
    if (row.kind === 'stdio' && (url !== undefined || token !== undefined || header !== undefined)) {
      throw new RequestError('invalid_input', 'This server is started by a command of the configuration.')
    }
    if (url !== undefined) checkAddress(url, this.#deps.allowedHosts)
    const isElsewhere = url !== undefined && row.url !== null && new URL(url).origin !== new URL(row.url).origin
    const given = token === undefined && isElsewhere ? null : token
    await this.#deps.db
      .updateTable('tool_servers')
      .set({
        ...(url === undefined ? {} : { url }),
        ...(header === undefined ? {} : { header: otherHeader(header) }),
        ...(given === undefined ? {} : { token: given === null ? null : this.#deps.sealing.seal(given, name) }),
        ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
        ...(url === undefined && given === undefined && enabled !== true ? {} : untried),
        version: sql<number>`version + 1`,
      })
      .where('name', '=', name)
      .execute()
    await this.#deps.connections.drop(name)
    return this.#showOne(name)
  }

  /**
   * Deletes a tool server and its tools. @throws RequestError `not_found`, `conflict` for a server of the
   * configuration.
   */
  async delete(name: string): Promise<void> {
    const row = await this.#find(name)
    if (row.kind === 'stdio' && this.#deps.registry.commandLine(name) !== null) {
      throw new RequestError(
        'conflict',
        'This server is in the configuration.',
        'Switch it off, or change TOOL_SERVERS.',
      )
    }
    await this.#remove(name)
  }

  /**
   * Connects to a tool server for the list of its tools: new tools are added, with approval of each call. The answer
   * contains the result. @throws RequestError `not_found`.
   */
  async test(name: string): Promise<ToolServer> {
    const row = await this.#find(name)
    // An open connection would not show changes.
    await this.#deps.connections.drop(name)
    this.#connecting.add(name)
    try {
      await this.#deps.registry.use(row, () => Promise.resolve(), { adds: true })
    } catch (error) {
      if (!(error instanceof ToolServerError)) throw error
    } finally {
      this.#connecting.delete(name)
      await this.#deps.connections.drop(name)
    }
    return this.#showOne(name)
  }

  /**
   * Changes one tool. @throws RequestError `not_found`, `conflict` if `accept` isn't its currently changed definition.
   */
  async changeTool(server: string, name: string, { policy, accept }: PatchForeignTool): Promise<ToolServer> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const own = trx.selectFrom('foreign_tools').selectAll().where('server', '=', server).where('name', '=', name)
      const row = await own.executeTakeFirst()
      if (!row) throw noSuch('tool')
      const changed = row.changed === null ? undefined : ChangedDefinition.parse(JSON.parse(row.changed))
      if (accept !== undefined && (!changed || revisionOf(changed) !== accept)) {
        throw new RequestError('conflict', 'The tool has changed again.', 'Load the list again, and look at it.')
      }
      const accepted =
        accept === undefined || !changed
          ? {}
          : { description: changed.description, schema: JSON.stringify(changed.schema), changed: null }
      const given = { ...accepted, ...(policy === undefined ? {} : { policy }) }
      if (Object.keys(given).length === 0) return
      await trx.updateTable('foreign_tools').set(given).where('server', '=', server).where('name', '=', name).execute()
    })
    return this.#showOne(server)
  }

  /**
   * Adds the servers of the configuration, and connects concurrently to those with unknown tools. Servers that were
   * only in an earlier configuration are deleted. If an operator's server already has the name, that server keeps it
   * and `onTaken` is called.
   */
  async adoptConfigured(onTaken: (name: string) => void): Promise<void> {
    const { db, commands, now } = this.#deps
    const rows = await db.selectFrom('tool_servers').selectAll().execute()
    const known = new Map(rows.map((row) => [row.name, row]))
    for (const { name, kind } of rows) if (kind === 'stdio' && !Object.hasOwn(commands, name)) await this.#remove(name)
    const unknown: string[] = []
    for (const name of Object.keys(commands)) {
      const row = known.get(name)
      if (row?.kind === 'http') onTaken(name)
      else if (!row) {
        const made = { name, kind: 'stdio', url: null, header: null, token: null, created_by: null } as const
        await db
          .insertInto('tool_servers')
          .values({ ...made, created_at: now() })
          .execute()
      }
      if (row?.kind !== 'http' && (await this.#deps.registry.tools(name)).length === 0) unknown.push(name)
    }
    await Promise.all(unknown.map((name) => this.test(name)))
  }

  async #remove(name: string): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('foreign_tools').where('server', '=', name).execute()
      await trx.deleteFrom('tool_servers').where('name', '=', name).execute()
    })
    await this.#deps.connections.drop(name)
  }

  async #find(name: string): Promise<ToolServerRow> {
    const row = await this.#deps.registry.find(name)
    if (!row) throw noSuch('tool server')
    return row
  }

  async #showOne(name: string): Promise<ToolServer> {
    return this.#show(await this.#find(name), await this.#deps.registry.tools(name))
  }

  #show(row: ToolServerRow, tools: readonly ForeignToolRow[]): ToolServer {
    const since = row.down_since ?? row.reached_at
    return {
      name: row.name,
      kind: row.kind,
      url: row.url,
      command: this.#deps.registry.commandLine(row.name),
      hasToken: row.token !== null,
      header: row.header,
      enabled: row.enabled === 1,
      state: this.#connecting.has(row.name) ? 'connecting' : stateOf(row),
      since: since === null ? null : new Date(since).toISOString(),
      reason: row.down_reason,
      detail: row.down_detail,
      tools: tools.filter(({ server }) => server === row.name).map(showTool),
      leftOut: row.left_out,
      createdAt: new Date(row.created_at).toISOString(),
    }
  }
}

const untried = {
  failures: 0,
  failed_at: null,
  down_since: null,
  down_reason: null,
  down_detail: null,
  reached_at: null,
}

function stateOf({ down_since, reached_at }: ToolServerRow): ToolServer['state'] {
  if (down_since !== null) return 'down'
  return reached_at === null ? 'untried' : 'working'
}

/** The header if it differs from the default one; else null. */
function otherHeader(header: string | undefined): string | null {
  return header === undefined || header.toLowerCase() === bearerHeader ? null : header
}

function showTool(row: ForeignToolRow): ForeignTool {
  const { name, offered_as: offeredAs, description, schema, policy, problem, gone } = row
  const changed = row.changed === null ? undefined : ChangedDefinition.parse(JSON.parse(row.changed))
  const parameters = parametersOf(readSchema(schema))
  return {
    name,
    offeredAs,
    description,
    parameters,
    policy,
    problem,
    changed: changed
      ? { revision: revisionOf(changed), description: changed.description, parameters: parametersOf(changed.schema) }
      : null,
    gone: gone === 1,
  }
}

function parametersOf({ properties }: Record<string, unknown>): string[] {
  return Object.keys(Object(properties))
}
