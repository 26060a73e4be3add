import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { AssistantMessage, ModelRequest, TranscriptMessage } from '../contract.ts'

/**
 * Converts a conversation to the format of Chat Completions. Malformed arguments are sent back as an empty object,
 * because several servers parse them again; the error result of the call says what was wrong.
 */
export function toOpenAIMessages(request: ModelRequest): ChatCompletionMessageParam[] {
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
