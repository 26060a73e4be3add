import type { Content, Part } from '@google/genai'
import type { AssistantMessage, TranscriptMessage } from '../contract.ts'
import { madeIdPrefix } from './gemini-reader.ts'

// The signature that the service documents for calls of other models, which have none that it could verify.
const foreignSignature = 'skip_thought_signature_validator'

/**
 * Converts a conversation to Gemini's contents. All results of one answer are in one content, in the order of the
 * calls; ids that this provider generated are left out.
 */
export function toGeminiContents(messages: readonly TranscriptMessage[]): Content[] {
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
      return [{ functionResponse: { ...toOwnId(message.callId), name: message.name, response } }]
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
    const functionCall = { ...toOwnId(call.id), name: call.name, args: call.arguments }
    parts.push({ functionCall, thoughtSignature: foreignSignature })
  }
  return parts
}

function toOwnId(id: string): { id?: string } {
  return id.startsWith(madeIdPrefix) ? {} : { id }
}
