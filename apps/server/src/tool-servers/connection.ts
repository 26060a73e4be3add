import type { Client, JsonSchemaValidator } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import { CallResult } from './result-text.ts'
import type { z } from 'zod'
import { toTrouble } from './server-trouble.ts'
import type { ListedTool } from './tool-definitions.ts'
import { createTransport, type ServerAddress } from './transport.ts'

/** How long a tool server may take, in milliseconds. */
export type ConnectionTimes = { openMs: number; listMs: number; callMs: number }

/**
 * What a tool server answered to a call. `refused`: it refused the call itself, with these words of its own; `slow`: not
 * in time; `unusable`: not as the protocol wants, or too large.
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
  const { Client: SdkClient, ProtocolError } = await import('@modelcontextprotocol/client')
  let isListStale = false
  let isClosed = false
  const client: Client = new SdkClient(
    { name: 'Copydesk', version: '1' },
    {
      versionNegotiation: { mode: 'auto' },
      // Results are read as text. A hostile schema must not be compiled: its patterns could block this thread.
      jsonSchemaValidator: { getValidator: acceptAnything },
      listChanged: { tools: { autoRefresh: false, onChanged: () => void (isListStale = true) } },
    },
  )
  const { transport, errors } = await createTransport(address, dispatcher)
  client.onclose = () => void (isClosed = true)
  // Trouble with a message rejects the request that waits for it, or ends at its time limit.
  client.onerror = () => undefined
  const close = async (): Promise<void> => {
    isClosed = true
    await client.close().catch(() => undefined)
  }
  try {
    const timeout = AbortSignal.timeout(times.openMs)
    await client.connect(transport, { timeout: times.openMs, maxTotalTimeout: times.openMs, signal: timeout })
  } catch (error) {
    await close()
    throw toTrouble(error, errors())
  }
  return {
    get isClosed() {
      return isClosed
    },
    get isListStale() {
      return isListStale
    },
    async listTools() {
      isListStale = false
      try {
        const within = { timeout: times.listMs, maxTotalTimeout: times.listMs, cacheMode: 'refresh' } as const
        return (await client.listTools(undefined, within)).tools
      } catch (error) {
        throw toTrouble(error, errors())
      }
    },
    async callTool(name, given, signal) {
      try {
        const within = { signal, timeout: times.callMs, maxTotalTimeout: times.callMs }
        const parsed = CallResult.safeParse(await client.callTool({ name, arguments: given }, within))
        return parsed.success ? { ok: true, result: parsed.data } : { ok: false, why: 'unusable' }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ProtocolError) return { ok: false, why: 'refused', words: error.message }
        const trouble = toTrouble(error, errors())
        if (trouble.reason === 'slow') return { ok: false, why: 'slow' }
        if (trouble.reason === 'protocol') return { ok: false, why: 'unusable' }
        throw trouble
      }
    },
    close,
  }
}

function acceptAnything<T>(): JsonSchemaValidator<T> {
  return (input) => ({ valid: true, data: input as T, errorMessage: undefined })
}
