import type { GenerateContentParameters, GenerateContentResponse, Schema } from '@google/genai'
import type { JsonSchema, ModelFailure, ModelProvider, ModelRequest } from '../contract.ts'
import { toConnectionFailure, toModelFailure } from './failures.ts'
import { createGeminiReader, madeIdPrefix } from './gemini-reader.ts'
import { toGeminiContents } from './gemini-request.ts'
import { defaultIdleTimeoutMs } from './service.ts'
import type { ProviderSettings, Service } from './service.ts'
import { streamAnswer } from './stream-answer.ts'
import { createCallIds } from './tool-arguments.ts'

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
  variables: { apiKey: 'GEMINI_API_KEY', baseURL: 'GOOGLE_GEMINI_BASE_URL' },
  create,
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
        reader: createGeminiReader(createCallIds(request.messages, madeIdPrefix)),
        explain: (error, retryAfterMs) => explain(error, retryAfterMs, request.tools.length > 0),
        async open(exchange) {
          sdk ??= await import('@google/genai')
          const client = new sdk.GoogleGenAI({
            apiKey: settings.apiKey ?? 'none',
            vertexai: false,
            httpOptions: {
              baseUrl: settings.baseURL ?? 'https://generativelanguage.googleapis.com',
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
      // By default the SDK would retry streams that break off; the loop does that, for every provider alike.
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

function explain(error: unknown, retryAfterMs: number | undefined, toolsOffered: boolean): ModelFailure {
  if (!sdk || !(error instanceof sdk.ApiError)) return toConnectionFailure(error)
  return toModelFailure({ status: error.status, message: readMessage(error.message), retryAfterMs, toolsOffered })
}

// The SDK's message is the whole JSON body, with a prefix if the error came inside a stream.
function readMessage(message: string): string {
  return /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(message)?.[1]?.slice(1, -1).replaceAll('\\"', '"') ?? message
}
