import type {
  AgentEvent,
  AgentOutcome,
  AgentRunOptions,
  AssistantMessage,
  ModelFailure,
  ToolDefinition,
  TranscriptMessage,
  Usage,
} from '../contract.ts'
import { aborted } from '../abort.ts'
import { callModel } from './model-call.ts'
import type { CallResult } from './model-call.ts'
import { createRepetitionGuard } from './repetition.ts'
import type { RepetitionGuard } from './repetition.ts'
import { executeCalls } from './tool-calls.ts'
import { addUsage, fitMessages } from './summarise.ts'
import { findNextStep } from './transcript.ts'
import {
  cutOffNote,
  closingInstruction,
  refusedAnswer,
  repetitionAnswer,
  silentAnswer,
  unclosedAnswer,
  wordsOnlyNote,
} from './loop-messages.ts'

type RunState = {
  messages: TranscriptMessage[]
  rounds: number
  usage: Usage
  /** The model's last text in this run. */
  said: string
  toolsRefused: boolean
  guard: RepetitionGuard
}

/**
 * Runs an agent until it has answered, failed, was stopped or reached a limit. Each answer and each result is saved
 * through the sink before the next step starts; a resumed run continues from the saved data. Any behaviour of a model
 * or its service becomes an outcome; the promise rejects only if the sink or the toolbox fails. The closing call at a
 * limit and the sentence that ends a repetition don't count as rounds. A run with held calls ends as
 * `awaiting_approval` before the model is called again.
 */
export async function runAgent(options: AgentRunOptions): Promise<AgentOutcome> {
  const state: RunState = {
    messages: [...options.transcript],
    rounds: options.progress?.rounds ?? 0,
    usage: { inputTokens: 0, outputTokens: 0, ...options.progress?.usage },
    said: '',
    toolsRefused: false,
    guard: createRepetitionGuard(options.transcript),
  }
  const next = findNextStep(state.messages)
  if (options.signal.aborted) return toOutcome(state, 'stopped')
  if (next.kind === 'complete') {
    state.said = next.answer.text
    return toOutcome(state, next.answer.closes ? 'limit_reached' : 'completed')
  }
  if (next.kind === 'execute') {
    state.said = next.answer.text
    const ended = await runCalls(options, state, next.answer, next.calls)
    if (ended) return ended
  }
  for (;;) {
    const limit = await findLimit(options, state)
    if (limit !== undefined) return close(options, state, limit)
    const ended = await runRound(options, state)
    if (ended) return ended
  }
}

/** The limit that doesn't allow another round. */
async function findLimit(options: AgentRunOptions, state: RunState): Promise<string | undefined> {
  if (state.rounds >= options.maxRounds) return 'rounds'
  return tokensOf(state.usage) >= options.tokenLimit ? 'tokens' : options.usedUp?.()
}

async function runRound(options: AgentRunOptions, state: RunState): Promise<AgentOutcome | undefined> {
  options.sink.onEvent({ type: 'round-started', round: state.rounds + 1, maxRounds: options.maxRounds })
  const result = await ask(options, state)
  if (result.kind === 'stopped') return toOutcome(state, 'stopped', result.said)
  if (result.kind === 'failed') return toFailure(state, result.failure)
  const answer = result.message
  state.rounds += 1
  await save(options, state, answer)
  if (answer.toolCalls.length > 0) return runCalls(options, state, answer, answer.toolCalls)
  if (answer.finish === 'refused' && answer.text.trim() === '') state.said = refusedAnswer
  if (state.said === '') state.said = silentAnswer
  if (answer.finish === 'length') state.said = `${state.said}\n\n${cutOffNote}`.trim()
  return toOutcome(state, 'completed')
}

async function runCalls(
  options: AgentRunOptions,
  state: RunState,
  answer: AssistantMessage,
  calls: AssistantMessage['toolCalls'],
): Promise<AgentOutcome | undefined> {
  const { end, results } = await executeCalls(answer, calls, { ...options, guard: state.guard })
  state.messages.push(...results)
  if (end === 'stopped') return toOutcome(state, 'stopped')
  if (end === 'held') return toOutcome(state, 'awaiting_approval')
  if (options.mayRepeat || !state.guard.isRepeating()) return undefined
  const text = repetitionAnswer(calls.at(-1)?.name ?? 'a tool')
  options.sink.onEvent({ type: 'text', text })
  await save(options, state, { ...wordsOf(options, text), closes: true })
  return toOutcome(state, 'limit_reached')
}

async function ask(options: AgentRunOptions, state: RunState): Promise<CallResult> {
  const tools = state.toolsRefused ? [] : options.toolbox.definitions
  const first = await callWith(options, state, tools)
  if (first.kind !== 'failed' || first.failure.code !== 'tools_unsupported' || tools.length === 0) return first
  state.toolsRefused = true
  options.sink.onEvent({ type: 'tools-refused' })
  return callWith(options, state, [])
}

async function callWith(
  options: AgentRunOptions,
  state: RunState,
  tools: readonly ToolDefinition[],
  instruction?: string,
): Promise<CallResult> {
  const system = state.toolsRefused ? `${options.system}\n\n${wordsOnlyNote}` : options.system
  const fitted = await fitMessages({ system, tools, instruction }, state, options)
  if (fitted === aborted) return { kind: 'stopped', said: '', usage: { inputTokens: 0, outputTokens: 0 } }
  const onEvent = (event: AgentEvent): void => options.sink.onEvent(event)
  const result = await callModel({ system, tools, ...fitted }, { ...options, onEvent })
  state.usage = addUsage(state.usage, result.usage)
  if (result.kind !== 'answer' || result.message.toolCalls.length === 0) return result
  const isRefused = result.message.finish === 'refused'
  if (tools.length > 0 && !isRefused) return result
  // The model calls tools although none were offered, or stops with a refusal: its text is kept, its calls are ignored.
  const finish = isRefused ? 'refused' : 'stop'
  return { ...result, message: { ...withoutOpaque(result.message), toolCalls: [], finish } }
}

/** The closing call at a limit, without tools: summarises the finished and the remaining work. */
async function close(options: AgentRunOptions, state: RunState, reason: string): Promise<AgentOutcome> {
  const result = await callWith(options, state, [], closingInstruction(reason))
  if (result.kind === 'stopped') return toOutcome(state, 'stopped', result.said)
  // The limit applies even if the closing call fails.
  const isSilent = result.kind === 'failed' || result.message.text.trim() === ''
  const answer = isSilent ? wordsOf(options, unclosedAnswer(reason)) : result.message
  if (isSilent) options.sink.onEvent({ type: 'text', text: answer.text })
  await save(options, state, { ...answer, closes: true })
  return toOutcome(state, 'limit_reached')
}

async function save(options: AgentRunOptions, state: RunState, answer: AssistantMessage): Promise<void> {
  state.messages.push(answer)
  if (answer.text.trim()) state.said = answer.text
  await options.sink.saveAnswer(answer, { rounds: state.rounds, usage: { ...state.usage } })
}

function wordsOf(options: AgentRunOptions, text: string): AssistantMessage {
  return { role: 'assistant', text, toolCalls: [], finish: 'stop', provider: options.provider.id }
}

function withoutOpaque(message: AssistantMessage): AssistantMessage {
  const { opaque: _, ...rest } = message
  return rest
}

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens
}

function toOutcome(state: RunState, status: AgentOutcome['status'], unfinished = ''): AgentOutcome {
  const answer = unfinished.trim() ? unfinished : state.said
  return { status, answer, rounds: state.rounds, usage: { ...state.usage } }
}

function toFailure(state: RunState, failure: ModelFailure): AgentOutcome {
  return { ...toOutcome(state, 'failed'), error: { code: failure.code, message: failure.message } }
}
