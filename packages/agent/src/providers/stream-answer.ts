import { aborted, orAborted } from '../abort.ts'
import type { AssistantMessage, ModelEvent, ModelFailure, Usage } from '../contract.ts'
import { createExchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'

/** What may come before the end of a stream. */
export type PartialEvent = Exclude<ModelEvent, { type: 'done' | 'failed' }>

/**
 * How one provider reads its service's chunks: a small state machine. `read` turns a chunk into events; `finish` gives
 * the complete answer, a failure that the service put into words of its own, or `undefined` while the service hasn't
 * said that it is finished.
 */
export interface AnswerReader<Chunk> {
  read(chunk: Chunk): Iterable<PartialEvent>
  finish(): AssistantMessage | ModelFailure | undefined
  usage(): Usage
}

/** One call of a model through its SDK: how to open the stream, read it, and explain what went wrong. */
export type AnswerCall<Chunk> = {
  signal: AbortSignal
  idleTimeoutMs: number
  /** The name under which a whole answer is handed to an SDK that ignores nameless events. */
  eventName?: string
  open(exchange: Exchange): Promise<AsyncIterable<Chunk>>
  reader: AnswerReader<Chunk>
  explain(error: unknown, retryAfterMs: number | undefined): ModelFailure
}

/**
 * Streams one answer and ends with exactly one `done` or `failed`, whatever the service, the network or the SDK does. A
 * stream that stops without a finish reason is an `invalid_response`, even where the SDK takes it for a complete one;
 * trouble after the finish reason no longer matters.
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
  // The SDKs are raced with the signal instead of trusted with it: not all of them end when it is aborted.
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
