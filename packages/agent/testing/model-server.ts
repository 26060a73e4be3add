import { setTimeout } from 'node:timers/promises'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { listenLocally } from '@copydesk/testing'
import type { Usage } from '../src/contract.ts'
import { readJson } from './fixture-server.ts'
import { anthropicWire } from './wire/anthropic.ts'
import { geminiWire } from './wire/gemini.ts'
import { openaiWire } from './wire/openai.ts'
import { asRecord, cut } from './wire/wire.ts'
import type { ParsedMessage, ParsedRequest, Wire, WireFinish, WireName } from './wire/wire.ts'

export type { ParsedMessage, ParsedRequest, WireFinish, WireName }

/** Where a call pauses while it is written: after this share of its pieces, until the promise resolves. */
type Hold = { after: number; until: Promise<unknown> }

/**
 * A piece of an answer: text, a call, a pause (for so many ms or until a promise resolves), permanent silence, or an
 * aborted connection. A call may be written slowly, a piece in `everyMs`, and pause at `hold`. The `arguments` of a
 * call may be a string, to send invalid JSON (not for Gemini, whose calls come whole).
 */
export type ModelServerChunk =
  | { text: string }
  | {
      toolCall: {
        name: string
        arguments: Record<string, unknown> | string
        id?: string
        everyMs?: number
        hold?: Hold
      }
    }
  | { delayMs: number }
  | { until: Promise<unknown> }
  | { stall: true }
  | { tear: true }

/**
 * The service's response to a request: an answer in pieces, or an error with its status. By default `finish` follows
 * from the pieces and usage is 100 and 20 tokens. `textSize` splits texts into pieces of so many characters.
 */
export type ModelServerAnswer =
  | { chunks: readonly ModelServerChunk[]; finish?: WireFinish; usage?: Usage; textSize?: number }
  | { error: { status: number; message: string; kind?: string; headers?: Record<string, string> } }

/**
 * A request as a script sees it: `index` counts from 0, `lastUser` is the last user message, `results` are the tool
 * results since then.
 */
export type ModelServerRequest = ParsedRequest & {
  index: number
  lastUser: string
  results: string[]
  headers: IncomingHttpHeaders
}

/** Decides the response of a simulated model. A plain string is a text answer. */
export type ModelScript = (
  request: ModelServerRequest,
) => ModelServerAnswer | string | Promise<ModelServerAnswer | string>

/** A local server that speaks a service's real wire format. `baseURL` is the value for the provider's settings. */
export type ModelServer = {
  baseURL: string
  /** The environment variables that make a server process use this one. */
  environment: Record<string, string>
  requests: ModelServerRequest[]
  close(): Promise<void>
}

const wires: Record<WireName, Wire> = { anthropic: anthropicWire, openai: openaiWire, gemini: geminiWire }

const environments: Record<WireName, (baseURL: string) => Record<string, string>> = {
  anthropic: (baseURL) => ({ AGENT_PROVIDER: 'anthropic', ANTHROPIC_API_KEY: 'played', ANTHROPIC_BASE_URL: baseURL }),
  openai: (baseURL) => ({ AGENT_PROVIDER: 'openai', OPENAI_API_KEY: 'played', OPENAI_BASE_URL: baseURL }),
  gemini: (baseURL) => ({ AGENT_PROVIDER: 'gemini', GEMINI_API_KEY: 'played', GOOGLE_GEMINI_BASE_URL: baseURL }),
}

/**
 * Starts a simulated model on the loopback interface; `port` 0, the default, takes a free one. `close()` drops open
 * streams.
 */
export async function createModelServer(options: {
  provider: WireName
  script: ModelScript
  /** The models that it lists. */
  models?: readonly string[]
  port?: number
}): Promise<ModelServer> {
  const wire = wires[options.provider]
  const requests: ModelServerRequest[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(wire.list(options.models ?? [])))
    }
    handle(wire, options.script, requests, request, response).catch((error: unknown) => {
      // The script itself failed: the client gets an error that isn't retried.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          wire.error({ status: 400, message: `the script failed: ${String(error)}`, kind: 'invalid_request_error' }),
        ),
      )
    })
  })
  const { origin, close } = await listenLocally(server, options.port)
  const baseURL = wire.baseURL(origin)
  return {
    baseURL,
    environment: environments[options.provider](baseURL),
    requests,
    close,
  }
}

async function handle(
  wire: Wire,
  script: ModelScript,
  requests: ModelServerRequest[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parsed = wire.parse(request.url ?? '', asRecord(await readJson(request)))
  const seen = { ...parsed, index: requests.length, ...readTurn(parsed.messages), headers: request.headers }
  requests.push(seen)
  const said = await script(seen)
  const answer = typeof said === 'string' ? { chunks: [{ text: said }] } : said
  if ('error' in answer) {
    response.writeHead(answer.error.status, { 'content-type': 'application/json', ...answer.error.headers })
    response.end(JSON.stringify(wire.error(answer.error)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  // Sends small chunks immediately, like a service.
  response.socket?.setNoDelay(true)
  await stream(wire, parsed.model, answer, `call_${seen.index}`, response)
}

async function stream(
  wire: Wire,
  model: string,
  answer: Extract<ModelServerAnswer, { chunks: unknown }>,
  idPrefix: string,
  response: ServerResponse,
): Promise<void> {
  const encoder = wire.createEncoder(model)
  let calls = 0
  response.write(encoder.begin())
  for (const chunk of answer.chunks) {
    if (response.destroyed) return
    if ('text' in chunk) {
      for (const piece of cut(chunk.text, answer.textSize ?? 8)) await write(response, encoder.text(piece))
    } else if ('toolCall' in chunk) {
      const { name, id, arguments: given, everyMs, hold } = chunk.toolCall
      const json = typeof given === 'string' ? given : JSON.stringify(given)
      const pieces = encoder.toolCall({ id: id ?? `${idPrefix}_${calls}`, name, json })
      for (const [index, piece] of pieces.entries()) {
        if (hold && index === Math.floor(hold.after * pieces.length)) await hold.until
        if (everyMs !== undefined) await setTimeout(everyMs)
        await write(response, piece)
      }
      calls += 1
    } else if ('delayMs' in chunk) {
      await setTimeout(chunk.delayMs)
    } else if ('until' in chunk) {
      await chunk.until
    } else if ('stall' in chunk) {
      return
    } else {
      response.destroy()
      return
    }
  }
  const finish = answer.finish ?? (calls > 0 ? 'tool_calls' : 'stop')
  response.end(encoder.end(finish, answer.usage ?? { inputTokens: 100, outputTokens: 20 }))
}

// Each piece is sent separately, so that a client sees a stream and not one chunk.
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (text === '' || response.destroyed) resolve()
    else response.write(text, () => resolve())
  })
}

function readTurn(messages: readonly ParsedMessage[]): { lastUser: string; results: string[] } {
  const index = messages.findLastIndex((message) => message.role === 'user')
  const last = messages[index]
  const results = messages.slice(index + 1).filter((message) => message.role === 'tool')
  return { lastUser: last?.role === 'user' ? last.text : '', results: results.map((message) => message.text) }
}
