/**
 * The thin contract between the loop, the providers and whoever runs the loop. Nothing here knows a document: tools come
 * in as a `Toolbox`, what happens goes out through an `AgentSink`.
 */

/** What a person, or the host in their name, said. */
export type UserMessage = { role: 'user'; text: string }

/**
 * One tool call of a model. `id` is unique within a run (made by the provider where the model gives none). If the
 * arguments weren't a JSON object, `malformed` holds what came instead and `arguments` is empty: the loop answers the
 * model with an error and executes nothing.
 */
export type ToolCall = { id: string; name: string; arguments: Record<string, unknown>; malformed?: string }

/**
 * One complete answer of a model. `opaque` is the provider's own JSON form of the answer (Gemini's thought signatures,
 * Anthropic's content blocks): sent back verbatim to the same provider, ignored by every other.
 */
export type AssistantMessage = {
  role: 'assistant'
  text: string
  toolCalls: ToolCall[]
  finish: 'stop' | 'tool_calls' | 'length' | 'refused'
  provider: string
  opaque?: unknown
  /** What was said at a limit, without tools: it ends the run and counts as no round. */
  closes?: true
}

/** The outcome of one tool call, as the model reads it. */
export type ToolResultMessage = { role: 'tool'; callId: string; name: string; text: string; isError: boolean }

/** A conversation, oldest first. It is plain JSON, so that a store can keep it as it is. */
export type TranscriptMessage = UserMessage | AssistantMessage | ToolResultMessage

/** A JSON Schema as plain JSON. */
export type JsonSchema = Record<string, unknown>

/** A tool as offered to a model, with its input schema in each dialect that a provider wants. */
export type ToolDefinition = {
  name: string
  description: string
  inputSchema: { anthropic: JsonSchema; openai: JsonSchema; gemini: JsonSchema }
}

/** Tokens of one or more calls. */
export type Usage = { inputTokens: number; outputTokens: number }

export type ModelRequest = {
  system: string
  messages: readonly TranscriptMessage[]
  /** Empty: the model must answer in words. */
  tools: readonly ToolDefinition[]
}

/**
 * Why a model gave no answer. `retryable` failures may go away by themselves (429, 5xx, overloaded, a stalled or broken
 * stream); `retryAfterMs` is what the service asked for. `tools_unsupported`: this model refuses tools.
 */
export type ModelFailure = {
  code:
    | 'unauthorized'
    | 'rate_limited'
    | 'overloaded'
    | 'network'
    | 'stalled'
    | 'invalid_request'
    | 'invalid_response'
    | 'tools_unsupported'
    | 'aborted'
  message: string
  retryable: boolean
  retryAfterMs?: number
}

/**
 * What a provider's stream consists of. It ends with exactly one `done` or `failed` and never throws once it is open.
 * `usage` counts what the service reported, in a failed call too.
 */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'tool-call-started'; id: string; name: string }
  | { type: 'tool-call-delta'; id: string; json: string }
  | { type: 'done'; message: AssistantMessage; usage: Usage }
  | { type: 'failed'; failure: ModelFailure; usage: Usage }

/** A model behind a service. Adding one is a file in `providers/`, its fixtures, and a line in the index. */
export interface ModelProvider {
  readonly id: 'anthropic' | 'openai' | 'gemini' | 'builtin'
  readonly model: string
  stream(request: ModelRequest, options: { signal: AbortSignal }): AsyncIterable<ModelEvent>
}

/** What a held call would change, in plain text. */
export type HeldChange = { before: string; after: string }

/**
 * The outcome of executing a tool call: `text` for the model, `summary` one line for people. With `held` the call was not
 * executed and waits for a person's word; `held` is what it would change. `rejected`: a person said no. For people who look closer:
 * `excerpt` is the beginning of what a reading call found, `problem` why a call failed.
 */
export type ToolOutcome = {
  ok: boolean
  text: string
  summary: string
  details?: unknown
  held?: readonly HeldChange[]
  rejected?: true
  excerpt?: string
  problem?: { message: string; hint?: string }
}

/**
 * What a person has said about a call that was held. `by` is their name; `arguments` replaces what the model proposed;
 * `waiting`: they have said nothing yet.
 */
export type CallDecision =
  | { kind: 'waiting' }
  | { kind: 'approved'; by: string; arguments?: Record<string, unknown> }
  | { kind: 'rejected'; by: string; reason?: string }

/**
 * The tools of a run. `execute` never throws for what a model can cause; it may reject when `signal` is aborted.
 * `approved`: a person has approved this very call.
 */
export interface Toolbox {
  readonly definitions: readonly ToolDefinition[]
  execute(call: ToolCall, options: { signal: AbortSignal; approved?: boolean }): Promise<ToolOutcome>
}

/** What people may watch while it happens; nothing here needs to be kept. */
export type AgentEvent =
  | { type: 'round-started'; round: number; maxRounds: number }
  | { type: 'text'; text: string }
  | { type: 'text-discarded' }
  | { type: 'tool-call-started'; callId: string; name: string }
  | { type: 'tool-call-delta'; callId: string; json: string }
  | { type: 'retrying'; attempt: number; delayMs: number; reason: string }
  | { type: 'tools-refused' }

/**
 * Where the loop reports. The `save…` promises resolve when the thing is on disk, and the loop waits for each before it
 * takes the next step, so that a run can be resumed from what was saved. `usage` is the run's total so far.
 */
export interface AgentSink {
  onEvent(event: AgentEvent): void
  saveAnswer(message: AssistantMessage, progress: { rounds: number; usage: Usage }): Promise<void>
  saveStepStarted(call: ToolCall): Promise<void>
  saveStepFinished(call: ToolCall, outcome: ToolOutcome): Promise<void>
  /** The call waits for a person; it has no result yet. */
  saveStepHeld(call: ToolCall, outcome: ToolOutcome): Promise<void>
}

/**
 * How a run of the loop ended. `answer` is what the model said last. A stopped run keeps what it had said. One that is
 * `awaiting_approval` goes on once its held calls are decided: run the loop again with what was saved and `decisions`.
 */
export type AgentOutcome = {
  status: 'completed' | 'failed' | 'stopped' | 'limit_reached' | 'awaiting_approval'
  answer: string
  error?: { code: string; message: string }
  rounds: number
  usage: Usage
}

/**
 * Everything one run of the loop needs. `transcript` is the conversation so far; when a run is resumed it ends with the
 * answers and results that were saved, and the loop goes on from there: calls of the last answer that have no result
 * are executed first. `progress` is what was already used.
 */
export type AgentRunOptions = {
  provider: ModelProvider
  toolbox: Toolbox
  system: string
  transcript: readonly TranscriptMessage[]
  progress?: { rounds: number; usage: Usage }
  /** What people have said about held calls, by the call's id. */
  decisions?: ReadonlyMap<string, CallDecision>
  maxRounds: number
  /** Input and output tokens of the whole run; reaching it ends the run as `limit_reached`. */
  tokenLimit: number
  signal: AbortSignal
  sink: AgentSink
  /** Waiting, handed in so that tests need no clock. Rejects when the signal is aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** A number in [0, 1), for jitter. */
  random: () => number
}
