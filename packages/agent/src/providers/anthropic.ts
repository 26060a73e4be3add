import type {
  ContentBlock,
  Message,
  MessageCreateParamsStreaming,
  MessageParam,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { AssistantMessage, ModelFailure, ModelProvider, ModelRequest, ToolCall, Usage } from '../contract.ts'
import { toAnthropicMessages, toAnthropicTools } from './anthropic-request.ts'
import { toConnectionFailure, toModelFailure } from './failures.ts'
import { defaultIdleTimeoutMs } from './service.ts'
import type { ProviderSettings, Service } from './service.ts'
import { streamAnswer, createCallIds, readArguments } from './stream-answer.ts'
import type { AnswerReader, PartialEvent } from './stream-answer.ts'

type Sdk = typeof import('@anthropic-ai/sdk')

// Loaded at the first call: an SDK takes a few hundred milliseconds, which would delay the server's start.
let sdk: Sdk | undefined

const defaultModel = 'claude-sonnet-5-5'
// The service requires a limit. This one has room for a long section and its thinking, and still ends a runaway answer.
const defaultMaxTokens = 16_000

/**
 * Anthropic's Messages API through its own SDK. Content blocks, including thinking and its signatures, are kept in
 * `opaque` and sent back verbatim. Input tokens include those read from and written to the prompt cache.
 */
export const anthropic: Service = {
  id: 'anthropic',
  name: 'Anthropic',
  baseURL: 'https://api.anthropic.com',
  variables: { apiKey: 'ANTHROPIC_API_KEY', baseURL: 'ANTHROPIC_BASE_URL' },
  create,
  listing: {
    path: '/v1/models?limit=1000',
    headers: (apiKey) => ({ 'anthropic-version': '2026-10-21', authorization: `Bearer ${apiKey}` }),
  },
}

function create(settings: ProviderSettings): ModelProvider {
  const model = settings.model ?? defaultModel
  return {
    id: anthropic.id,
    model,
    stream(request, { signal }) {
      return streamAnswer<RawMessageStreamEvent | Message>({
        signal,
        idleTimeoutMs: settings.idleTimeoutMs ?? defaultIdleTimeoutMs,
        eventName: 'message',
        reader: createReader(createCallIds(request, 'toolu_made_')),
        explain: (error, retryAfterMs) => explain(error, retryAfterMs, request.tools.length > 0),
        async open(exchange) {
          sdk ??= await import('@anthropic-ai/sdk')
          const client = new sdk.Anthropic({
            apiKey: settings.apiKey ?? 'none',
            baseURL: settings.baseURL ?? anthropic.baseURL,
            fetch: exchange.fetch,
            maxRetries: 0,
            logLevel: 'off',
          })
          return client.messages.create(toParams(model, settings, request), { signal: exchange.signal })
        },
      })
    },
  }
}

function toParams(model: string, settings: ProviderSettings, request: ModelRequest): MessageCreateParamsStreaming {
  const messages: MessageParam[] = toAnthropicMessages(request.messages)
  return {
    model,
    max_tokens: settings.maxOutputTokens ?? defaultMaxTokens,
    system: request.system,
    messages,
    stream: true,
    // One marker on the last block: each round then reads all previous messages from the cache.
    cache_control: { type: 'ephemeral' },
    ...toAnthropicTools(request),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
  }
}

function createReader(nextId: (given?: string | null) => string): AnswerReader<RawMessageStreamEvent | Message> {
  const blocks: ContentBlock[] = []
  const argumentsOf = new Map<ContentBlock, string>()
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  let stopReason: string | null = null

  function* start(block: ContentBlock, index: number): Generator<PartialEvent> {
    blocks[index] = block
    if (block.type === 'tool_use') {
      block.id = nextId(block.id)
      argumentsOf.set(block, '')
      yield { type: 'tool-call-started', id: block.id, name: block.name }
    }
    if (block.type === 'text' && block.text) yield { type: 'text', text: block.text }
  }

  function* whole(message: Message): Generator<PartialEvent> {
    for (const [index, block] of message.content.entries()) {
      yield* start(block, index)
      if (block.type !== 'tool_use') continue
      const json = JSON.stringify(block.input ?? {})
      argumentsOf.set(block, json)
      yield { type: 'tool-call-delta', id: block.id, json }
    }
    stopReason = message.stop_reason
    countTokens(usage, message.usage)
  }

  return {
    *read(event) {
      switch (event.type) {
        case 'message':
          yield* whole(event)
          break
        case 'message_start':
          countTokens(usage, event.message.usage)
          break
        case 'content_block_start':
          yield* start(event.content_block, event.index)
          break
        case 'content_block_delta':
          yield* appendDelta(blocks[event.index], event.delta, argumentsOf)
          break
        case 'message_delta':
          stopReason = event.delta.stop_reason ?? stopReason
          countTokens(usage, event.usage)
          break
        case 'content_block_stop':
        case 'message_stop':
          break
        default:
          // Unknown kinds of events from a newer version of the service are ignored.
          event satisfies never
      }
    },
    finish: () => (stopReason === null ? undefined : toAnswer(blocks, argumentsOf, stopReason)),
    usage: () => ({ ...usage }),
  }
}

type CountedTokens = {
  input_tokens?: number | null
  output_tokens?: number | null
  cache_creation_input_tokens?: number | null
  cache_read_input_tokens?: number | null
}

// Every report is cumulative, and later reports may omit the input tokens.
function countTokens(usage: Usage, reported: CountedTokens | null | undefined): void {
  if (!reported) return
  const cached = (reported.cache_creation_input_tokens ?? 0) + (reported.cache_read_input_tokens ?? 0)
  usage.inputTokens = Math.max(usage.inputTokens, (reported.input_tokens ?? 0) + cached)
  usage.outputTokens = Math.max(usage.outputTokens, reported.output_tokens ?? 0)
}

type BlockDelta = Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>['delta']

function* appendDelta(
  block: ContentBlock | undefined,
  delta: BlockDelta,
  argumentsOf: Map<ContentBlock, string>,
): Generator<PartialEvent> {
  if (delta.type === 'text_delta' && block?.type === 'text') {
    block.text += delta.text
    yield { type: 'text', text: delta.text }
  } else if (delta.type === 'input_json_delta' && block?.type === 'tool_use') {
    argumentsOf.set(block, (argumentsOf.get(block) ?? '') + delta.partial_json)
    yield { type: 'tool-call-delta', id: block.id, json: delta.partial_json }
  } else if (delta.type === 'thinking_delta' && block?.type === 'thinking') {
    block.thinking += delta.thinking
  } else if (delta.type === 'signature_delta' && block?.type === 'thinking') {
    block.signature += delta.signature
  }
}

function toAnswer(
  blocks: readonly ContentBlock[],
  argumentsOf: Map<ContentBlock, string>,
  stopReason: string,
): AssistantMessage {
  const toolCalls: ToolCall[] = []
  const texts: string[] = []
  const opaque: unknown[] = []
  for (const block of blocks.filter(Boolean)) {
    if (block.type === 'text') texts.push(block.text)
    if (block.type === 'tool_use') {
      const read = readArguments(argumentsOf.get(block) ?? '')
      block.input = read.arguments
      toolCalls.push({ id: block.id, name: block.name, ...read })
    }
    // The service refuses its own empty text blocks when they are sent back.
    if (block.type !== 'text' || block.text.trim() !== '') opaque.push(block)
  }
  const finish = toFinish(stopReason, toolCalls.length > 0)
  return { role: 'assistant', text: texts.join(''), toolCalls, finish, provider: 'anthropic', opaque }
}

function toFinish(stopReason: string, hasCalls: boolean): AssistantMessage['finish'] {
  if (stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded') return 'length'
  if (stopReason === 'refusal') return 'refused'
  return hasCalls ? 'tool_calls' : 'stop'
}

function explain(error: unknown, retryAfterMs: number | undefined, toolsOffered: boolean): ModelFailure {
  if (!sdk || !(error instanceof sdk.APIError) || error instanceof sdk.APIConnectionError)
    return toConnectionFailure(error)
  const message = error.apiMessage ?? error.message
  return toModelFailure({ status: error.status, kind: error.type ?? undefined, message, retryAfterMs, toolsOffered })
}
