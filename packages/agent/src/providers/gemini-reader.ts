import type { GenerateContentResponse, Part } from '@google/genai'
import type { AssistantMessage, ModelFailure, ToolCall, Usage } from '../contract.ts'
import type { AnswerReader } from './stream-answer.ts'

/**
 * The prefix of ids that this provider generated because the service gave none: they must not be sent to the service.
 */
export const generatedIdPrefix = 'gemini_made_'

// The model tried and failed to call a tool, or the service gives no reason: a retry often succeeds.
const failedReasons = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'OTHER'])

/**
 * Reads the chunks of `streamGenerateContent`. Thoughts aren't shown, but are kept among the parts that are sent back.
 * Output tokens include thinking.
 */
export function createGeminiReader(nextId: (given?: string | null) => string): AnswerReader<GenerateContentResponse> {
  const parts: Part[] = []
  const toolCalls: ToolCall[] = []
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  let text = ''
  let reason: string | undefined
  let blocked = false

  return {
    *read(chunk) {
      const reported = chunk.usageMetadata
      if (reported) {
        usage.inputTokens = reported.promptTokenCount ?? usage.inputTokens
        const output = (reported.candidatesTokenCount ?? 0) + (reported.thoughtsTokenCount ?? 0)
        usage.outputTokens = Math.max(usage.outputTokens, output)
      }
      if (chunk.promptFeedback?.blockReason) blocked = true
      const candidate = chunk.candidates?.[0]
      for (const part of candidate?.content?.parts ?? []) {
        keepPart(parts, part)
        if (part.functionCall) {
          const call = { id: nextId(part.functionCall.id), name: part.functionCall.name ?? '' }
          const args = part.functionCall.args ?? {}
          toolCalls.push({ ...call, arguments: args })
          yield { type: 'tool-call-started', ...call }
          yield { type: 'tool-call-delta', id: call.id, json: JSON.stringify(args) }
        } else if (part.text && !part.thought) {
          text += part.text
          yield { type: 'text', text: part.text }
        }
      }
      reason = candidate?.finishReason ?? reason
    },
    finish(): AssistantMessage | ModelFailure | undefined {
      if (blocked && !reason) return { role: 'assistant', text, toolCalls: [], finish: 'refused', provider: 'gemini' }
      if (!reason) return undefined
      if (failedReasons.has(reason)) {
        return { code: 'invalid_response', message: `The service ended with ${reason}.`, retryable: true }
      }
      const finish = toFinish(reason, toolCalls.length > 0)
      return { role: 'assistant', text, toolCalls, finish, provider: 'gemini', opaque: parts }
    },
    usage: () => ({ ...usage }),
  }
}

// Adjacent pieces of plain text are merged into one part; a part with a signature is kept unchanged.
function keepPart(parts: Part[], part: Part): void {
  const last = parts.at(-1)
  if (last && isPlainText(last) && isPlainText(part) && last.thought === part.thought) {
    parts[parts.length - 1] = { ...last, text: (last.text ?? '') + (part.text ?? '') }
  } else {
    parts.push(part)
  }
}

function isPlainText(part: Part): boolean {
  return part.text !== undefined && part.thoughtSignature === undefined && part.functionCall === undefined
}

function toFinish(reason: string, hasCalls: boolean): AssistantMessage['finish'] {
  if (reason === 'MAX_TOKENS') return 'length'
  if (reason !== 'STOP' && reason !== 'FINISH_REASON_UNSPECIFIED') return 'refused'
  return hasCalls ? 'tool_calls' : 'stop'
}
