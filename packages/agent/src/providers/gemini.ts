import type { Content, GenerateContentParameters, GenerateContentResponse, Part, Schema } from '@google/genai'
import type {
  AssistantMessage,
  JsonSchema,
  ModelFailure,
  ModelProvider,
  ModelRequest,
  TranscriptMessage,
} from '../contract.ts'
import { toConnectionFailure, toModelFailure } from './failures.ts'
import { createGeminiReader, generatedIdPrefix } from './gemini-reader.ts'
import { defaultIdleTimeoutMs } from './service.ts'
import type { ProviderSettings, Service } from './service.ts'
import { streamAnswer, createCallIds } from './stream-answer.ts'

type Sdk = typeof import('@google/genai')

// Loaded at the first call: an SDK takes a few hundred milliseconds, which would delay the server's start.
let sdk: Sdk | undefined

const defaultModel = 'gemini-3.8-flash'

/**
 * Google's Gemini API through its own SDK. The parts of an answer with their thought signatures are kept in `opaque`
 * and sent back verbatim, because the service refuses calls without them.
 */
export const gemini: Service = {
  id: 'gemini',
  name: 'Google Gemini',
  baseURL: 'https://generativelanguage.googleapis.com',
  variables: { apiKey: 'GEMINI_API_KEY', baseURL: 'GOOGLE_GEMINI_BASE_URL' },
  create,
  listing: { path: '/v1beta/models?pageSize=1000', headers: (apiKey) => ({ 'x-goog-api-key': apiKey }) },
}

function create(settings: ProviderSettings): ModelProvider {
  const model = settings.model ?? defaultModel
  return {
    id: gemini.id,
    model,
    stream(request, { signal }) {
      return streamAnswer<GenerateContentResponse>({
        signal,
        idleTimeoutMs: settings.idleTimeoutMs ?? defaultIdleTimeoutMs,
        reader: createGeminiReader(createCallIds(request, generatedIdPrefix)),
        explain: (error, retryAfterMs) => explain(error, retryAfterMs, request.tools.length > 0),
        async open(exchange) {
          sdk ??= await import('@google/genai')
          const client = new sdk.GoogleGenAI({
            apiKey: settings.apiKey ?? 'none',
            vertexai: false,
            httpOptions: {
              baseUrl: settings.baseURL ?? gemini.baseURL,
              fetch: (input, init) => exchange.fetch(input, init),
            },
          })
          return client.models.generateContentStream(toParameters(model, settings, request, exchange.signal))
        },
      })
    },
  }
}

function toParameters(
  model: string,
  settings: ProviderSettings,
  request: ModelRequest,
  abortSignal: AbortSignal,
): GenerateContentParameters {
  return {
    model,
    contents: toGeminiContents(request.messages),
    config: {
      abortSignal,
      systemInstruction: request.system,
      // By default the SDK would resume streams that break off; the loop retries them, for every provider alike.
      automaticContinuation: false,
      automaticFunctionCalling: { disable: true },
      ...(request.tools.length === 0
        ? {}
        : {
            tools: [
              {
                functionDeclarations: request.tools.map(({ name, description, inputSchema }) => ({
                  name,
                  description,
                  ...parametersOf(inputSchema.openapi),
                })),
              },
            ],
          }),
      ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
      ...(settings.maxOutputTokens === undefined ? {} : { maxOutputTokens: settings.maxOutputTokens }),
    },
  }
}

// The service refuses an object schema without fields. The SDK modifies schemas in place (`object` becomes `OBJECT`),
// which would make them invalid for the next request.
function parametersOf(schema: JsonSchema): { parameters?: Schema } {
  return Object.keys(schema.properties ?? {}).length === 0 ? {} : { parameters: structuredClone(schema) }
}

// The signature that the service documents for calls of other models, which have none that it could verify.
const foreignSignature = 'skip_thought_signature_validator'

/**
 * Converts a conversation to Gemini's contents. All results of one answer are in one content, in the order of the
 * calls; omits ids that this provider generated.
 */
function toGeminiContents(messages: readonly TranscriptMessage[]): Content[] {
  const contents: { role: 'user' | 'model'; parts: Part[] }[] = []
  // The service requires a user message first, and a stored conversation may begin in the middle.
  if (messages[0]?.role === 'assistant') contents.push({ role: 'user', parts: [{ text: '(…)' }] })
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user'
    const parts = toParts(message)
    if (parts.length === 0) continue
    const last = contents.at(-1)
    if (last && last.role === role) last.parts.push(...parts)
    else contents.push({ role, parts })
  }
  return contents
}

function toParts(message: TranscriptMessage): Part[] {
  switch (message.role) {
    case 'user':
      return [{ text: message.text || '(nothing)' }]
    case 'tool': {
      const response = message.isError ? { error: message.text } : { output: message.text }
      return [{ functionResponse: { ...toGeminiId(message.callId), name: message.name, response } }]
    }
    case 'assistant':
      return ownParts(message) ?? rebuiltParts(message)
  }
}

function ownParts(message: AssistantMessage): Part[] | undefined {
  if (message.provider !== 'gemini' || !Array.isArray(message.opaque)) return undefined
  // Stored by this provider: the service's own parts. Copied, since the SDK may modify its input.
  return structuredClone(message.opaque) as Part[]
}

function rebuiltParts(message: AssistantMessage): Part[] {
  const parts: Part[] = message.text ? [{ text: message.text }] : []
  for (const call of message.toolCalls) {
    const functionCall = { ...toGeminiId(call.id), name: call.name, args: call.arguments }
    parts.push({ functionCall, thoughtSignature: foreignSignature })
  }
  return parts
}

function toGeminiId(id: string): { id?: string } {
  return id.startsWith(generatedIdPrefix) ? {} : { id }
}

function explain(error: unknown, retryAfterMs: number | undefined, toolsOffered: boolean): ModelFailure {
  if (!sdk || !(error instanceof sdk.ApiError)) return toConnectionFailure(error)
  return toModelFailure({ status: error.status, message: readMessage(error.message), retryAfterMs, toolsOffered })
}

// The SDK's message is the whole JSON body, with a prefix if the error came inside a stream.
function readMessage(message: string): string {
  return /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(message)?.[1]?.slice(1, -1).replaceAll('\\"', '"') ?? message
}
