import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { AssistantMessage, Usage } from '../contract.ts'
import { type AnswerReader, type PartialEvent, readArguments } from './stream-answer.ts'

/** A call in the various forms of compatible servers, in a stream or in a whole answer: no field is reliable. */
type WireCall = {
  index?: number | null
  id?: string | null
  function?: { name?: string | null; arguments?: unknown } | null
}
type WirePart = { content?: string | null; refusal?: string | null; tool_calls?: WireCall[] | null }
type WireChoice = { delta?: WirePart | null; message?: WirePart | null; finish_reason?: string | null }
type OpenCall = { index: number | undefined; givenId: string; id: string; name: string; json: string; started: boolean }

/**
 * Reads the chunks of Chat Completions, or a whole `chat.completion` in their place. Calls are identified by index and
 * id, since servers omit or repeat either.
 */
export function createOpenAIReader(
  nextId: (given?: string | null) => string,
): AnswerReader<ChatCompletionChunk | ChatCompletion> {
  const calls: OpenCall[] = []
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  let text = ''
  let refused = false
  let finishReason: string | undefined

  function* readCall(wire: WireCall, position: number | undefined): Generator<PartialEvent> {
    const index = wire.index ?? position
    const call = findCall(calls, index, wire.id) ?? openCall(calls, index, wire.id, nextId)
    if (wire.function?.name && !call.started) call.name += wire.function.name
    if (!call.started && call.name) {
      call.started = true
      yield { type: 'tool-call-started', id: call.id, name: call.name }
    }
    const json = toJsonText(wire.function?.arguments)
    if (!json) return
    call.json += json
    yield { type: 'tool-call-delta', id: call.id, json }
  }

  return {
    *read(chunk) {
      if (chunk.usage) {
        usage.inputTokens = chunk.usage.prompt_tokens ?? usage.inputTokens
        usage.outputTokens = chunk.usage.completion_tokens ?? usage.outputTokens
      }
      const choice: WireChoice | undefined = chunk.choices?.[0]
      const part = choice?.delta ?? choice?.message
      const words = part?.content || part?.refusal
      if (part?.refusal) refused = true
      if (words) {
        text += words
        yield { type: 'text', text: words }
      }
      for (const [position, wire] of (part?.tool_calls ?? []).entries()) {
        yield* readCall(wire, choice?.message ? position : undefined)
      }
      finishReason = choice?.finish_reason ?? finishReason
    },
    finish() {
      if (!finishReason) return undefined
      const finish = refused ? 'refused' : toFinish(finishReason, calls.length > 0)
      const toolCalls = calls.map(({ id, name, json }) => ({ id, name, ...readArguments(json) }))
      return { role: 'assistant', text, toolCalls, finish, provider: 'openai' }
    },
    usage: () => ({ ...usage }),
  }
}

function findCall(calls: readonly OpenCall[], index: number | undefined, id: string | null | undefined) {
  if (index === undefined) return id ? calls.find((call) => call.givenId === id) : calls.at(-1)
  const call = calls.findLast((candidate) => candidate.index === index)
  // Some servers send index 0 for every call: another id then means another call.
  return call && id && call.givenId && call.givenId !== id ? undefined : call
}

function openCall(
  calls: OpenCall[],
  index: number | undefined,
  id: string | null | undefined,
  nextId: (given?: string | null) => string,
): OpenCall {
  const call: OpenCall = { index, givenId: id ?? '', id: nextId(id), name: '', json: '', started: false }
  calls.push(call)
  return call
}

function toJsonText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function toFinish(reason: string, hasCalls: boolean): AssistantMessage['finish'] {
  if (reason === 'length') return 'length'
  if (reason === 'content_filter') return 'refused'
  // Some servers report `stop` after calls as well.
  return hasCalls ? 'tool_calls' : 'stop'
}
