import type { Dispatcher } from 'undici'
import { type ConnectionTimes, openConnection, type ServerConnection } from './connection.ts'
import { ToolServerError } from './tool-server-error.ts'
import type { ServerAddress } from './transport.ts'

/** The time limits of connections to tool servers, in milliseconds. */
export type ToolServerTimes = ConnectionTimes & { idleMs: number }

/** A server to connect to. A new `version` of a server replaces its connection. */
export type Target = { name: string; version: number; address: ServerAddress }

type Open = { version: number; opening: Promise<ServerConnection>; users: number; timer?: NodeJS.Timeout | undefined }

/**
 * The open connections to tool servers, one for each server: opened on first use, shared by all runs, and closed when
 * idle.
 */
export class Connections {
  readonly #open = new Map<string, Open>()
  readonly #dispatcher: Dispatcher
  readonly #times: ToolServerTimes
  readonly #closing = new AbortController()

  constructor(dispatcher: Dispatcher, times: ToolServerTimes) {
    this.#dispatcher = dispatcher
    this.#times = times
  }

  /**
   * Calls `work` with the connection to a server, which is opened if necessary; `onOpened` is called before, once for
   * each connection. @throws ToolServerError, and the errors of `work` and `onOpened`.
   */
  async use<T>(
    target: Target,
    onOpened: (connection: ServerConnection) => Promise<void>,
    work: (connection: ServerConnection) => Promise<T>,
  ): Promise<T> {
    const open = await this.#find(target, onOpened)
    open.users += 1
    clearTimeout(open.timer)
    try {
      return await work(await open.opening)
    } catch (error) {
      // The next call connects again, for example if the server has lost the session.
      if (error instanceof ToolServerError) this.#forget(target.name, open)
      throw error
    } finally {
      open.users -= 1
      if (open.users === 0) this.#closeLater(target.name, open)
    }
  }

  /** Closes the connection to a server, if there is one. */
  async drop(name: string): Promise<void> {
    const open = this.#open.get(name)
    if (!open) return
    this.#forget(name, open)
    await closeQuietly(open)
  }

  /** Closes all connections permanently, also those that are being opened. May be called twice. */
  async close(): Promise<void> {
    this.#closing.abort(new ToolServerError('ended'))
    await Promise.all([...this.#open.keys()].map((name) => this.drop(name)))
  }

  async #find({ name, version, address }: Target, onOpened: (connection: ServerConnection) => Promise<void>) {
    const known = this.#open.get(name)
    const isUsable = known?.version === version && !(await known.opening.catch(() => undefined))?.isClosed
    if (known && isUsable && this.#open.get(name) === known) return known
    if (known && this.#open.get(name) === known) await this.drop(name)
    // Another call may have opened it meanwhile.
    const other = this.#open.get(name)
    if (other) return other
    this.#closing.signal.throwIfAborted()
    const opening = openConnection(address, this.#dispatcher, this.#times, this.#closing.signal).then(
      async (connection) => {
        try {
          await onOpened(connection)
          return connection
        } catch (error) {
          await connection.close()
          throw error
        }
      },
    )
    opening.catch(() => undefined)
    const made: Open = { version, opening, users: 0 }
    this.#open.set(name, made)
    return made
  }

  #closeLater(name: string, open: Open): void {
    if (this.#open.get(name) !== open) return void closeQuietly(open)
    open.timer = setTimeout(() => {
      this.#forget(name, open)
      void closeQuietly(open)
    }, this.#times.idleMs).unref()
  }

  #forget(name: string, open: Open): void {
    clearTimeout(open.timer)
    if (this.#open.get(name) === open) this.#open.delete(name)
  }
}

async function closeQuietly({ opening }: Open): Promise<void> {
  const connection = await opening.catch(() => undefined)
  await connection?.close()
}
