import type { Client, JsonSchemaValidator, RequestOptions, VersionNegotiationMode } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import type { ToolServerTrouble } from '@copydesk/protocol'
import { CallResult } from '../result-text.ts'
import type { z } from 'zod'
import { toToolServerError } from './tool-server-error.ts'
import type { ListedTool } from '../tool-definitions.ts'
import { createTransport, type ServerAddress } from './transport.ts'

/** Time limits of a tool server in milliseconds: `startMs` is for a program, which may have to be installed first. */
export type ConnectionTimes = { openMs: number; startMs: number; listMs: number; callMs: number }

/**
 * A tool server's answer to a call. `refused`: the server refused the call, with its message; `slow`: the call timed
 * out; `unusable`: the answer violates the protocol or is too large.
 */
export type CallAnswer =
  | { ok: true; result: z.infer<typeof CallResult> }
  | { ok: false; why: 'refused'; words: string }
  | { ok: false; why: 'slow' | 'unusable' }

/** An open connection to a tool server. Every method rejects with a `ToolServerError`, unless its signal is aborted. */
export type ServerConnection = {
  readonly isClosed: boolean
  /** Whether the server has announced a change of its tools since the last list. */
  readonly isListStale: boolean
  listTools(): Promise<ListedTool[]>
  callTool(name: string, given: Record<string, unknown>, signal: AbortSignal): Promise<CallAnswer>
  /** Ends the session and the process. May be called twice. */
  close(): Promise<void>
}

/** Connects to a tool server, until `closing` is aborted. @throws ToolServerError. */
export async function openConnection(
  address: ServerAddress,
  dispatcher: Dispatcher,
  times: ConnectionTimes,
  closing: AbortSignal,
): Promise<ServerConnection> {
  const { ProtocolError } = await import('@modelcontextprotocol/client')
  const state = { isClosed: false, isListStale: false }
  const ms = address.kind === 'stdio' ? times.startMs : times.openMs
  const signal = AbortSignal.any([closing, AbortSignal.timeout(ms)])
  const { client, errors } = await connect(address, dispatcher, { ...within(ms), signal }, state)
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
        throw toToolServerError(error, errors())
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
        const failure = toToolServerError(error, errors())
        const why = unanswered[failure.reason]
        if (why) return { ok: false, why }
        throw failure
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
  options: RequestOptions & { signal: AbortSignal },
  state: { isClosed: boolean; isListStale: boolean },
  mode: VersionNegotiationMode = 'auto',
): Promise<{ client: Client; errors: () => string }> {
  const { Client: SdkClient, SdkErrorCode } = await import('@modelcontextprotocol/client')
  const client: Client = new SdkClient(
    { name: 'Copydesk', version: '1' },
    {
      versionNegotiation: { mode },
      // Results are read as text. A hostile schema must not be compiled: its patterns could block this thread.
      jsonSchemaValidator: { getValidator: acceptAnything },
      listChanged: { tools: { autoRefresh: false, onChanged: () => void (state.isListStale = true) } },
    },
  )
  const { transport, errors } = await createTransport(address, dispatcher)
  state.isClosed = false
  client.onclose = () => void (state.isClosed = true)
  // An error of a message rejects its request, or the request reaches its time limit.
  client.onerror = () => undefined
  // The client ignores the signal during the negotiation of the version.
  const stop = (): void => void transport.close()
  options.signal.addEventListener('abort', stop)
  try {
    options.signal.throwIfAborted()
    await client.connect(transport, options)
    return { client, errors }
  } catch (error) {
    await client.close().catch(() => undefined)
    await transport.close().catch(() => undefined)
    // Some programs end when a client asks for the protocol's version first, as newer clients do.
    const hasEnded =
      address.kind === 'stdio' && Reflect.get(Object(error), 'code') === SdkErrorCode.EraNegotiationFailed
    if (options.signal.aborted) throw toToolServerError(options.signal.reason, errors())
    if (hasEnded && mode === 'auto') return connect(address, dispatcher, options, state, 'legacy')
    throw toToolServerError(error, errors())
  } finally {
    options.signal.removeEventListener('abort', stop)
  }
}

/** Failures of a single call, which don't mark the server as down. */
const unanswered: Partial<Record<ToolServerTrouble, 'slow' | 'unusable'>> = { slow: 'slow', protocol: 'unusable' }

function within(ms: number, signal?: AbortSignal): RequestOptions {
  return { timeout: ms, maxTotalTimeout: ms, ...(signal ? { signal } : {}) }
}

function acceptAnything<T>(): JsonSchemaValidator<T> {
  return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
}
