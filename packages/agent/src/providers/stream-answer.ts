import { aborted, orAborted } from '../abort.ts'
import type { AssistantMessage, ModelEvent, ModelFailure, Usage, ToolCall, ModelRequest } from '../contract.ts'
import { createExchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'

/** The events that may precede the end of a stream. */
export type PartialEvent = Exclude<ModelEvent, { type: 'done' | 'failed' }>

/**
 * A state machine that reads one service's chunks. `read` turns a chunk into events; `finish` returns the complete
 * answer, a failure that the service reported, or `undefined` if the service hasn't reported the end.
 */
export interface AnswerReader<Chunk> {
  read(chunk: Chunk): Iterable<PartialEvent>
  finish(): AssistantMessage | ModelFailure | undefined
  usage(): Usage
}

/** One call of a model through its SDK: how to open the stream, read it, and map its errors. */
export type AnswerCall<Chunk> = {
  signal: AbortSignal
  idleTimeoutMs: number
  /** The event name with which a whole answer is passed to an SDK that ignores unnamed events. */
  eventName?: string
  open(exchange: Exchange): Promise<AsyncIterable<Chunk>>
  reader: AnswerReader<Chunk>
  explain(error: unknown, retryAfterMs: number | undefined): ModelFailure
}

/**
 * Streams one answer and ends with exactly one `done` or `failed`, for any behaviour of the service, the network or the
 * SDK. A stream that stops without a finish reason is an `invalid_response`, even if the SDK treats it as complete;
 * errors after the finish reason are ignored.
 */
export async function* streamAnswer<Chunk>(call: AnswerCall<Chunk>): AsyncGenerator<ModelEvent> {
  const exchange = createExchange(call)
  let trouble: ModelFailure | undefined
  try {
    for await (const chunk of openChunks(call, exchange)) {
      yield* call.reader.read(chunk)
    }
  } catch (error) {
    trouble = call.explain(error, exchange.retryAfterMs())
  } finally {
    exchange.close()
  }
  yield conclude(call, exchange, trouble)
}

async function* openChunks<Chunk>(call: AnswerCall<Chunk>, exchange: Exchange): AsyncGenerator<Chunk> {
  // The SDK call is raced against the signal: not all SDKs end when it is aborted.
  const chunks = await orAborted(call.open(exchange), exchange.signal)
  if (chunks === aborted) return
  const iterator = chunks[Symbol.asyncIterator]()
  for (;;) {
    const next = await orAborted(iterator.next(), exchange.signal)
    if (next === aborted || next.done) return
    yield next.value
  }
}

function conclude<Chunk>(call: AnswerCall<Chunk>, exchange: Exchange, trouble: ModelFailure | undefined): ModelEvent {
  const usage = call.reader.usage()
  const fail = (failure: ModelFailure): ModelEvent => ({ type: 'failed', failure, usage })
  if (call.signal.aborted) return fail({ code: 'aborted', message: 'Stopped.', retryable: false })
  const result = call.reader.finish()
  if (result && 'role' in result) return { type: 'done', message: result, usage }
  if (exchange.stalled()) {
    const seconds = Math.max(1, Math.round(call.idleTimeoutMs / 1000))
    return fail({ code: 'stalled', message: `The service sent nothing for ${seconds} s.`, retryable: true })
  }
  return fail(
    trouble ??
      result ?? { code: 'invalid_response', message: 'The answer ended before it was finished.', retryable: true },
  )
}

/**
 * Parses the arguments of a call as a model wrote them. An empty text counts as an empty object, since models send none
 * for tools without arguments; any other value than a JSON object is kept in `malformed` for the loop to report.
 */
export function readArguments(json: string): Pick<ToolCall, 'arguments' | 'malformed'> {
  if (json.trim() === '') return { arguments: {} }
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { arguments: Object.fromEntries(Object.entries(value)) }
    }
  } catch {
    // Falls through: unparsable text is malformed, like a value that isn't an object.
  }
  return { arguments: {}, malformed: json }
}

/**
 * Assigns call ids that are unique within a run: the service's own id if it is new, else one made from `prefix`, the
 * length of the conversation and a counter. Some servers send no ids, and others begin with `call_0` in every answer,
 * so that the receipt of one call would match another.
 */
export function createCallIds(
  { messages, earlierCalls = [] }: Pick<ModelRequest, 'messages' | 'earlierCalls'>,
  prefix: string,
): (given?: string | null) => string {
  const taken = new Set(earlierCalls)
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls) taken.add(call.id)
  }
  let made = 0
  return (given) => {
    let id = given ?? ''
    while (id === '' || taken.has(id)) id = `${prefix}${messages.length}_${made++}`
    taken.add(id)
    return id
  }
}
