import type { Client, JsonSchemaValidator, RequestOptions } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import type { ToolServerTrouble } from '@copydesk/protocol'
import { CallResult } from '../result-text.ts'
import type { z } from 'zod'
import { toTrouble } from './server-trouble.ts'
import type { ListedTool } from '../tool-definitions.ts'
import { createTransport, type ServerAddress } from './transport.ts'

/** How long a tool server may take, in milliseconds: `startMs` for a program, which may have to be installed first. */
export type ConnectionTimes = { openMs: number; startMs: number; listMs: number; callMs: number }

/**
 * What a tool server answered to a call. `refused`: it refused the call itself, with these words of its own; `slow`:
 * not in time; `unusable`: not as the protocol wants, or too large.
 */
export type CallAnswer =
  | { ok: true; result: z.infer<typeof CallResult> }
  | { ok: false; why: 'refused'; words: string }
  | { ok: false; why: 'slow' | 'unusable' }

/** An open connection to a tool server. Every method rejects with a `ServerTrouble`, unless its signal is aborted. */
export type ServerConnection = {
  readonly isClosed: boolean
  /** Whether the server has said that its tools have changed since they were listed last. */
  readonly isListStale: boolean
  listTools(): Promise<ListedTool[]>
  callTool(name: string, given: Record<string, unknown>, signal: AbortSignal): Promise<CallAnswer>
  /** Ends the session and the process. May be called twice. */
  close(): Promise<void>
}

/** Connects to a tool server. @throws ServerTrouble. */
export async function openConnection(
  address: ServerAddress,
  dispatcher: Dispatcher,
  times: ConnectionTimes,
): Promise<ServerConnection> {
  const { ProtocolError } = await import('@modelcontextprotocol/client')
  const state = { isClosed: false, isListStale: false }
  const { client, errors } = await connect(address, dispatcher, times, state)
  return {
    get isClosed() {
      return state.isClosed
    },
    get isListStale() {
      return state.isListStale
    },
    async listTools() {
      state.isListStale = false
      try {
        return (await client.listTools(undefined, { ...within(times.listMs), cacheMode: 'refresh' })).tools
      } catch (error) {
        throw toTrouble(error, errors())
      }
    },
    async callTool(name, given, signal) {
      try {
        const result = await client.callTool({ name, arguments: given }, within(times.callMs, signal))
        const parsed = CallResult.safeParse(result)
        return parsed.success ? { ok: true, result: parsed.data } : { ok: false, why: 'unusable' }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ProtocolError) return { ok: false, why: 'refused', words: error.message }
        const trouble = toTrouble(error, errors())
        const why = unanswered[trouble.reason]
        if (why) return { ok: false, why }
        throw trouble
      }
    },
    async close() {
      state.isClosed = true
      await client.close().catch(() => undefined)
    },
  }
}

async function connect(
  address: ServerAddress,
  dispatcher: Dispatcher,
  { openMs, startMs }: ConnectionTimes,
  state: { isClosed: boolean; isListStale: boolean },
): Promise<{ client: Client; errors: () => string }> {
  const { Client: SdkClient } = await import('@modelcontextprotocol/client')
  const client: Client = new SdkClient(
    { name: 'Copydesk', version: '1' },
    {
      versionNegotiation: { mode: 'auto' },
      // Results are read as text. A hostile schema must not be compiled: its patterns could block this thread.
      jsonSchemaValidator: { getValidator: acceptAnything },
      listChanged: { tools: { autoRefresh: false, onChanged: () => void (state.isListStale = true) } },
    },
  )
  const { transport, errors } = await createTransport(address, dispatcher)
  client.onclose = () => void (state.isClosed = true)
  // Trouble with a message rejects the request that waits for it, or ends at its time limit.
  client.onerror = () => undefined
  try {
    const ms = address.kind === 'stdio' ? startMs : openMs
    await client.connect(transport, within(ms, AbortSignal.timeout(ms)))
    return { client, errors }
  } catch (error) {
    await client.close().catch(() => undefined)
    throw toTrouble(error, errors())
  }
}

/** Trouble with one call, which says nothing about the server. */
const unanswered: Partial<Record<ToolServerTrouble, 'slow' | 'unusable'>> = { slow: 'slow', protocol: 'unusable' }

function within(ms: number, signal?: AbortSignal): RequestOptions {
  return { timeout: ms, maxTotalTimeout: ms, ...(signal ? { signal } : {}) }
}

function acceptAnything<T>(): JsonSchemaValidator<T> {
  return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
}
