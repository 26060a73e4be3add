import type { Kysely } from 'kysely'
import type { Sealing } from '../common/sealing.ts'
import type { ForeignToolRow, Tables, ToolServerRow } from '../store/tables.ts'
import type { ServerConnection } from './connection/connection.ts'
import type { Connections, Target } from './connection/connections.ts'
import { ToolServerError } from './connection/tool-server-error.ts'
import { type ListedTool, readDefinitions, revisionOf, type ToolDefinition } from './tool-definitions.ts'
import type { ToolServerCommands } from './tool-server-settings.ts'

export type RegistryDeps = {
  db: Kysely<Tables>
  sealing: Sealing
  commands: ToolServerCommands
  connections: Connections
  now: () => number
}

const firstRetryMs = 1_000
const lastRetryMs = 5 * 60_000

/** The time of the next attempt for a tool server that is down; undefined if it isn't down. */
export function retryAt({ down_since: since, failed_at: at, failures }: ToolServerRow): number | undefined {
  if (since === null || at === null) return undefined
  return at + Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20))
}

/**
 * The rows of the tool servers: their addresses, whether they are down, and their tools as last listed. Every thread
 * has its own registry, over the same database.
 */
export class ServerRegistry {
  readonly #deps: RegistryDeps
  constructor(deps: RegistryDeps) {
    this.#deps = deps
  }

  /**
   * Calls `work` with the connection to a server, and stores whether the server is available. When a connection is
   * opened, changes of the server's tools are stored, and with `adds` its new tools. @throws ToolServerError, and the
   * errors of `work`.
   */
  async use<T>(
    row: ToolServerRow,
    work: (connection: ServerConnection) => Promise<T>,
    { adds = false }: { adds?: boolean } = {},
  ): Promise<T> {
    const note = async (connection: ServerConnection): Promise<void> =>
      this.#noteTools(row.name, await connection.listTools(), adds)
    try {
      const done = await this.#deps.connections.use(this.#target(row), note, async (connection) => {
        if (connection.isListStale) await note(connection)
        await this.#noteWorking(row.name)
        return work(connection)
      })
      return done
    } catch (error) {
      if (error instanceof ToolServerError) await this.#recordFailure(row.name, error)
      throw error
    }
  }

  async find(name: string): Promise<ToolServerRow | undefined> {
    return this.#deps.db.selectFrom('tool_servers').selectAll().where('name', '=', name).executeTakeFirst()
  }

  /** The tools of all servers, or of one, by name. */
  async tools(server?: string): Promise<ForeignToolRow[]> {
    const all = this.#deps.db.selectFrom('foreign_tools').selectAll('foreign_tools').orderBy('server').orderBy('name')
    return (server === undefined ? all : all.where('server', '=', server)).execute()
  }

  /** The command of the configuration that starts a server, as one line. */
  commandLine(name: string): string | null {
    const known = this.#command(name)
    return known === undefined ? null : [known.command, ...known.args].join(' ')
  }

  #command(name: string): ToolServerCommands[string] | undefined {
    return Object.hasOwn(this.#deps.commands, name) ? this.#deps.commands[name] : undefined
  }

  #target({ name, kind, url, header, token, version }: ToolServerRow): Target {
    if (kind === 'stdio') {
      const known = this.#command(name)
      if (!known) throw new ToolServerError('unset')
      return { name, version, address: { kind, ...known } }
    }
    const headers: Record<string, string> = {}
    if (token !== null) {
      const opened = this.#deps.sealing.open(token, name)
      if (opened === undefined) throw new ToolServerError('sealed')
      headers[header ?? 'authorization'] = header === null ? `Bearer ${opened}` : opened
    }
    return { name, version, address: { kind, url: url ?? '', headers } }
  }

  async #noteWorking(name: string): Promise<void> {
    const { db, now } = this.#deps
    const works = { failures: 0, failed_at: null, down_since: null, down_reason: null, down_detail: null }
    await db
      .updateTable('tool_servers')
      .set((eb) => ({ ...works, reached_at: eb.fn.coalesce('reached_at', eb.val(now())) }))
      .where('name', '=', name)
      .where((eb) => eb.or([eb('down_since', 'is not', null), eb('reached_at', 'is', null)]))
      .execute()
  }

  async #recordFailure(name: string, { reason, detail }: ToolServerError): Promise<void> {
    const at = this.#deps.now()
    await this.#deps.db
      .updateTable('tool_servers')
      .set((eb) => ({
        failures: eb('failures', '+', 1),
        failed_at: at,
        down_since: eb.fn.coalesce('down_since', eb.val(at)),
        down_reason: reason,
        down_detail: detail ?? null,
        reached_at: null,
      }))
      .where('name', '=', name)
      .execute()
  }

  async #noteTools(server: string, listed: readonly ListedTool[], adds: boolean): Promise<void> {
    const { tools, leftOut } = readDefinitions(server, listed)
    await this.#deps.db.transaction().execute(async (trx) => {
      const rows = await trx.selectFrom('foreign_tools').selectAll().where('server', '=', server).execute()
      const known = new Map(rows.map((row) => [row.name, row]))
      for (const tool of tools) {
        const row = known.get(tool.name)
        if (row) await updateTool(trx, row, tool)
        else if (adds) await trx.insertInto('foreign_tools').values(toRow(server, tool)).execute()
      }
      const names = new Set(tools.map(({ name }) => name))
      const gone = rows.filter((row) => !names.has(row.name)).map(({ name }) => name)
      if (gone.length > 0)
        await trx
          .updateTable('foreign_tools')
          .set({ gone: 1 })
          .where('server', '=', server)
          .where('name', 'in', gone)
          .execute()
      await trx.updateTable('tool_servers').set({ left_out: leftOut }).where('name', '=', server).execute()
    })
  }
}

async function updateTool(trx: Kysely<Tables>, row: ForeignToolRow, tool: ToolDefinition): Promise<void> {
  const isSame = revisionOf(tool) === revisionOf({ description: row.description, schema: readSchema(row.schema) })
  const { description, schema, problem } = tool
  const changed = isSame || problem !== null ? null : JSON.stringify({ description, schema })
  await trx
    .updateTable('foreign_tools')
    .set({ problem, changed, gone: 0 })
    .where('server', '=', row.server)
    .where('name', '=', row.name)
    .execute()
}

function toRow(server: string, { name, offeredAs, description, schema, problem }: ToolDefinition): ForeignToolRow {
  const row = { server, name, offered_as: offeredAs, description, schema: JSON.stringify(schema), problem }
  return { ...row, policy: 'confirm', changed: null, gone: 0 }
}

export function readSchema(stored: string): Record<string, unknown> {
  const read: unknown = JSON.parse(stored)
  return typeof read === 'object' && read !== null ? { ...read } : {}
}
