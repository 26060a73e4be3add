import type { FetchLike, Transport } from '@modelcontextprotocol/client'
import { type Dispatcher, fetch, type RequestInit as UndiciRequestInit } from 'undici'
import { readAddress } from '../../web/guarded-fetch.ts'
import { ToolServerError } from './tool-server-error.ts'

/** The way to a tool server: an address with the required headers, or a command of the configuration. */
export type ServerAddress =
  | { kind: 'http'; url: string; headers: Record<string, string> }
  | { kind: 'stdio'; command: string; args: readonly string[]; env: Record<string, string>; cwd?: string | undefined }

/** The most bytes of one HTTP response or one message of a process. */
const largestMessage = 4 * 1024 * 1024

/**
 * The number of characters kept of a process's error output: its end, which contains the reason why the process ended.
 */
const keptErrors = 2_000

/** A transport that is not started, and a function that returns the end of its process's error output. */
export type OpenTransport = { transport: Transport; errors: () => string }

/**
 * Creates the transport to a tool server. Over HTTP it connects only to addresses that `dispatcher` allows, redirects
 * stay within the origin, and no cookies are kept. A process only gets the variables of this server that programs
 * generally need, such as `PATH`.
 */
export async function createTransport(address: ServerAddress, dispatcher: Dispatcher): Promise<OpenTransport> {
  if (address.kind === 'stdio') return createProcess(address)
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const transport = new StreamableHTTPClientTransport(new URL(address.url), {
    requestInit: { headers: address.headers },
    fetch: createFetch(dispatcher),
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  })
  return { transport, errors: () => '' }
}

async function createProcess({
  command,
  args,
  env,
  cwd,
}: Extract<ServerAddress, { kind: 'stdio' }>): Promise<OpenTransport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  // With a derived class the client negotiates the version on this transport. With the class itself the client starts
  // the program twice, which is slow if it must be installed, and loses the error output of the first process.
  const transport = new (class extends StdioClientTransport {})({
    command,
    args: [...args],
    env: { ...networkVariables(), ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stderr: 'pipe',
    maxBufferSize: largestMessage,
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString('utf8')).slice(-keptErrors)))
  return { transport, errors: () => errors }
}

/**
 * The variables for proxies and certificates of this machine, without which `npx` and similar programs can't reach a
 * registry.
 */
function networkVariables(): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
  const known = [...names, ...names.map((name) => name.toLowerCase())].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(known)
}

function createFetch(dispatcher: Dispatcher): FetchLike {
  return async (given, init) => {
    const url = readAddress(String(given))
    if (!url) throw new ToolServerError('unreachable')
    // The transport uses the browser's types and undici those of Node; the objects are the same at run time.
    const request = {
      ...init,
      dispatcher,
      redirect: init?.redirect === 'error' ? 'error' : 'manual',
    } as UndiciRequestInit
    const response = await fetch(url, request)
    if (response.body === null) return response as unknown as Response
    const { status, statusText } = response
    const headers = [...response.headers]
    const limited = response.body.pipeThrough(createByteLimit())
    const body = limited as unknown as ReadableStream<Uint8Array>
    return new Response(body, { status, statusText, headers })
  }
}

function createByteLimit(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.byteLength
      if (length > largestMessage) controller.error(new ToolServerError('protocol', 'an answer is too large'))
      else controller.enqueue(chunk)
    },
  })
}
