import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { AssistantMessage, ModelFailure, ModelProvider, ModelRequest, TranscriptMessage } from '../contract.ts'
import type { Exchange } from './exchange.ts'
import { toConnectionFailure, toModelFailure } from './failures.ts'
import { createOpenAIReader } from './openai-reader.ts'
import { defaultIdleTimeoutMs } from './service.ts'
import type { ProviderSettings, Service } from './service.ts'
import { streamAnswer, createCallIds } from './stream-answer.ts'

type Sdk = typeof import('openai')

// Loaded at the first call: an SDK takes a few hundred milliseconds, which would delay the server's start.
let sdk: Sdk | undefined

const defaultModel = 'gpt-5.5'

/**
 * Chat Completions through OpenAI's SDK: OpenAI itself and compatible servers (Ollama, vLLM, llama.cpp), which need no
 * key. Sampling parameters are sent only if an operator set them.
 */
export const openai: Service = {
  id: 'openai',
  name: 'OpenAI',
  baseURL: 'https://api.openai.com/v1',
  variables: { apiKey: 'OPENAI_API_KEY', baseURL: 'OPENAI_BASE_URL' },
  keyIsOptional: true,
  create,
  listing: { path: '/models', headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }) },
}

function create(settings: ProviderSettings): ModelProvider {
  const model = settings.model ?? defaultModel
  const baseURL = settings.baseURL ?? openai.baseURL
  // Some reasoning models accept tools here only with the effort `none`, while others refuse the field: detected from
  // the service's response.
  let reasoningOff = false

  const open = async (request: ModelRequest, exchange: Exchange): Promise<AsyncIterable<ChatCompletionChunk>> => {
    const { OpenAI, APIError } = (sdk ??= await import('openai'))
    const client = new OpenAI({
      apiKey: settings.apiKey || 'none',
      adminAPIKey: null,
      baseURL,
      fetch: exchange.fetch,
      maxRetries: 0,
      logLevel: 'off',
    })
    const create = () => {
      const params = toParams(model, baseURL, settings, request)
      if (reasoningOff && request.tools.length > 0) params.reasoning_effort = 'none'
      return client.chat.completions.create(params, { signal: exchange.signal })
    }
    try {
      return await create()
    } catch (error) {
      const refused = error instanceof APIError && error.status === 400 && /reasoning_effort/.test(error.message)
      if (!refused || reasoningOff || request.tools.length === 0) throw error
      reasoningOff = true
      return create()
    }
  }

  return {
    id: openai.id,
    model,
    stream(request, { signal }) {
      return streamAnswer<ChatCompletionChunk | ChatCompletion>({
        signal,
        idleTimeoutMs: settings.idleTimeoutMs ?? defaultIdleTimeoutMs,
        reader: createOpenAIReader(createCallIds(request, 'call_made_')),
        explain: (error, retryAfterMs) => explain(error, retryAfterMs, request.tools.length > 0),
        open: (exchange) => open(request, exchange),
      })
    },
  }
}

function toParams(
  model: string,
  baseURL: string,
  settings: ProviderSettings,
  request: ModelRequest,
): ChatCompletionCreateParamsStreaming {
  const limit = settings.maxOutputTokens
  // OpenAI's reasoning models know only the new name of the limit, most other servers only the old one.
  const limitName = new URL(baseURL).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens'
  return {
    model,
    messages: toOpenAIMessages(request),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map((tool) => ({
            type: 'function' as const,
            function: { name: tool.name, description: tool.description, parameters: tool.inputSchema.jsonSchema },
          })),
        }),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(limit === undefined ? {} : { [limitName]: limit }),
  }
}

/**
 * Converts a conversation to the format of Chat Completions. Malformed arguments are sent back as an empty object,
 * because several servers parse them again; the error result of the call describes the fault.
 */
function toOpenAIMessages(request: ModelRequest): ChatCompletionMessageParam[] {
  return [{ role: 'system', content: request.system }, ...request.messages.map(toMessage)]
}

function toMessage(message: TranscriptMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
    case 'assistant':
      return toAssistant(message)
  }
}

function toAssistant(message: AssistantMessage): ChatCompletionMessageParam {
  if (message.toolCalls.length === 0) return { role: 'assistant', content: message.text }
  return {
    role: 'assistant',
    content: message.text || null,
    tool_calls: message.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  }
}

function explain(error: unknown, retryAfterMs: number | undefined, toolsOffered: boolean): ModelFailure {
  if (!sdk || !(error instanceof sdk.APIError) || error instanceof sdk.APIConnectionError)
    return toConnectionFailure(error)
  const kind = error.code ?? error.type
  return toModelFailure({
    status: error.status,
    kind: kind ? String(kind) : undefined,
    message: error.message,
    retryAfterMs,
    toolsOffered,
  })
}
