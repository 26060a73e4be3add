import { setImmediate } from 'node:timers/promises'
import { aborted, orAborted } from '../abort.ts'
import type {
  AgentEvent,
  AgentRunOptions,
  AssistantMessage,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  Usage,
} from '../contract.ts'

const maxAttempts = 3
const baseDelayMs = 1_000
const maxDelayMs = 20_000
const maxRetryAfterMs = 60_000

/**
 * The outcome of a call of the model, over all its attempts. `usage` includes failed attempts; `said` is the text that
 * a stopped call had streamed.
 */
export type CallResult =
  | { kind: 'answer'; message: AssistantMessage; usage: Usage }
  | { kind: 'failed'; failure: ModelFailure; usage: Usage }
  | { kind: 'stopped'; said: string; usage: Usage }

type CallOptions = Pick<AgentRunOptions, 'provider' | 'signal' | 'wait' | 'random'> & {
  onEvent: (event: AgentEvent) => void
}

/**
 * Calls the model, with retries after transient failures: three attempts, waiting about one and two seconds, or the
 * delay that the service requested, up to a minute. `text-discarded` revokes the text that a failed attempt had
 * streamed. Never throws.
 */
export async function callModel(request: ModelRequest, options: CallOptions): Promise<CallResult> {
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(request, options)
    usage.inputTokens += outcome.usage.inputTokens
    usage.outputTokens += outcome.usage.outputTokens
    if (outcome.kind === 'answer') return { kind: 'answer', message: outcome.message, usage }
    if (outcome.kind === 'stopped') return { kind: 'stopped', said: outcome.said, usage }
    if (outcome.streamed) options.onEvent({ type: 'text-discarded' })
    const { failure } = outcome
    if (!failure.retryable || attempt >= maxAttempts) return { kind: 'failed', failure, usage }
    const delayMs = toDelay(attempt, failure.retryAfterMs, options.random())
    options.onEvent({ type: 'retrying', attempt: attempt + 1, delayMs, reason: failure.message })
    const waited = await orAborted(
      options.wait(delayMs, options.signal).catch(() => undefined),
      options.signal,
    )
    if (waited === aborted || options.signal.aborted) return { kind: 'stopped', said: '', usage }
  }
}

// Exponential with jitter, never less than the delay that the service requested (at most a minute).
function toDelay(attempt: number, retryAfterMs: number | undefined, random: number): number {
  const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)) * (0.5 + random / 2)
  return Math.round(Math.max(backoff, Math.min(retryAfterMs ?? 0, maxRetryAfterMs)))
}

type AttemptResult =
  | { kind: 'answer'; message: AssistantMessage; usage: Usage }
  | { kind: 'failed'; failure: ModelFailure; usage: Usage; streamed: boolean }
  | { kind: 'stopped'; said: string; usage: Usage }

async function attemptOnce(request: ModelRequest, options: CallOptions): Promise<AttemptResult> {
  const events = openEvents(request, options)
  let said = ''
  let streamed = false
  for (;;) {
    const pending = nextEvent(events)
    const event = await orAborted(pending, options.signal)
    if (event === aborted) return { kind: 'stopped', said, usage: await lastUsage(events, pending) }
    if (event.type === 'done') return toResult(request, event.message, event.usage, streamed)
    if (event.type === 'failed') {
      if (event.failure.code === 'aborted') return { kind: 'stopped', said, usage: event.usage }
      return { kind: 'failed', failure: event.failure, usage: event.usage, streamed }
    }
    streamed = true
    if (event.type === 'text') said += event.text
    options.onEvent(toAgentEvent(event))
  }
}

async function* openEvents(request: ModelRequest, options: CallOptions): AsyncGenerator<ModelEvent> {
  yield* options.provider.stream(request, { signal: options.signal })
}

// A provider must neither throw nor end without a final event. If one does, the call fails, not the run.
async function nextEvent(events: AsyncGenerator<ModelEvent>): Promise<ModelEvent> {
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  const fail = (message: string, retryable: boolean): ModelEvent => {
    return { type: 'failed', failure: { code: 'invalid_response', message, retryable }, usage }
  }
  try {
    const next = await events.next()
    return next.done ? fail('The answer ended before it was finished.', true) : next.value
  } catch (error) {
    return fail(`The provider failed: ${String(error)}`, false)
  }
}

// A stopped stream usually still ends with its usage. Waits for it for at most one turn of the event loop.
async function lastUsage(events: AsyncGenerator<ModelEvent>, pending: Promise<ModelEvent>): Promise<Usage> {
  const last = await Promise.race([pending, setImmediate(undefined)])
  events.return(undefined).catch(() => undefined)
  return last?.type === 'failed' || last?.type === 'done' ? last.usage : { inputTokens: 0, outputTokens: 0 }
}

function toResult(request: ModelRequest, message: AssistantMessage, usage: Usage, streamed: boolean): AttemptResult {
  // After tool results a model may have nothing to add; an empty text is not an answer to a question.
  const mayBeSilent = request.messages.at(-1)?.role === 'tool'
  const isSilent = message.text.trim() === '' && message.toolCalls.length === 0 && message.finish === 'stop'
  if (!isSilent || mayBeSilent) return { kind: 'answer', message, usage }
  const failure: ModelFailure = { code: 'invalid_response', message: 'The model said nothing.', retryable: true }
  return { kind: 'failed', failure, usage, streamed }
}

function toAgentEvent(event: Exclude<ModelEvent, { type: 'done' | 'failed' }>): AgentEvent {
  switch (event.type) {
    case 'text':
      return event
    case 'tool-call-started':
      return { type: 'tool-call-started', callId: event.id, name: event.name }
    case 'tool-call-delta':
      return { type: 'tool-call-delta', callId: event.id, json: event.json }
  }
}
